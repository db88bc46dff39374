// SPDX-License-Identifier: LGPL-2.1-or-later
// The data of all ops that have a kernel, on one device, filled from a clip.
#pragma once

#include <memory>
#include <span>

#include "compute/device.h"
#include "compute/queue.h"
#include "ops/ferns/far_candidates.h"
#include "ops/ferns/fern_tables.h"
#include "ops/ferns/scan.h"
#include "ops/ferns/scan_windows.h"
#include "ops/filter/filter_colors.h"
#include "ops/filter/hog.h"
#include "ops/filter/sample_windows.h"
#include "ops/filter/scale_filter.h"
#include "ops/filter/translation_filter.h"
#include "ops/flow/point_flow.h"
#include "ops/patches/extract_patches.h"
#include "ops/patches/nearest_patches.h"
#include "scan_stand.h"

namespace cltrack::accuracy {

struct DeviceStand {
  // Runs every op, so that programs are built and inputs are there.
  DeviceStand(const Clip& clip, const DeviceInfo& info);

  // Takes the next frame of the clip.
  void next_frame();
  // Back to what was learnt on the first frame.
  void reset_tables();

  Scan scan;
  std::shared_ptr<Queue> queue;
  Frames frames;
  Plane luma, blurred;
  IntegralArrays integrals;
  ScanWindows windows;
  FernTableArrays tables;
  ScanScratch scan_scratch;
  CandidateArrays candidates;  // as the scan leaves them
  CandidateArrays given;       // the same of the first frame, and no more room than they need
  CandidateList found;
  BestWindows best;
  Array<BoundingBox> boxes;
  Array<std::uint32_t> box_count;
  PatchScratch patch_scratch;
  Array<Patch> patches, queries, model;
  Array<PatchJob> model_job;
  Array<float> similarities;
  Array<NearestPatches> nearest;
  FlowPyramid from, to;
  Array<Point> points;
  Array<TrackedPoint> tracked;
  FlowSettings flow;
  Array<std::int32_t> window;  // its
  Array<std::uint32_t> list;   // windows that are learnt as positives
  Array<FixedWarp> warps;
  Array<CodeJob> code_jobs;   // one
  FernSampleArrays samples;   // as learning collects them
  FernSampleArrays training;  // those of the first frame, and no more room than they need
  Array<std::uint32_t> order, samples_order;  // of the training set, and of the samples
  Array<WindowJob> filter_windows;            // one, around the target
  Array<std::uint16_t> filter_samples;
  HogScratch hog_scratch, scale_scratch;
  Array<float> features;
  FilterTables filter_tables;
  Array<FilterJob> filter_job;  // one
  FilterScratch filter_scratch;
  Array<float> filter_spectrum, filter, filter_response;
  Array<std::uint16_t> color_bins;      // of the window around the target
  Array<ColorLearnJob> color_learnt;    // one
  Array<ColorResponseJob> color_asked;  // one
  Array<float> color_histograms, color_responses;
  Array<std::uint16_t> color_likelihoods;
  Array<WindowJob> scale_windows;  // those of one target
  Array<std::uint16_t> scale_sources, scale_samples;
  Array<float> scale_features, scales, numerators, denominators, responses;
  Array<ScaleLearnJob> scale_learn_jobs;      // one
  Array<ScaleRespondJob> scale_respond_jobs;  // one
  BoundingBox target;
  float longest_side = 0;  // of any box, pixels

 private:
  void learn_colors_of(const BoundingBox& box, float window_side);
  void make_scales();
  void keep_first_candidates();
  void keep_first_training();
};

// An op with a kernel.
struct OpCase {
  const char* name;
  const char* paper;             // what the paper calls it, or "-"
  void (*run)(DeviceStand&);     // queues it
  void (*upload)(DeviceStand&);  // makes it read its inputs from the host the next time
  void (*fetch)(DeviceStand&);   // brings what it made to the host; the caller waits
};
std::span<const OpCase> op_cases();

// One of the paper's three modules: ops in a row, with all that travels.
struct ModuleCase {
  const char* name;
  const char* paper;
  void (*run)(DeviceStand&);  // one frame of it; waits
};
std::span<const ModuleCase> module_cases();

}  // namespace cltrack::accuracy
