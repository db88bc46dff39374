// SPDX-License-Identifier: LGPL-2.1-or-later
// Which pixels a sample of sample_windows() covers along one axis, and by how much.
// kernels/filter/sample_windows.cl has the same.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/filter_types.h"

namespace cltrack {

inline constexpr std::int32_t kPixel = CLTRACK_WINDOW_PIXEL;

// From `begin` up to `end`, in 1/4096 pixel: parts of pixels [first, last].
struct WindowSpan {
  std::int32_t begin, end;
  int first, last;

  WindowSpan(std::int32_t start, std::int32_t step, int sample) {
    begin = start + sample * step;
    end = begin + step;
    if (step < kPixel) {
      begin -= (kPixel - step) / 2;
      end = begin + kPixel;
    }
    first = begin >> CLTRACK_WINDOW_PIXEL_BITS;  // rounds down
    last = (end - 1) >> CLTRACK_WINDOW_PIXEL_BITS;
  }

  std::int32_t length() const { return end - begin; }

  // Calls add(p, weight) for the pixels of [0, count) that stand for the span: the outermost ones
  // for what lies beyond them, too.
  template <typename Add>
  [[gnu::always_inline]] void each_inside(int count, const Add& add) const {
    const int from = std::clamp(first, 0, count - 1);
    const int to = std::clamp(last, 0, count - 1);
    if (from == to) {
      add(from, length());
      return;
    }
    add(from, (from + 1) * kPixel - begin);
    for (int p = from + 1; p < to; ++p) add(p, kPixel);
    add(to, end - to * kPixel);
  }
};

}  // namespace cltrack
