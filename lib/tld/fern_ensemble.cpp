// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/fern_ensemble.h"

#include <algorithm>
#include <cmath>

#include "ops/fern_update.h"

namespace cltrack {
namespace {

constexpr float kLatticeStep = 0.2f;
constexpr float kShortest = 0.2f;
constexpr float kLongest = 1.2f;
constexpr std::size_t kBlocks = 10;

}  // namespace

FernEnsemble::FernEnsemble(const TldConfig& config, Random& random)
    : tables_(config.ferns, config.pairs) {
  // Starting points: the lattice {0, .2, ..., 1} in both directions, and the same moved by .1, each
  // with a partner to the right, to the left, below and above.
  const auto wanted = static_cast<std::size_t>(config.ferns * config.pairs);
  const auto add_lattice = [&](float offset, std::vector<UnitPair>& all) {
    for (int j = 0; j <= 5; ++j) {
      for (int i = 0; i <= 5; ++i) {
        const float x = static_cast<float>(i) * kLatticeStep + offset;
        const float y = static_cast<float>(j) * kLatticeStep + offset;
        if (x <= 0 || x >= 1 || y <= 0 || y >= 1) continue;
        const auto end = [&](float from, float sign) {
          return std::clamp(from + sign * random.uniform(kShortest, kLongest), 0.0f, 1.0f);
        };
        all.push_back({x, y, end(x, 1), y});
        all.push_back({x, y, end(x, -1), y});
        all.push_back({x, y, x, end(y, 1)});
        all.push_back({x, y, x, end(y, -1)});
      }
    }
  };
  while (pairs_.size() < wanted) {
    std::vector<UnitPair> all;
    add_lattice(0, all);
    add_lattice(0.5f * kLatticeStep, all);
    random.shuffle(all);
    pairs_.insert(pairs_.end(), all.begin(), all.end());
  }
  pairs_.resize(wanted);
}

std::vector<PixelPair> FernEnsemble::pairs_for(int width, int height) const {
  const auto at = [](float fraction, int size) {
    return static_cast<std::int16_t>(std::floor(fraction * static_cast<float>(size - 1) + 0.5f));
  };
  std::vector<PixelPair> result;
  result.reserve(pairs_.size());
  for (const UnitPair& pair : pairs_) {
    result.push_back(
        {at(pair.x1, width), at(pair.y1, height), at(pair.x2, width), at(pair.y2, height)});
  }
  return result;
}

void FernEnsemble::train(std::span<const std::uint16_t> codes,
                         std::span<const std::uint8_t> positive, float positive_score, int passes) {
  const auto each = static_cast<std::size_t>(ferns());
  std::vector<std::uint16_t> ordered_codes;
  std::vector<std::uint8_t> ordered_positive;
  ordered_codes.reserve(codes.size());
  ordered_positive.reserve(positive.size());
  const std::size_t block = (positive.size() + kBlocks - 1) / kBlocks;
  for (std::size_t start = 0; start < block; ++start) {
    for (std::size_t i = start; i < positive.size(); i += block) {
      const auto first = codes.begin() + static_cast<std::ptrdiff_t>(i * each);
      ordered_codes.insert(ordered_codes.end(), first, first + static_cast<std::ptrdiff_t>(each));
      ordered_positive.push_back(positive[i]);
    }
  }
  const float full = static_cast<float>(each) * kPosteriorOne;
  for (int pass = 0; pass < passes; ++pass) {
    update_ferns(tables_, {ordered_codes, ordered_positive},
                 static_cast<std::uint32_t>(positive_score * full),
                 static_cast<std::uint32_t>(0.5f * full));
  }
}

float FernEnsemble::confidence(const std::uint16_t* codes) const {
  return static_cast<float>(tables_.score(codes)) /
         (static_cast<float>(ferns()) * static_cast<float>(kPosteriorOne));
}

}  // namespace cltrack
