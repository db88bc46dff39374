// SPDX-License-Identifier: LGPL-2.1-or-later
// Lets the ferns learn what a frame shows, of all targets at once.
//
// Threading: one thread at a time, the one that uses the queue.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cltrack/tld_config.h"
#include "compute/queue.h"
#include "ops/ferns/fern_codes.h"
#include "ops/ferns/fern_tables.h"
#include "ops/ferns/scan.h"
#include "tld/frame_planes.h"
#include "tld/target_bank.h"
#include "tld/training.h"

namespace cltrack {

// Blocks that samples are cut into and taken from in turn, as in the author's reference, which
// mixes positives and negatives that come one after the other. (His loop forgets up to nine samples
// at the end; this one does not.)
inline constexpr int kTrainingBlocks = 10;

// The work of one target.
struct Training {
  std::size_t place = 0;  // of the target in the bank
  const TrainingSet* samples = nullptr;
  float positive_threshold = 0;  // mean posterior up to which positives are learnt
};

class Learner {
 public:
  // `candidates`: of the frame's scan; `found`: how many of them the target at each place has. Only
  // blurred is needed of the planes. Does not wait, if all is where the queue works.
  void train(Queue& queue, std::span<const Training> all, const FramePlanes& planes,
             CandidateArrays& candidates, std::span<const std::uint32_t> found, TargetBank& bank,
             const TldConfig& config);

 private:
  void list_samples(std::span<const Training> all, std::span<const std::uint32_t> found,
                    const TargetBank& bank);

  Array<CodeJob> code_jobs_;
  Array<std::uint32_t> windows_;
  Array<FixedWarp> warps_;
  FernSampleArrays samples_{kScratch};
  Array<std::uint32_t> order_{kScratch};
};

}  // namespace cltrack
