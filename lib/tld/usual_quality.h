// SPDX-License-Identifier: LGPL-2.1-or-later
// What a target's correlation filter usually answers where it is right. A filter answers to some
// targets with 0.7 and to others with 0.3, so its answers are compared with its own earlier ones.
#pragma once

#include "motion/motion_estimator.h"

namespace cltrack {

class UsualQuality {
 public:
  struct Ratios {
    float filter = 1;
    float color = 1;
    float color_psr = 1;
    // How well the colours tell the target from what is around it, 0 to 1: from the usual ratio.
    float color_weight = 1;
  };

  // A frame on which the filter was believed. The first hundred count alike, then older ones less
  // and less: slowly, as a target that is hidden bit by bit must not take the mean down with it.
  void add(const FilterQuality& quality);

  // `quality` as multiples of the usual one; before the first frame, of what most filters answer.
  Ratios compare(const FilterQuality& quality) const;

 private:
  class Mean {
   public:
    explicit Mean(float expected) : value_(expected) {}
    void add(float value);
    float ratio(float value) const { return value_ > 0 ? value / value_ : 1; }
    float value() const { return value_; }

   private:
    float value_;
    int count_ = 0;  // of values, as far as they count alike
  };

  // Of the first answers to 120 targets: the median, and about the median. How high colours answer
  // differs too much for that.
  Mean filter_{0.44f};
  Mean color_{0};
  Mean color_psr_{4};
};

}  // namespace cltrack
