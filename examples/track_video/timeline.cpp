// SPDX-License-Identifier: LGPL-2.1-or-later
#include "timeline.h"

#include <algorithm>
#include <utility>

namespace track_video {
namespace {

void count(PartTrack& part, const Row& row) {
  if (row.state == cltrack::TrackState::lost) {
    ++part.lost;
    return;
  }
  ++(row.state == cltrack::TrackState::tracking ? part.tracking : part.uncertain);
  part.lowest = std::min(part.lowest, row.confidence);
  part.highest = std::max(part.highest, row.confidence);
  part.sum += static_cast<double>(row.confidence);
}

void merge(PartTrack& into, const PartTrack& other) {
  into.tracking += other.tracking;
  into.uncertain += other.uncertain;
  into.lost += other.lost;
  into.lowest = std::min(into.lowest, other.lowest);
  into.highest = std::max(into.highest, other.highest);
  into.sum += other.sum;
}

}  // namespace

void Timeline::add(std::span<const Row> rows) {
  if (frames_ % part_frames_ == 0) {
    if (parts_.size() == kMostParts) merge_pairs();
    parts_.push_back({rows.front().frame, rows.front().seconds, {}});
    parts_.back().tracks.resize(rows.size());
  }
  ++frames_;
  for (std::size_t i = 0; i < rows.size(); ++i) count(parts_.back().tracks[i], rows[i]);
}

void Timeline::merge_pairs() {
  std::vector<Part> merged;
  for (std::size_t i = 0; i < parts_.size(); i += 2) {
    merged.push_back(std::move(parts_[i]));
    for (std::size_t target = 0; target < merged.back().tracks.size(); ++target) {
      merge(merged.back().tracks[target], parts_[i + 1].tracks[target]);
    }
  }
  parts_ = std::move(merged);
  part_frames_ *= 2;
}

}  // namespace track_video
