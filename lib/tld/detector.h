// SPDX-License-Identifier: LGPL-2.1-or-later
// Finds places that look like the target anywhere in the frame: a cascade of variance filter and
// ferns over all windows, then nearest neighbours on the best of them.
#pragma once

#include <cstdint>
#include <vector>

#include "core/bounding_box.h"
#include "ops/patch.h"
#include "ops/scan.h"
#include "tld/config.h"
#include "tld/fern_ensemble.h"
#include "tld/frame_planes.h"
#include "tld/object_model.h"
#include "tld/scan_grid.h"

namespace cltrack {

// A window that passed the ferns.
struct Detection {
  std::uint32_t window = 0;
  BoundingBox box;
  Patch patch;
  Similarity similarity;
};

// One frame goes through in steps, so that the caller can spread them over threads:
// scan_part(0 ... scan_parts() - 1), collect(), match_part(0 ... match_parts() - 1).
class Detector {
 public:
  Detector(ScanGrid grid, const FernEnsemble& ferns, const TldConfig& config);

  const ScanGrid& grid() const { return grid_; }
  const std::vector<PixelPair>& pairs(std::size_t scale) const { return pairs_[scale]; }

  // Variance, in grey levels squared, under which a window is rejected.
  void set_minimum_variance(float variance);

  int scan_parts() const { return static_cast<int>(parts_.size()); }
  void scan_part(int part, const FramePlanes& planes, const FernTables& tables);

  // `fern_threshold`: mean posterior that a detection must exceed.
  void collect(const FernTables& tables, float fern_threshold);

  int match_parts() const;
  void match_part(int part, const FramePlanes& planes, const ObjectModel& model);

  // Every window of this frame whose score is at least one posterior's worth, by index: those that
  // could confuse the ferns soon.
  const std::vector<Candidate>& candidates() const { return candidates_; }

  // The best windows that passed the ferns, best first. Callers may refine them.
  std::vector<Detection>& detections() { return detections_; }
  const std::vector<Detection>& detections() const { return detections_; }

 private:
  struct Part {  // rows of one scale
    std::size_t scale;
    int first_row;
    int last_row;
    std::vector<Candidate> candidates;
  };

  ScanGrid grid_;
  std::size_t max_candidates_;
  std::vector<std::vector<PixelPair>> pairs_;    // per scale
  std::vector<std::uint64_t> minimum_variance_;  // per scale, times the pixels squared
  std::vector<Part> parts_;
  std::vector<Candidate> candidates_;
  std::vector<Detection> detections_;
};

}  // namespace cltrack
