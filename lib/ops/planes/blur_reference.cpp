// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/planes/blur.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace cltrack {
namespace {

// One row of src, blurred horizontally into 8.8 fixed point; at most 255 * 256, so 16 bits do.
void blur_row(const std::uint8_t* src, int width, std::uint8_t* padded, std::uint16_t* dst) {
  std::fill_n(padded, kBlurRadius, src[0]);
  std::copy_n(src, width, padded + kBlurRadius);
  std::fill_n(padded + kBlurRadius + width, kBlurRadius, src[width - 1]);
  const std::uint8_t* center = padded + kBlurRadius;
  for (int x = 0; x < width; ++x) {
    int sum = kBlurWeights[0] * center[x];
    for (int k = 1; k <= kBlurRadius; ++k) sum += kBlurWeights[k] * (center[x - k] + center[x + k]);
    dst[x] = static_cast<std::uint16_t>(sum);
  }
}

}  // namespace

void reference::blur(const ImageView& src, int begin, int end, std::uint8_t* dst) {
  const int width = src.width;
  const int first = std::max(0, begin - kBlurRadius);
  const int last = std::min(end + kBlurRadius, src.height) - 1;
  // Rows first ... last blurred horizontally.
  std::vector<std::uint16_t> rows_in_between(static_cast<std::size_t>(width) *
                                             static_cast<std::size_t>(last - first + 1));
  std::vector<std::uint8_t> padded(static_cast<std::size_t>(width) + 2 * kBlurRadius);
  const auto row = [&](int y) {
    return rows_in_between.data() +
           static_cast<std::ptrdiff_t>(std::clamp(y, first, last) - first) * width;
  };
  for (int y = first; y <= last; ++y) blur_row(src.row(y), width, padded.data(), row(y));

  for (int y = begin; y < end; ++y) {
    const std::uint16_t* rows[2 * kBlurRadius + 1];
    for (int k = -kBlurRadius; k <= kBlurRadius; ++k) rows[k + kBlurRadius] = row(y + k);
    std::uint8_t* out = dst + static_cast<std::ptrdiff_t>(y) * width;
    for (int x = 0; x < width; ++x) {
      std::uint32_t sum = std::uint32_t{kBlurWeights[0]} * rows[kBlurRadius][x] + 0x8000;
      for (int k = 1; k <= kBlurRadius; ++k) {
        sum += std::uint32_t{kBlurWeights[k]} *
               (std::uint32_t{rows[kBlurRadius - k][x]} + rows[kBlurRadius + k][x]);
      }
      out[x] = static_cast<std::uint8_t>(sum >> 16);
    }
  }
}

}  // namespace cltrack
