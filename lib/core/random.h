// SPDX-License-Identifier: LGPL-2.1-or-later
// The random number generator of all trackers. The same seed gives the same numbers with every
// compiler and standard library, which std::uniform_*_distribution and std::shuffle do not promise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace cltrack {

class Random {
 public:
  explicit Random(std::uint64_t seed)
      : engine_(static_cast<std::mt19937::result_type>(seed ^ (seed >> 32))) {}

  std::uint32_t bits() { return static_cast<std::uint32_t>(engine_()); }

  // Uniform in [0, 1).
  float uniform() { return static_cast<float>(bits() >> 8) * 0x1p-24f; }

  // Uniform in [low, high).
  float uniform(float low, float high) { return low + (high - low) * uniform(); }

  // Uniform in [0, count); count > 0.
  std::uint32_t below(std::uint32_t count) {
    return static_cast<std::uint32_t>((std::uint64_t{bits()} * count) >> 32);
  }

  template <typename T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i) {
      std::swap(items[i - 1], items[below(static_cast<std::uint32_t>(i))]);
    }
  }

  friend bool operator==(const Random&, const Random&) = default;

 private:
  std::mt19937 engine_;
};

}  // namespace cltrack
