// SPDX-License-Identifier: LGPL-2.1-or-later
#include "compute/byte_ranges.h"

#include <algorithm>

namespace cltrack {

void ByteRanges::add(ByteRange range) {
  if (range.begin >= range.end) return;
  const auto first = std::ranges::find_if(
      ranges_, [&](const ByteRange& other) { return other.end >= range.begin; });
  const auto last = std::find_if(first, ranges_.end(),
                                 [&](const ByteRange& other) { return other.begin > range.end; });
  if (first != last) {
    range.begin = std::min(range.begin, first->begin);
    range.end = std::max(range.end, (last - 1)->end);
  }
  ranges_.insert(ranges_.erase(first, last), range);
  if (ranges_.size() <= kMost) return;
  const auto gap = [&](std::size_t i) { return ranges_[i + 1].begin - ranges_[i].end; };
  std::size_t smallest = 0;
  for (std::size_t i = 1; i + 1 < ranges_.size(); ++i) {
    if (gap(i) < gap(smallest)) smallest = i;
  }
  ranges_[smallest].end = ranges_[smallest + 1].end;
  ranges_.erase(ranges_.begin() + static_cast<std::ptrdiff_t>(smallest) + 1);
}

void ByteRanges::clip(std::size_t size) {
  std::erase_if(ranges_, [&](const ByteRange& range) { return range.begin >= size; });
  if (!ranges_.empty()) ranges_.back().end = std::min(ranges_.back().end, size);
}

}  // namespace cltrack
