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

// A target has two filters, whose answers are averaged: one that follows how the target looks,
// and a steady one that hardly changes. A filter learns from boxes that it has sized itself. With
// the first one alone its errors add up: a box that is too large has more and more of the
// background in it, which does not grow or shrink with the target, and gets larger still.
inline constexpr std::size_t kScaleFilters = 2;
// What a slot holds of numerators and of denominators: those of the first filter, then of the
// second.
inline constexpr std::size_t kScaleNumerators = kScaleFilters * kScaleSpectrum;
inline constexpr std::size_t kScaleDenominators = kScaleFilters * kScaleBins;

struct ScaleArrays {
  Array<float> numerators, denominators;
};

class ScaleFilter {
 public:
  // A target that is looked at: its box, and the slot that its filter has.
  struct ScaleQuery {
    BoundingBox box;
    int slot = 0;
    float rate = 0;  // of learn(), for the filter that follows: 1 begins anew
  };

  // What a scale's answer is.
  struct Answer {
    float factor = 1;  // of both sides; 1 if all scales respond alike
    float response = 0;
  };

  // Queues the question. Does not wait.
  void estimate(Queue& queue, const Plane& luma, std::span<const ScaleQuery> queries,
                const ScaleArrays& filters);
  // Waits. In the order of estimate().
  std::vector<Answer> collect();

  // Queues what there is to learn, no two queries of one slot. Does not wait.
  void learn(Queue& queue, const Plane& luma, std::span<const ScaleQuery> queries,
             ScaleArrays& filters);

  // Lets go of all memory.
  void release() noexcept { work_ = {}; }

 private:
  struct Places {
    Array<WindowJob> patches, windows;
  };
  struct Work {
    // Those of learn() are still being read when the next frame asks: assigning does not wait.
    Places asked, learnt;
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
