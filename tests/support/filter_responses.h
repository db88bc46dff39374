// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace cltrack::test {

// Responses of a filter or of colours, by where the target went, which is modulo 32 cells.
class FilterResponses {
 public:
  static constexpr int kSide = 32;

  explicit FilterResponses(float value = 0) : values_(std::size_t{kSide} * kSide, value) {}
  float& at(int x, int y) {
    return values_[static_cast<std::size_t>((x + kSide) % kSide * kSide + (y + kSide) % kSide)];
  }
  operator std::span<const float>() const { return values_; }  // NOLINT

 private:
  std::vector<float> values_;
};

}  // namespace cltrack::test
