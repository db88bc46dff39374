// SPDX-License-Identifier: LGPL-2.1-or-later
// Finds places that look like the target anywhere in the frame: a cascade of variance filter and
// ferns over all windows, then nearest neighbours on the best of them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "cltrack/bounding_box.h"
#include "cltrack/tld_config.h"
#include "ops/ferns/scan.h"
#include "ops/patches/patch.h"
#include "tld/device_match.h"
#include "tld/device_scan.h"
#include "tld/fern_ensemble.h"
#include "tld/frame_planes.h"
#include "tld/object_model.h"
#include "tld/scan_grid.h"

namespace cltrack {

// A window that passed the ferns.
struct Detection {
  std::uint32_t window = 0;
  BoundingBox box;
  Similarity similarity;
  std::optional<Patch> patch;  // of the box, if the host has looked at it
};

// One frame goes through in steps, so that the caller can spread them over threads:
// enqueue_scan(), scan_part(0 ... scan_parts() - 1), collect(), enqueue_match(),
// match_part(0 ... match_parts() - 1), collect_match(). Parts alone may run on any thread.
//
// What collect() and collect_match() take from a device is there without waiting if the queues of
// ferns and nn have been waited for. Where the two are on the same device, that is once:
// chain_match() queues the comparison behind the scan, and enqueue_match() has nothing left to do.
class Detector {
 public:
  // Where the stages run; null is the host.
  struct Queues {
    std::shared_ptr<Queue> ferns, nn, learn;
  };
  Detector(ScanGrid grid, const FernEnsemble& ferns, const TldConfig& config, const Queues& queues);

  const ScanGrid& grid() const { return grid_; }
  ScanWindows& windows() { return windows_; }  // those of the grid

  // Variance, in grey levels squared, under which a window is rejected.
  void set_minimum_variance(float variance);

  // Mean posterior that a detection must exceed.
  void set_fern_threshold(float threshold);

  // On a device: queues the scan, and there are no parts of it left for threads. On the host: waits
  // if the posteriors are on a device.
  void enqueue_scan(FramePlanes& planes, FernEnsemble& ferns);
  void chain_match(FramePlanes& planes, const ObjectModel& model);
  int scan_parts() const { return static_cast<int>(parts_.size()); }
  void scan_part(int part, const FramePlanes& planes);

  // Waits for a device's scan.
  void collect();

  // On a device: queues the comparison with the model, and there are no parts of it left.
  void enqueue_match(FramePlanes& planes, const ObjectModel& model);
  int match_parts() const;
  void match_part(int part, const FramePlanes& planes, const ObjectModel& model);

  // Waits for a device's comparison.
  void collect_match(const ObjectModel& model);

  // Every window of this frame whose score is at least one posterior's worth, by index: those that
  // could confuse the ferns soon. Of a scan on the host in as many lists as there are scan parts.
  bool scans_on_device() const { return device_scan_ != nullptr; }
  bool learns_elsewhere() const { return learns_elsewhere_; }  // than the ferns
  const std::vector<CandidateList>& candidates() const { return candidates_; }
  // The same in one piece, for those who learn on a device, or from a device's scan.
  CandidateArrays& candidate_arrays();
  // Begins to bring the candidates of a device's scan to the host, no more than there are, if
  // learns_elsewhere().
  void enqueue_candidates();

  // The best windows that passed the ferns, best first. Callers may refine them.
  std::vector<Detection>& detections() { return detections_; }
  const std::vector<Detection>& detections() const { return detections_; }

 private:
  struct Part {  // rows of one scale
    std::size_t scale;
    int first_row;
    int last_row;
  };

  ScanSize scan_size(std::size_t scale) const;

  ScanGrid grid_;
  int ferns_;
  bool chained_;           // ferns and nn are on the same device,
  bool learns_elsewhere_;  // ferns and learn are not
  std::size_t max_candidates_;
  std::uint32_t best_score_ = 0;                 // that a detection must have
  std::vector<std::vector<PixelPair>> pairs_;    // per scale
  std::vector<std::uint64_t> minimum_variance_;  // per scale, times the pixels squared
  ScanWindows windows_;
  PosteriorView posteriors_;  // on the host
  std::vector<Part> parts_;
  std::unique_ptr<DeviceMatch> device_match_;  // null on the host
  std::unique_ptr<DeviceScan> device_scan_;    // null on the host
  std::vector<CandidateList> candidates_;      // by part
  CandidateArrays gathered_;                   // the same in one piece
  std::vector<Detection> detections_;
};

}  // namespace cltrack
