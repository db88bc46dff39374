// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/color/color_sums.h"

namespace cltrack {

void add_run(ColorSum& sum, const ColorRun& run) {
  const auto count = static_cast<std::uint64_t>(run.right - run.left);
  sum.count += count;
  // left + ... + (right - 1); either the number of them or the sum of the ends is even.
  sum.sum_x += count * static_cast<std::uint64_t>(run.left + run.right - 1) / 2;
  sum.sum_y += count * static_cast<std::uint64_t>(run.y);
  sum.left = std::min(sum.left, run.left);
  sum.right = std::max(sum.right, run.right);
  sum.top = std::min(sum.top, run.y);
  sum.bottom = std::max(sum.bottom, run.y + 1);
}

void add_sum(ColorSum& sum, const ColorSum& other) {
  sum.count += other.count;
  sum.sum_x += other.sum_x;
  sum.sum_y += other.sum_y;
  sum.left = std::min(sum.left, other.left);
  sum.right = std::max(sum.right, other.right);
  sum.top = std::min(sum.top, other.top);
  sum.bottom = std::max(sum.bottom, other.bottom);
}

void reference::color_sums(const ColorPicture& picture, const std::uint8_t* table, int first_row,
                           int last_row, std::vector<std::uint8_t>& labels,
                           std::span<ColorSum> sums) {
  for_each_run(picture, table, first_row, last_row, labels, [&](const ColorRun& run) {
    const auto object = static_cast<std::size_t>(run.label - 1);
    if (object < sums.size()) add_run(sums[object], run);
  });
}

}  // namespace cltrack
