// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/scan.h"

namespace cltrack {
namespace {

// Offsets of the pixel pairs from the window's first pixel, two for each pair.
std::vector<std::int32_t> linear_offsets(std::span<const PixelPair> pairs, std::ptrdiff_t stride) {
  std::vector<std::int32_t> offsets;
  offsets.reserve(2 * pairs.size());
  for (const PixelPair& pair : pairs) {
    offsets.push_back(static_cast<std::int32_t>(pair.y1 * stride + pair.x1));
    offsets.push_back(static_cast<std::int32_t>(pair.y2 * stride + pair.x2));
  }
  return offsets;
}

}  // namespace

void scan_rows(const ImageView& blurred, const Integrals& integrals, const ScanSize& size,
               const FernTables& tables, std::uint32_t minimum_score, int first_row, int last_row,
               std::vector<Candidate>& candidates) {
  const std::vector<std::int32_t> offsets = linear_offsets(size.pairs, blurred.stride);
  const std::size_t columns = size.xs.size();
  for (int r = first_row; r < last_row; ++r) {
    const int y = size.ys[static_cast<std::size_t>(r)];
    const std::uint8_t* row = blurred.row(y);
    const std::uint32_t row_index =
        size.first + static_cast<std::uint32_t>(r * std::ssize(size.xs));
    for (std::size_t c = 0; c < columns; ++c) {
      const int x = size.xs[c];
      if (scaled_variance(integrals, x, y, size.width, size.height) < size.minimum_variance)
        continue;
      const std::uint8_t* window = row + x;
      const std::int32_t* offset = offsets.data();
      const std::uint16_t* posteriors = tables.posteriors.data();
      std::uint32_t score = 0;
      for (int f = 0; f < tables.ferns; ++f) {
        // What the ferns left could add at most is not enough: the answer is known.
        const auto left = static_cast<std::uint32_t>(tables.ferns - f) * kPosteriorOne;
        if (score + left < minimum_score) break;
        std::uint32_t code = 0;
        for (int p = 0; p < tables.pairs; ++p, offset += 2) {
          code = 2 * code + (window[offset[0]] > window[offset[1]] ? 1u : 0u);
        }
        score += posteriors[code];
        posteriors += std::size_t{1} << tables.pairs;
      }
      if (score >= minimum_score)
        candidates.push_back({row_index + static_cast<std::uint32_t>(c), score});
    }
  }
}

}  // namespace cltrack
