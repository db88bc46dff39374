// SPDX-License-Identifier: LGPL-2.1-or-later
// Random values for the fuzz tests: the same seed gives the same values on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/random.h"

namespace cltrack::test {

class RandomValues {
 public:
  explicit RandomValues(std::uint64_t seed) : random_(seed) {}

  std::uint32_t bits() { return random_.bits(); }
  std::uint64_t wide_bits();
  // Uniform, both ends included.
  int between(int low, int high);
  bool chance(float share) { return random_.uniform() < share; }

  template <typename Range>
  const auto& pick(const Range& range) {
    return range[random_.below(static_cast<std::uint32_t>(std::size(range)))];
  }

  // Any double: mostly of the size of a picture, else an extreme or no number at all.
  double number();

  // Mostly a plain name, else what labels should not be: empty, long, not UTF-8, markup, control
  // characters, writing from right to left, accents without end.
  std::string label();
  // The same without what is not UTF-8: GStreamer refuses that in its structures.
  std::string utf8_label();

 private:
  Random random_;
};

// For the description of an action: short, and printable.
std::string describe_text(const std::string& text);

}  // namespace cltrack::test
