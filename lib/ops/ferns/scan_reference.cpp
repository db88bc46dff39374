// SPDX-License-Identifier: LGPL-2.1-or-later
#include <array>

#include "ops/ferns/scan.h"

namespace cltrack {

std::vector<std::int32_t> linear_offsets(std::span<const PixelPair> pairs, std::ptrdiff_t stride) {
  std::vector<std::int32_t> offsets;
  offsets.reserve(2 * pairs.size());
  for (const PixelPair& pair : pairs) {
    offsets.push_back(static_cast<std::int32_t>(pair.y1 * stride + pair.x1));
    offsets.push_back(static_cast<std::int32_t>(pair.y2 * stride + pair.x2));
  }
  return offsets;
}

void reference::scan_rows(const ImageView& blurred, const IntegralView& integrals,
                          const ScanSize& size, const PosteriorView& tables,
                          std::uint32_t minimum_score, const WindowRange& windows,
                          CandidateList& candidates) {
  const std::vector<std::int32_t> offsets = linear_offsets(size.pairs, blurred.stride);
  std::array<std::uint16_t, kMaxFerns> codes;
  for (int r = windows.first_row; r < windows.last_row; ++r) {
    const int y = size.ys[static_cast<std::size_t>(r)];
    const std::uint8_t* row = blurred.row(y);
    const std::uint32_t row_index =
        size.first + static_cast<std::uint32_t>(r * std::ssize(size.xs));
    const WindowRange::Columns columns = windows.columns(r, static_cast<int>(size.xs.size()));
    const auto last_column = static_cast<std::size_t>(columns.last);
    for (auto c = static_cast<std::size_t>(columns.first); c < last_column; ++c) {
      const int x = size.xs[c];
      if (scaled_variance(integrals, x, y, size.width, size.height) < size.minimum_variance)
        continue;
      const std::uint8_t* window = row + x;
      const std::int32_t* offset = offsets.data();
      const std::uint16_t* posteriors = tables.posteriors;
      std::uint32_t score = 0;
      for (int f = 0; f < tables.ferns; ++f) {
        // Posteriors of 1 of all other ferns would not be enough.
        const auto left = static_cast<std::uint32_t>(tables.ferns - f) * kPosteriorOne;
        if (score + left < minimum_score) break;
        std::uint32_t code = 0;
        for (int p = 0; p < tables.pairs; ++p, offset += 2) {
          code = 2 * code + (window[offset[0]] > window[offset[1]] ? 1u : 0u);
        }
        codes[static_cast<std::size_t>(f)] = static_cast<std::uint16_t>(code);
        score += posteriors[code];
        posteriors += std::size_t{1} << tables.pairs;
      }
      if (score < minimum_score) continue;
      candidates.windows.push_back({row_index + static_cast<std::uint32_t>(c), score});
      candidates.codes.insert(candidates.codes.end(), codes.begin(), codes.begin() + tables.ferns);
    }
  }
}

}  // namespace cltrack
