// SPDX-License-Identifier: LGPL-2.1-or-later
#include "color/color_object.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace cltrack {
namespace {

constexpr float kVelocityRate = 0.5f;  // share of the latest motion in the velocity

}  // namespace

ExpectedBlob ColorObject::expect(const Followed& followed, const ColorConfig& config, bool motion) {
  const Track& track = followed.track;
  ExpectedBlob expected;
  expected.lost = !track.has_box();
  expected.place = followed.place;
  if (config.blobs == 0) expected.lost = true;       // all blobs are its own
  if (followed.baseline_area <= 0) return expected;  // never found: anywhere
  if (motion && track.has_box()) {
    expected.place.x += followed.velocity.x;
    expected.place.y += followed.velocity.y;
  }
  const float frames = static_cast<float>(followed.missing + 1);
  expected.reach = config.reach * followed.last_diagonal * std::min(frames, 100.0f);
  return expected;
}

void ColorObject::observe(Followed& followed, const ColorSum& sum, const ColorConfig& config,
                          std::int64_t pts, bool motion) {
  Track& track = followed.track;
  const auto [x, y] = centroid_of(sum);
  if (motion && track.has_box()) {
    followed.velocity.x += kVelocityRate * (x - followed.place.x - followed.velocity.x);
    followed.velocity.y += kVelocityRate * (y - followed.place.y - followed.velocity.y);
  } else {
    followed.velocity = {};
  }
  const auto area = static_cast<double>(sum.count);
  if (followed.baseline_area <= 0) followed.baseline_area = area;
  const double ratio = std::min(area / followed.baseline_area, followed.baseline_area / area);
  followed.baseline_area += static_cast<double>(config.area_rate) * (area - followed.baseline_area);
  track.box = {static_cast<float>(sum.left), static_cast<float>(sum.top),
               static_cast<float>(sum.right - sum.left), static_cast<float>(sum.bottom - sum.top)};
  followed.place = {x, y};
  followed.sum = sum;
  track.extent = {.area = sum.count, .centroid = followed.place, .trail = {}};
  track.confidence = static_cast<float>(ratio);
  track.state = track.confidence < config.area_ratio ? TrackState::uncertain : TrackState::tracking;
  track.last_seen = pts;
  track.reason = "";
  followed.last_diagonal = std::hypot(track.box.width, track.box.height);
  followed.missing = 0;
}

// Its place is kept: it may reappear there.
void ColorObject::lose(Followed& followed, const char* reason) {
  Track& track = followed.track;
  if (track.has_box() || followed.missing == 0) track.reason = reason;
  track.box = {};
  track.confidence = 0;
  track.extent.reset();
  followed.sum = kNoColorSum;
  track.state = TrackState::lost;
  ++followed.missing;
}

void ColorObject::follow(std::span<const ColorBlob> blobs, const Track& first,
                         const std::optional<TrackPoint>& place, const ColorConfig& config,
                         std::int64_t pts, bool motion,
                         const std::function<std::uint64_t()>& next_id) {
  if (tracks_.empty()) {
    Followed& followed = tracks_.emplace_back();
    followed.track.id = first.id;
    followed.track.label = first.label;
  }
  if (config.blobs == 0) {  // all of the colour, or nothing
    Followed& only = tracks_.front();
    blobs.empty() ? lose(only, "area") : observe(only, blobs.front().sum, config, pts, motion);
    ++only.track.age;
    return;
  }
  std::vector<ExpectedBlob> expected;
  for (const Followed& followed : tracks_) expected.push_back(expect(followed, config, motion));
  if (place) {
    tracks_.front().place = expected.front().place = *place;
    tracks_.front().velocity = {};
    expected.front().chosen = true;
  }
  const std::vector<int> matched = match_blobs(expected, blobs);
  std::vector<bool> taken(blobs.size());
  for (std::size_t t = 0; t < tracks_.size(); ++t) {
    if (matched[t] == kNoBlob) continue;
    const auto blob = static_cast<std::size_t>(matched[t]);
    observe(tracks_[t], blobs[blob].sum, config, pts, motion && !expected[t].chosen);
    taken[blob] = true;
  }
  const bool is_any_left = std::ranges::find(taken, false) != taken.end();
  for (std::size_t t = 0; t < tracks_.size(); ++t) {
    if (matched[t] == kNoBlob) lose(tracks_[t], is_any_left ? "reach" : "area");
  }
  // The remaining blobs become new objects, the largest first.
  std::vector<std::size_t> fresh;
  for (std::size_t b = 0; b < blobs.size(); ++b) {
    if (!taken[b]) fresh.push_back(b);
  }
  std::stable_sort(fresh.begin(), fresh.end(), [&](std::size_t a, std::size_t b) {
    return blobs[a].sum.count > blobs[b].sum.count;
  });
  for (const std::size_t b : fresh) {
    if (std::ssize(tracks_) >= std::max(1, config.blobs)) break;
    Followed followed;
    followed.track.id = next_id();
    followed.track.label = first.label;
    observe(followed, blobs[b].sum, config, pts, false);
    tracks_.push_back(std::move(followed));
  }
  for (Followed& followed : tracks_) ++followed.track.age;
}

void ColorObject::rescale(float scale_x, float scale_y) {
  for (Followed& followed : tracks_) {
    followed.place.x *= scale_x;
    followed.place.y *= scale_y;
    followed.velocity.x *= scale_x;
    followed.velocity.y *= scale_y;
    followed.last_diagonal *= std::sqrt(scale_x * scale_y);
    followed.baseline_area *= static_cast<double>(scale_x) * static_cast<double>(scale_y);
  }
}

void ColorObject::append_sums(int places, std::vector<ColorSum>& sums) const {
  for (const Followed& followed : tracks_) sums.push_back(followed.sum);
  sums.resize(sums.size() + static_cast<std::size_t>(places) - tracks_.size(), kNoColorSum);
}

void ColorObject::append_tracks(std::vector<Track>& tracks) const {
  for (const Followed& followed : tracks_) tracks.push_back(followed.track);
}

}  // namespace cltrack
