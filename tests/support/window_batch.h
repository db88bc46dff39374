// SPDX-License-Identifier: LGPL-2.1-or-later
// Windows of several targets on one picture, as ops that take batches get them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "support/scan_setup.h"

namespace cltrack::test {

struct WindowBatch {
  // A target for each of `sides`, one without windows for 0.
  WindowBatch(const PaddedImage& picture, std::span<const int> sides, int ferns, int pairs)
      : image(picture) {
    for (const int side : sides) {
      Target target;
      target.first_size = static_cast<int>(sizes.size());
      target.first_window = count;
      if (side > 0) {
        target.setup = std::make_unique<ScanSetup>(picture, side, ferns, pairs);
        target.window_count = target.setup->count();
        target.size_count = static_cast<int>(target.setup->sizes.size());
        for (ScanSize size : target.setup->sizes) {
          size.first += count;
          sizes.push_back(size);
        }
      }
      count += target.window_count;
      targets.push_back(std::move(target));
    }
    windows.assign(sizes);
  }

  struct Target {
    std::unique_ptr<ScanSetup> setup;  // null if it has no windows
    std::uint32_t first_window = 0;
    std::uint32_t window_count = 0;
    int first_size = 0;
    int size_count = 0;

    LearnJob job() const {
      LearnJob result = {};
      result.first_window = first_window;
      result.window_count = window_count;
      result.first_size = first_size;
      result.size_count = size_count;
      return result;
    }
  };

  PaddedImage image;
  std::vector<Target> targets;
  std::vector<ScanSize> sizes;
  std::uint32_t count = 0;
  ScanWindows windows;
};

// Batches of 1, 2 and 7 targets of different sizes, some without windows.
inline std::vector<std::vector<int>> batches_of_sides() {
  return {{24}, {0}, {17, 30}, {15, 0, 24, 33, 17, 60, 20}};
}

}  // namespace cltrack::test
