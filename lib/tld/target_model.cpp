// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/target_model.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace cltrack {
namespace {

constexpr float kLatticeStep = 0.2f;
constexpr float kShortest = 0.2f;
constexpr float kLongest = 1.2f;

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

}  // namespace cltrack
