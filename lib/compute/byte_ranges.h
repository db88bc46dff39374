// SPDX-License-Identifier: LGPL-2.1-or-later
// A set of byte ranges: the parts of an array that are outdated in a device's copy.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace cltrack {

struct ByteRange {
  std::size_t begin = 0;
  std::size_t end = 0;

  std::size_t size() const { return end - begin; }
  friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

// Ascending and disjoint. Each range costs one copy command: beyond kMost ranges, the two with the
// smallest gap are merged.
class ByteRanges {
 public:
  static constexpr std::size_t kMost = 16;

  bool empty() const { return ranges_.empty(); }
  std::span<const ByteRange> all() const { return ranges_; }
  // The range that spans all; must not be empty.
  ByteRange bounds() const { return {ranges_.front().begin, ranges_.back().end}; }

  void add(ByteRange range);
  // Removes what lies after the first `size` bytes.
  void clip(std::size_t size);
  void clear() { ranges_.clear(); }

 private:
  std::vector<ByteRange> ranges_;
};

}  // namespace cltrack
