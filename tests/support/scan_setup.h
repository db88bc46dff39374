// SPDX-License-Identifier: LGPL-2.1-or-later
// Scans for tests: windows of three sizes on a picture, random pairs, tables of random posteriors.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "ops/ferns/scan.h"
#include "support/test_image.h"

namespace cltrack::test {

inline CandidateList list_of(CandidateArrays& candidates) {
  candidates.trim();
  const CandidateView view = candidates.host_view();
  return {{view.windows.begin(), view.windows.end()}, {view.codes.begin(), view.codes.end()}};
}

inline WindowRange all_of(const ScanSize& size) {
  return {0, static_cast<int>(size.ys.size()), 0, static_cast<int>(size.xs.size())};
}

struct ScanSetup {
  // Windows of side x 3/4 side, and of larger ones if they fit.
  ScanSetup(PaddedImage picture, int side, int ferns, int pairs, std::uint64_t seed = 17)
      : image(std::move(picture)), tables(ferns, pairs), random(seed) {
    reference::integrate(image.view(), integrals);
    const auto below = [&](int n) {
      return static_cast<std::int16_t>(random.below(static_cast<std::uint32_t>(n)));
    };
    edges.reserve(kSizes);
    all_pairs.reserve(kSizes);
    for (int i = 0; i < kSizes; ++i) {
      const int w = side + i * side / 3, h = std::max(1, w * 3 / 4);
      if (w > image.width() || h > image.height()) break;
      auto& [xs, ys] = edges.emplace_back();
      for (int x = 0; x + w <= image.width(); x += 1 + (x + i) % 3) xs.push_back(x);
      for (int y = 0; y + h <= image.height(); y += 2 + i) ys.push_back(y);
      auto& points = all_pairs.emplace_back();
      for (int p = 0; p < ferns * pairs; ++p) {
        points.push_back({below(w), below(h), below(w), below(h)});
      }
      sizes.push_back({.width = w,
                       .height = h,
                       .xs = xs,
                       .ys = ys,
                       .first = count(),
                       .pairs = points,
                       .minimum_variance = 0});
    }
    for (std::uint16_t& posterior : tables.posteriors) {
      posterior = static_cast<std::uint16_t>(random.below(3) ? 0 : random.below(kPosteriorOne + 1));
    }
  }
  ScanSetup(const ScanSetup&) = delete;

  std::uint32_t count() const {
    return sizes.empty() ? 0
                         : sizes.back().first + static_cast<std::uint32_t>(sizes.back().xs.size() *
                                                                           sizes.back().ys.size());
  }

  // What is to be found: the definition, window by window.
  CandidateList expected(std::uint32_t minimum_score) const {
    return expected(minimum_score, sizes);
  }
  CandidateList expected(std::uint32_t minimum_score, const std::vector<ScanSize>& of) const {
    CandidateList result;
    std::vector<std::uint16_t> codes(static_cast<std::size_t>(tables.ferns));
    for (const ScanSize& size : of) {
      std::uint32_t window = size.first;
      for (const int y : size.ys) {
        for (const int x : size.xs) {
          reference::fern_codes(image.view(), x, y, size.pairs, tables.ferns, codes.data());
          const Candidate found = {window++, PosteriorView(tables).score(codes.data())};
          if (found.score < minimum_score ||
              scaled_variance(integrals, x, y, size.width, size.height) < size.minimum_variance) {
            continue;
          }
          result.windows.push_back(found);
          result.codes.insert(result.codes.end(), codes.begin(), codes.end());
        }
      }
    }
    return result;
  }

  // What a body finds.
  CandidateList scanned(decltype(&reference::scan_rows) body, std::uint32_t minimum_score) const {
    CandidateList result;
    for (const ScanSize& size : sizes) {
      body(image.view(), integrals, size, tables, minimum_score, all_of(size), result);
    }
    return result;
  }

  static constexpr int kSizes = 3;
  PaddedImage image;
  Integrals integrals;
  FernTables tables;
  Random random;
  std::vector<std::pair<std::vector<int>, std::vector<int>>> edges;
  std::vector<std::vector<PixelPair>> all_pairs;
  std::vector<ScanSize> sizes;
};

}  // namespace cltrack::test
