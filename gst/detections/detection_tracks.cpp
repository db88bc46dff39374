// SPDX-License-Identifier: LGPL-2.1-or-later
#include "detections/detection_tracks.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "cltrack/error.h"
#include "core/assignment.h"

namespace cltrack::gst {
namespace {

// Intersection over union.
constexpr float kSame = 0.3f;     // of a track and its detection, at least
constexpr float kTaken = 0.5f;    // of a track and a detection that starts no other, from here on
constexpr float kInPlace = 0.6f;  // of a track and a detection that need not correct it

constexpr float kReach = 1.5f;     // sides that a lost target may be away, and as many each second
constexpr float kLostGain = 0.1f;  // of the nearest one, below that of any track with a box

const CommandOrigin kDetector{.source = CommandSource::metadata};

float distance(const BoundingBox& a, const BoundingBox& b) {
  return std::hypot(a.x + a.width / 2 - b.x - b.width / 2, a.y + a.height / 2 - b.y - b.height / 2);
}

double seconds_between(GstClockTime from, GstClockTime to) {
  if (!GST_CLOCK_TIME_IS_VALID(from) || !GST_CLOCK_TIME_IS_VALID(to) || to < from) return 0;
  return static_cast<double>(to - from) / static_cast<double>(GST_SECOND);
}

}  // namespace

// Whoever was named by an application may have a label of any kind.
float DetectionTracks::gain(const Known& track, const Detection& detection,
                            const DetectionSettings& settings, GstClockTime pts) const {
  if (track.is_ours && track.label != detection.label) return 0;
  if (!track.is_lost) {
    const float same = overlap(track.box, detection.box);
    return same >= kSame ? same : 0;
  }
  if (settings.use == DetectionUse::start || track.label != detection.label) return 0;
  const float side = std::max(track.box.width, track.box.height);
  const float reach = kReach * side * static_cast<float>(1 + seconds_between(track.seen, pts));
  return kLostGain * (1 - distance(track.box, detection.box) / reach);
}

void DetectionTracks::match(const DetectionSettings& settings,
                            std::span<const Detection> detections, GstClockTime pts) {
  std::vector<float> gains;
  std::vector<std::uint64_t> ids;
  for (const auto& [id, track] : tracks_) {
    ids.push_back(id);
    for (const Detection& detection : detections) {
      gains.push_back(gain(track, detection, settings, pts));
    }
  }
  const auto columns =
      assign(gains, static_cast<int>(ids.size()), static_cast<int>(detections.size()));
  for (std::size_t row = 0; row < ids.size(); ++row) {
    if (columns[row]) confirmed_[ids[row]] = static_cast<std::size_t>(*columns[row]);
  }
}

// Puts tracks where they are detected, as far as that is wanted.
void DetectionTracks::follow(const DetectionSettings& settings,
                             std::span<const Detection> detections, GstClockTime pts,
                             TargetSet& targets) {
  for (const auto& [id, index] : confirmed_) {
    Known& track = tracks_[id];
    track.confirmed = pts;
    const std::optional<BoundingBox> box = inside(detections[index].box);
    const bool is_off = settings.use == DetectionUse::start_and_correct && box &&
                        overlap(track.box, *box) < kInPlace;
    if (!box || (!track.is_lost && !is_off)) continue;
    if (targets.place(id, *box)) track.box = *box;
  }
}

bool DetectionTracks::is_on_a_track(const Detection& detection) const {
  return std::ranges::any_of(tracks_, [&](const auto& entry) {
    const Known& track = entry.second;
    return !track.is_lost && (!track.is_ours || track.label == detection.label) &&
           overlap(track.box, detection.box) >= kTaken;
  });
}

// What of a detection can be tracked: detectors find small things, too.
std::optional<BoundingBox> DetectionTracks::inside(const BoundingBox& box) const {
  const BoundingBox inside = clip_to_frame(box, width_, height_);
  if (std::min(inside.width, inside.height) < kMinimumBoxSide) return std::nullopt;
  return inside;
}

void DetectionTracks::start(std::size_t index, const Detection& detection, GstClockTime pts,
                            TargetSet& targets, std::vector<std::string>& warnings) {
  const std::optional<BoundingBox> box = inside(detection.box);
  if (!box) return;
  try {
    const std::uint64_t id = targets.add(*box, detection.label, kDetector);
    Known& track = tracks_[id];
    track.label = detection.label;
    track.box = *box;
    track.is_ours = track.has_just_started = true;
    track.confirmed = track.seen = pts;
    confirmed_[id] = index;
    is_full_ = false;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::invalid_argument) throw;
    if (!is_full_) warnings.push_back(std::string("a detection is not tracked: ") + error.what());
    is_full_ = true;
  }
}

