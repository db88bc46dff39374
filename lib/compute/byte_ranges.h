// SPDX-License-Identifier: LGPL-2.1-or-later
// A few parts of a block of bytes: which of them a device's copy lacks.
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

// Rising, apart from each other. Every copy is a command: beyond kMost ranges, those with the least
// between them become one.
class ByteRanges {
 public:
  static constexpr std::size_t kMost = 16;

  bool empty() const { return ranges_.empty(); }
  std::span<const ByteRange> all() const { return ranges_; }
  // From the first byte of the first one to the last one's last; there must be one.
  ByteRange bounds() const { return {ranges_.front().begin, ranges_.back().end}; }

  void add(ByteRange range);
  // Forgets what lies behind the first `size` bytes.
  void clip(std::size_t size);
  void clear() { ranges_.clear(); }

 private:
  std::vector<ByteRange> ranges_;
};

}  // namespace cltrack
