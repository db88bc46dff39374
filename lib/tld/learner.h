// SPDX-License-Identifier: LGPL-2.1-or-later
// Teaches the ferns what a frame shows: the P-expert (what is close to the target is the target,
// also when turned or shifted a little) and the N-expert (what is far from it is not).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cltrack/tld_config.h"
#include "compute/queue.h"
#include "core/random.h"
#include "ops/ferns/fern_update.h"
#include "tld/detector.h"
#include "tld/fern_ensemble.h"
#include "tld/frame_planes.h"

namespace cltrack {

// The windows to learn as positives of a target at `box`: those that overlap it most, by more than
// config.positive_overlap, best first, at most `count`. The best one of all comes first even if it
// overlaps less. Empty if no window meets the box.
std::vector<std::uint32_t> positive_windows(const ScanGrid& grid, const BoundingBox& box, int count,
                                            const TldConfig& config);

// config.warps warps of the common neighbourhood of `windows`; the first one is none.
std::vector<FixedWarp> random_warps(const ScanGrid& grid, std::span<const std::uint32_t> windows,
                                    const WarpConfig& config, Random& random);

// What there is to learn from a frame. Negatives are the candidates that are far from the box.
struct Lesson {
  BoundingBox box;                     // where the target is
  std::vector<std::uint32_t> windows;  // the positives,
  std::vector<FixedWarp> warps;        // each of them seen through these
};

// Where ferns are taught: on the host or a device. All that happens on a device is queued there,
// nothing is waited for.
//
// Threading: one thread at a time; on a device, the one that uses the queue.
class Learner {
 public:
  explicit Learner(std::shared_ptr<Queue> queue);  // null is the host

  bool on_device() const { return !queue_->is_host(); }

  // What a frame shows: the lesson's positives and the candidates of the detector, which must be
  // where the learner can get at them without waiting (Detector::enqueue_candidates).
  // `positive_score`: mean posterior up to which positives are learnt.
  void teach(const Lesson& lesson, FramePlanes& planes, Detector& detector, const TldConfig& config,
             float positive_score, FernEnsemble& ferns);

  // A first frame: positives and the windows `negatives` in a random order, several times.
  void teach_first(const Lesson& positives, std::span<const std::uint32_t> negatives,
                   FramePlanes& planes, Detector& detector, const TldConfig& config, Random& random,
                   FernEnsemble& ferns);

  // The highest confidence that the ferns have in one of the windows as they are, 0 if there is
  // none. Waits.
  float highest_confidence(std::span<const std::uint32_t> windows, FramePlanes& planes,
                           Detector& detector, FernEnsemble& ferns);

 private:
  // A job of all windows, with samples from the first one on.
  static LearnJob job_of(Detector& detector, const BoundingBox& box, std::size_t positives,
                         std::size_t room, std::uint32_t positive_score);
  // What the detector has found, in one piece.
  CandidateArrays& candidates_of(Detector& detector, int ferns);
  // Codes of the windows through the warps, from sample `first` on.
  void look(std::span<const std::uint32_t> windows, std::span<const FixedWarp> warps,
            FramePlanes& planes, Detector& detector, int ferns, std::size_t first,
            Array<std::uint16_t>& codes);

  std::shared_ptr<Queue> queue_;
  Array<std::uint32_t> windows_;
  Array<FixedWarp> warps_;
  Array<CodeJob> code_jobs_;
  CandidateArrays joined_;  // the lists of a detector on the host
  FernSampleArrays samples_;
};

}  // namespace cltrack
