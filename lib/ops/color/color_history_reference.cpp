// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/color/color_history.h"

namespace cltrack {

void reference::color_history(std::span<const ColorSum> sums, int slot, int length,
                              std::span<ColorSum> ring) {
  for (std::size_t object = 0; object < sums.size(); ++object) {
    ring[object * static_cast<std::size_t>(length) + static_cast<std::size_t>(slot)] = sums[object];
  }
}

}  // namespace cltrack
