// SPDX-License-Identifier: LGPL-2.1-or-later
// How much larger or smaller targets have become: the scale filter of ops/filter/scale_*.h on
// windows around their boxes. Batched over targets.
//
// Threading: one thread at a time, the one that uses the queue.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cltrack/bounding_box.h"
#include "compute/array.h"
#include "compute/queue.h"
#include "ops/filter/hog.h"
#include "ops/filter/scale_filter.h"

namespace cltrack {

// A target has two filters, whose responses are averaged: an adaptive one, and a slow one, which
// hardly changes. A filter learns from boxes that it has sized itself. With the adaptive one alone
// its errors add up: a box that is too large has more and more of the
// background in it, which does not grow or shrink with the target, and gets larger still.
inline constexpr std::size_t kScaleFilters = 2;
// The numerators and the denominators of a slot: those of the adaptive filter, then of the slow
// one.
inline constexpr std::size_t kScaleNumerators = kScaleFilters * kScaleSpectrum;
inline constexpr std::size_t kScaleDenominators = kScaleFilters * kScaleBins;

struct ScaleArrays {
  Array<float> numerators, denominators;
};

class ScaleFilter {
 public:
  // The box of a target, and the slot that its filters have.
  struct ScaleQuery {
    BoundingBox box;
    int slot = 0;
    float rate = 0;  // of learn(), for the adaptive filter: 1 begins anew
  };

  // The change of a target's size.
  struct ScaleEstimate {
    float factor = 1;  // of both sides; 1 if all scales respond alike
    float response = 0;
  };

  // Queues the responses of all scales. Does not wait.
  void estimate(Queue& queue, const Plane& luma, std::span<const ScaleQuery> queries,
                const ScaleArrays& filters);
  // Waits. In the order of estimate().
  std::vector<ScaleEstimate> collect();

  // Queues the update of the filters, no two queries of one slot. Does not wait.
  void learn(Queue& queue, const Plane& luma, std::span<const ScaleQuery> queries,
             ScaleArrays& filters);

  // Lets go of all memory.
  void release() noexcept { work_ = {}; }

 private:
  struct Places {
    Array<WindowJob> patches, windows;
  };
  struct Work {
    // Those of learn() are still being read when the next frame is estimated: assigning does not
    // wait.
    Places queried, learnt;
    Array<std::uint16_t> patches{kScratch}, windows{kScratch};
    HogScratch hog;
    Array<float> features{kScratch}, spectra{kScratch};
    Array<float> responses;
    Array<ScaleLearnJob> learn_jobs;
    Array<ScaleRespondJob> respond_jobs;
  };
  void extract_features(Queue& queue, const Plane& luma, std::span<const ScaleQuery> queries,
                        Places& places);

  Work work_;
};

}  // namespace cltrack