void DetectionTracks::end_unconfirmed(const DetectionSettings& settings, GstClockTime pts,
                                      TargetSet& targets) {
  if (settings.timeout == 0) return;
  std::erase_if(tracks_, [&](const auto& entry) {
    const auto& [id, track] = entry;
    if (!track.is_ours || !GST_CLOCK_TIME_IS_VALID(pts) ||
        !GST_CLOCK_TIME_IS_VALID(track.confirmed) || pts < track.confirmed ||
        pts - track.confirmed <= settings.timeout) {
      return false;
    }
    targets.remove(id, kDetector, "no detection has confirmed it for detection-timeout");
    return true;
  });
}

// The same scene in pictures of another size.
void DetectionTracks::resize(int width, int height) {
  if (width_ > 0 && (width != width_ || height != height_)) {
    const float x = static_cast<float>(width) / static_cast<float>(width_);
    const float y = static_cast<float>(height) / static_cast<float>(height_);
    for (auto& [id, track] : tracks_) {
      track.box = {track.box.x * x, track.box.y * y, track.box.width * x, track.box.height * y};
    }
  }
  width_ = width;
  height_ = height;
}

void DetectionTracks::before(const DetectionSettings& settings,
                             std::span<const Detection> detections, int width, int height,
                             GstClockTime pts, TargetSet& targets,
                             std::vector<std::string>& warnings) {
  confirmed_.clear();
  resize(width, height);
  if (settings.use == DetectionUse::ignore || detections.empty()) return;
  std::erase_if(tracks_, [&](const auto& entry) { return !targets.has(entry.first); });
  match(settings, detections, pts);
  follow(settings, detections, pts, targets);
  std::set<std::size_t> taken;
  for (const auto& [id, index] : confirmed_) taken.insert(index);
  for (std::size_t i = 0; i < detections.size(); ++i) {
    if (taken.contains(i) || is_on_a_track(detections[i])) continue;
    start(i, detections[i], pts, targets, warnings);
  }
  end_unconfirmed(settings, pts, targets);
}

void DetectionTracks::after(std::vector<Track>& tracks, GstClockTime pts, TargetSet& targets) {
  std::erase_if(tracks_, [&](const auto& entry) { return !targets.has(entry.first); });
  for (const Track& track : tracks) {
    const auto [entry, is_new] = tracks_.try_emplace(track.id);
    Known& known = entry->second;
    if (is_new) known.label = track.label;
    known.has_just_returned = !is_new && known.is_lost && track.has_box();
    known.is_lost = !track.has_box();
    if (known.is_lost) continue;
    known.box = track.box;
    known.seen = pts;
  }
  // One object, one id: what has just started may be a track that has moved far, and one that has
  // just returned may have been found by a detector before.
  std::set<std::uint64_t> doubles;
  for (const Track& young : tracks) {
    const Known& younger = tracks_[young.id];
    if (!younger.is_ours || younger.is_lost) continue;
    for (const Track& old : tracks) {
      if (old.id >= young.id) break;
      const Known& older = tracks_[old.id];
      if (older.is_lost || (older.is_ours && older.label != younger.label)) continue;
      if (!younger.has_just_started && !older.has_just_returned) continue;
      if (overlap(older.box, younger.box) >= kTaken) doubles.insert(young.id);
    }
  }
  for (auto& [id, track] : tracks_) track.has_just_started = false;
  for (const std::uint64_t id : doubles) {
    targets.remove(id, kDetector, "an older track is on the same object");
    tracks_.erase(id);
    confirmed_.erase(id);
  }
  std::erase_if(tracks, [&](const Track& track) { return doubles.contains(track.id); });
}

}  // namespace cltrack::gst
