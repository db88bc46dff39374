// SPDX-License-Identifier: LGPL-2.1-or-later
// Runs: neighbouring pixels of a row with the same label, of which sums and blobs are made. A
// picture has far fewer runs than pixels.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "compute/array.h"
#include "ops/color/color_labels.h"
#include "ops/color/color_planes.h"

namespace cltrack {

struct ColorRun {
  int y = 0;
  int left = 0;  // pixels [left, right)
  int right = 0;
  int label = 0;  // never 0

  friend bool operator==(const ColorRun&, const ColorRun&) = default;
};

// What ops on colours keep from picture to picture, so that nothing is allocated.
struct ColorScratch {
  // Of rows that a thread of the host works on.
  struct Part {
    std::vector<std::uint8_t> labels;  // of a row
    std::vector<ColorSum> sums;
    std::vector<ColorRun> runs;
  };

  std::vector<Part> parts;
  // Of a device.
  Array<std::uint8_t> labels;
  Array<std::uint32_t> partial_sums;

  // Calls body(part, first_row, last_row) for all rows of a picture, on the threads of the host.
  template <typename Body>
  void run_parts(Queue& host, int height, const Body& body) {
    constexpr int kPartsOfThread = 4;  // rows with more runs take longer
    const int count = host.threads() > 1 ? kPartsOfThread * host.threads() : 1;
    parts.resize(static_cast<std::size_t>(count));
    host.run(count, [&](int i) {
      body(parts[static_cast<std::size_t>(i)], height * i / count, height * (i + 1) / count);
    });
  }
};

// The runs of a picture, row by row and from left to right. A device makes the labels, and the
// threads of `host` make runs of them: waits for the device. `table` has kColorCells entries.
// Throws Error.
void color_runs(Queue& queue, Queue& host, const ColorPlanes& planes,
                const Array<std::uint8_t>& table, ColorScratch& scratch,
                std::vector<ColorRun>& runs);

// End of the run that begins at `from`: eight labels are compared at a time.
inline int run_end(const std::uint8_t* labels, int from, int width) {
  const std::uint8_t label = labels[from];
  const std::uint64_t pattern = 0x0101010101010101ull * label;
  int x = from + 1;
  for (; x + 8 <= width; x += 8) {
    std::uint64_t eight;
    std::memcpy(&eight, labels + x, 8);
    if (const std::uint64_t different = eight ^ pattern; different != 0) {
      if constexpr (std::endian::native == std::endian::little) {
        return x + std::countr_zero(different) / 8;
      } else {
        return x + std::countl_zero(different) / 8;
      }
    }
  }
  while (x < width && labels[x] == label) ++x;
  return x;
}

// Calls visit(run) for each run of a row of labels, from left to right.
template <typename Visit>
void for_each_run(const std::uint8_t* labels, int width, int y, Visit&& visit) {
  for (int x = 0; x < width;) {
    const int end = run_end(labels, x, width);
    if (labels[x] != 0) visit(ColorRun{y, x, end, labels[x]});
    x = end;
  }
}

// The same for the rows [first_row, last_row) of a picture; `labels` is overwritten.
template <typename Visit>
void for_each_run(const ColorPicture& picture, const std::uint8_t* table, int first_row,
                  int last_row, std::vector<std::uint8_t>& labels, Visit&& visit) {
  labels.resize(static_cast<std::size_t>(picture.width));
  for (int y = first_row; y < last_row; ++y) {
    label_row(picture, table, 0, y, picture.width, labels.data());
    for_each_run(labels.data(), picture.width, y, visit);
  }
}

}  // namespace cltrack
