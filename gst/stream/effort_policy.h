// SPDX-License-Identifier: LGPL-2.1-or-later
// How much work a picture gets when there is little time: the most that will be done in time. Knows
// no clock.
//
// It gives work up at once, and takes it up again after some pictures for which there would have
// been time. What was not done for a while may have become cheaper: estimates of it fade until it
// is tried again.
//
// Threading: one thread at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "cltrack/frame.h"
#include "metadata/look.h"

namespace cltrack::gst {

// Of one that is not none.
Effort effort_of(Look look);

class EffortPolicy {
 public:
  // Pictures in a row that are not looked at, at most: nothing is tracked without any.
  static constexpr int kMostSkipped = 4;
  // Pictures in a row for which there would be time for more work, before there is more.
  static constexpr int kCalm = 8;

  // For the next picture. `left`: ns until it has to be done, negative if that is over; empty if it
  // may take all the time. `is_late_later`: the picture would reach the sink too late, which takes
  // work away step by step, but no picture is left out for it.
  Look choose(std::optional<std::int64_t> left, bool is_late_later = false);

  // How long such work on a picture has taken, ns.
  void took(Look look, std::int64_t ns);

  void reset() { *this = {}; }

 private:
  bool fits(std::size_t level, const std::optional<std::int64_t>& left, std::int64_t percent) const;

  std::array<std::int64_t, kLooks> costs_ = {};  // ns; 0: not known, or nothing
  std::size_t level_ = 0;                        // of the work, as a Look, but for none
  int calm_ = 0;
  int skipped_ = 0;
};

}  // namespace cltrack::gst
