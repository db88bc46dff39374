// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/fern_ensemble.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "cltrack/error.h"
#include "core/log.h"

namespace cltrack {
namespace {

constexpr float kLatticeStep = 0.2f;
constexpr float kShortest = 0.2f;
constexpr float kLongest = 1.2f;
constexpr int kBlocks = 10;

// So many frames of learning may be lost with a device. The copy of 0.8 MB is a tenth of a
// millisecond of a frame's time.
constexpr int kLessonsPerSave = 60;

}  // namespace

FernEnsemble::FernEnsemble(const TldConfig& config, Random& random)
    : saved_(config.ferns, config.pairs) {
  tables_.assign(saved_);
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

void FernEnsemble::train(Queue& queue, const FernSampleArrays& samples, int passes) {
  order_samples(queue, samples, kBlocks, order_);
  learn(queue, samples, passes);
}

void FernEnsemble::train(Queue& queue, FernSampleArrays& samples,
                         std::span<const std::uint32_t> order, int passes) {
  order_.resize(order.size());
  const std::size_t block = (order.size() + kBlocks - 1) / kBlocks;
  auto learnt = order_.host_write().begin();
  for (std::size_t start = 0; start < block; ++start) {
    for (std::size_t i = start; i < order.size(); i += block) *learnt++ = order[i];
  }
  samples.sample_count.host_write()[0] = static_cast<std::uint32_t>(order.size());
  learn(queue, samples, passes);
}

void FernEnsemble::learn(Queue& queue, const FernSampleArrays& samples, int passes) {
  update_ferns(queue, samples, order_, negative_score(), passes, tables_);
  if (queue.is_host() || ++unsaved_ < kLessonsPerSave) return;
  tables_.fetch();
  saving_ = true;
}

float FernEnsemble::confidence(const std::uint16_t* codes) {
  return static_cast<float>(tables_.host_view().score(codes)) /
         (static_cast<float>(ferns()) * static_cast<float>(kPosteriorOne));
}

void FernEnsemble::save() {
  if (!saving_) return;
  saving_ = false;
  tables_.read(0, saved_);
  unsaved_ = 0;
}

void FernEnsemble::leave_devices() {
  try {
    FernTables latest;
    tables_.read(0, latest);
    saved_ = std::move(latest);
  } catch (const Error& error) {
    log(LogLevel::warning, "the last " + std::to_string(unsaved_) +
                               " frames that the ferns learnt from are lost: " + error.what());
  }
  tables_ = FernTableArrays();
  tables_.assign(saved_);
  order_ = {};
  unsaved_ = 0;
  saving_ = false;
}

}  // namespace cltrack
