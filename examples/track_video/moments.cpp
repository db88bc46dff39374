// SPDX-License-Identifier: LGPL-2.1-or-later
#include "moments.h"

#include <algorithm>
#include <limits>

namespace track_video {
namespace {

// The others are the first frame, the last one, and some in between: without these the sheet of a
// target that flickers at the start would have nothing of the rest.
constexpr std::size_t kOthers = 6;
constexpr std::size_t kMostChanges = Moments::kMost - kOthers;
constexpr std::size_t kMostEven = 2 * Moments::kUsual;

using ByFrame = std::map<std::uint64_t, Moment>;

// How far `frame` is from the nearest one that is chosen.
std::uint64_t distance(const ByFrame& chosen, std::uint64_t frame) {
  auto nearest = std::numeric_limits<std::uint64_t>::max();
  for (const auto& [other, moment] : chosen) {
    nearest = std::min(nearest, other > frame ? other - frame : frame - other);
  }
  return nearest;
}

}  // namespace

void Moments::add(Moment moment, std::function<Picture()> take) {
  const bool wanted = is_wanted(moment);
  if (wanted) {
    moment.picture = take();
    if (moment.change != Change::none) keep_change(moment);
    if (frames_ % even_step_ == 0) keep_even(moment);
  }
  latest_ = std::move(moment);
  take_latest_ = wanted ? nullptr : std::move(take);
  ++frames_;
}

bool Moments::is_wanted(const Moment& moment) const {
  if (frames_ % even_step_ == 0) return true;
  return moment.change != Change::none &&
         (changes_.size() < kMostChanges ||
          Rank{moment.turn, moment.frame} < changes_.rbegin()->first);
}

void Moments::keep_change(const Moment& moment) {
  changes_.emplace(Rank{moment.turn, moment.frame}, moment);
  if (changes_.size() > kMostChanges) changes_.erase(std::prev(changes_.end()));
}

void Moments::keep_even(const Moment& moment) {
  even_.push_back(moment);
  if (even_.size() <= kMostEven) return;
  std::vector<Moment> thinned;
  for (std::size_t i = 0; i < even_.size(); i += 2) thinned.push_back(std::move(even_[i]));
  even_ = std::move(thinned);
  even_step_ *= 2;
}

void Moments::complete_latest() {
  if (take_latest_ == nullptr) return;
  latest_->picture = take_latest_();
  take_latest_ = nullptr;
}

std::vector<Moment> Moments::chosen() {
  if (!latest_) return {};
  complete_latest();
  ByFrame chosen{{even_.front().frame, even_.front()}, {latest_->frame, *latest_}};
  for (const auto& [rank, moment] : changes_) chosen.emplace(moment.frame, moment);
  const std::size_t count = std::max(kUsual, changes_.size() + kOthers);
  while (chosen.size() < count) {
    const auto farthest = std::ranges::max_element(
        even_, {}, [&chosen](const Moment& moment) { return distance(chosen, moment.frame); });
    if (distance(chosen, farthest->frame) == 0) break;  // all frames are there
    chosen.emplace(farthest->frame, *farthest);
  }
  std::vector<Moment> moments;
  for (auto& [frame, moment] : chosen) moments.push_back(std::move(moment));
  return moments;
}

}  // namespace track_video
