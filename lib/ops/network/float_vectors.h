// SPDX-License-Identifier: LGPL-2.1-or-later
// Vectors of floats for bodies that are compiled twice, see core/processor.h.
#pragma once

#include <cstring>

namespace cltrack {

using Floats4 [[gnu::vector_size(16)]] = float;  // that every processor has
using Floats8 [[gnu::vector_size(32)]] = float;  // of AVX2

template <typename Floats>
inline constexpr int kFloats = sizeof(Floats) / sizeof(float);

template <typename Floats>
[[gnu::always_inline]] inline void load(Floats& to, const float* from) {
  std::memcpy(&to, from, sizeof(to));
}

}  // namespace cltrack
