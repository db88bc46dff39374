// SPDX-License-Identifier: LGPL-2.1-or-later
// Vectors for bodies that are compiled twice, see core/processor.h.
#pragma once

#include <cstdint>
#include <cstring>

namespace cltrack {

using Bytes4 [[gnu::vector_size(4)]] = std::uint8_t;
using Bytes8 [[gnu::vector_size(8)]] = std::uint8_t;
using Bytes16 [[gnu::vector_size(16)]] = std::uint8_t;
using Words8 [[gnu::vector_size(16)]] = std::uint16_t;
using Words16 [[gnu::vector_size(32)]] = std::uint16_t;
using Ints4 [[gnu::vector_size(16)]] = std::uint32_t;
using Ints8 [[gnu::vector_size(32)]] = std::uint32_t;
using Floats4 [[gnu::vector_size(16)]] = float;
using Floats8 [[gnu::vector_size(32)]] = float;

// As many lanes as there are words in a vector.
struct Narrow {  // vectors that every processor has
  using Bytes = Bytes8;
  using Words = Words8;
  using Ints = Ints4;
  using HalfBytes = Bytes4;
};
struct Wide {  // those of AVX2
  using Bytes = Bytes16;
  using Words = Words16;
  using Ints = Ints8;
  using HalfBytes = Bytes8;
};

template <typename Floats>
inline constexpr int kFloats = sizeof(Floats) / sizeof(float);

template <typename Floats>
[[gnu::always_inline]] inline void load(Floats& to, const float* from) {
  std::memcpy(&to, from, sizeof(to));
}

}  // namespace cltrack
