// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cltrack/detection_tracker.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <sstream>
#include <utility>

#include "cltrack/error.h"
#include "compute/lent_picture.h"
#include "core/log.h"
#include "core/timing.h"
#include "detections/detected_frame.h"
#include "detections/detection_targets.h"
#include "detections/detection_tracks.h"
#include "ops/filter/filter_colors.h"

namespace cltrack {
namespace {

constexpr std::uint64_t kUnknownInterval = 1'000'000'000 / 25;

// The time of frames, ns since the first one. It never steps back.
class FrameTime {
 public:
  std::uint64_t see(const Frame& frame) {
    const bool goes_on = frame.pts != kNoTimestamp && latest_pts_ && frame.pts > *latest_pts_;
    if (goes_on) {
      time_ += static_cast<std::uint64_t>(frame.pts) - static_cast<std::uint64_t>(*latest_pts_);
    } else if (has_begun_) {
      time_ +=
          pace_.interval() > 0 ? static_cast<std::uint64_t>(pace_.interval()) : kUnknownInterval;
    }
    if (frame.pts != kNoTimestamp) latest_pts_ = frame.pts;
    has_begun_ = true;
    pace_.observe(static_cast<std::int64_t>(time_), !frame.discontinuity);
    return time_;
  }

 private:
  std::uint64_t time_ = 0;
  std::optional<std::int64_t> latest_pts_;
  bool has_begun_ = false;
  FramePace pace_;
};

// Those of a tracker that has no others.
class TrackerTargets final : public DetectionTargets {
 public:
  explicit TrackerTargets(Tracker& tracker) : tracker_(tracker) {}

  std::uint64_t start(const BoundingBox& box, const std::string& label) override {
    const std::uint64_t id = tracker_.add(box, label);
    is_tentative_[id] = true;
    return id;
  }
  void announce(std::uint64_t id) override { is_tentative_[id] = false; }
  bool is_tentative(std::uint64_t id) const override {
    const auto found = is_tentative_.find(id);
    return found != is_tentative_.end() && found->second;
  }
  void end(std::uint64_t id, const std::string& /*reason*/) override {
    if (is_tentative_.erase(id) > 0) tracker_.remove(id);
  }
  bool place(std::uint64_t id, const BoundingBox& box) override {
    try {
      return tracker_.move(id, box);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::invalid_argument) throw;
      return false;  // a template that is searched for everywhere
    }
  }
  bool has(std::uint64_t id) const override { return is_tentative_.contains(id); }

  bool empty() const { return is_tentative_.empty(); }
  void clear() { is_tentative_.clear(); }

 private:
  Tracker& tracker_;
  std::map<std::uint64_t, bool> is_tentative_;  // of all that there are
};

void check_detections(std::span<const DetectedObject> detections) {
  for (std::size_t i = 0; i < detections.size(); ++i) {
    const auto& [box, label, confidence] = detections[i];
    if (box.is_valid() && confidence >= 0 && confidence <= 1) continue;
    std::ostringstream message;
    message << "detection " << i << ": ";
    if (box.is_valid()) {
      message << "confidence is " << confidence << "; allowed: 0 to 1";
    } else {
      message << "box x=" << box.x << " y=" << box.y << " width=" << box.width
              << " height=" << box.height
              << "; allowed: finite numbers, width and height more than 0";
    }
    throw Error(ErrorCode::invalid_argument, message.str());
  }
}

class FollowingTracker final : public DetectionTracker {
 public:
  FollowingTracker(std::unique_ptr<Tracker> tracker, const DetectionConfig& config)
      : tracker_(std::move(tracker)), config_(config), targets_(*tracker_) {
    reset();
  }

  std::span<const DetectedTrack> update(
      const Frame& frame, std::optional<std::span<const DetectedObject>> detections) override {
    const auto found = detections.value_or(std::span<const DetectedObject>());
    check_detections(found);
    // Detections are looked at on the host; then nothing is left to be lent to the tracker.
    if (found.empty() || frame.on_device.empty()) return update_seen(frame, detections);
    try {
      const TrackedFrame seen = lender_.begin(frame);
      load(seen.lent.get(), seen.luma);
      load(seen.lent.get(), seen.color);
      const auto tracks = update_seen(seen, detections);
      lender_.end();
      return tracks;
    } catch (...) {
      lender_.abandon();
      throw;
    }
  }

  void reset() override {
    tracker_->reset();
    tracker_->set_search_region(config_.region);
    targets_.clear();
    tracks_ = {};
    reported_.clear();
    warnings_.clear();
    time_ = {};
  }
  TrackerStats stats() const override { return tracker_->stats(); }
  std::vector<std::string> take_warnings() override {
    std::vector<std::string> all = std::exchange(warnings_, {});
    std::ranges::move(tracker_->take_warnings(), std::back_inserter(all));
    return all;
  }

 private:
  std::span<const DetectedTrack> update_seen(
      const Frame& frame, std::optional<std::span<const DetectedObject>> detections);

  const std::unique_ptr<Tracker> tracker_;
  PictureLender lender_;
  const DetectionConfig config_;
  TrackerTargets targets_;
  DetectionTracks tracks_;
  std::vector<DetectedTrack> reported_;
  std::vector<std::string> warnings_;
  FrameTime time_;
};

std::span<const DetectedTrack> FollowingTracker::update_seen(
    const Frame& frame, std::optional<std::span<const DetectedObject>> detections) {
  const auto found = detections.value_or(std::span<const DetectedObject>());
  ColorPicture picture = frame.color.empty() ? luma_picture(frame.luma) : frame.color;
  if (!frame.on_device.empty()) {  // there are no detections
    picture = {};
    picture.width = frame.on_device.width;
    picture.height = frame.on_device.height;
  } else if (picture.components[0].data == nullptr || picture.width <= 0 || picture.height <= 0) {
    throw Error(ErrorCode::invalid_argument, "a frame without pixels cannot be processed");
  }
  const DetectedFrame detected =
      count_detections(config_, found, detections.has_value(), picture.width, picture.height);
  const std::size_t told = warnings_.size();
  tracks_.before(config_, detected,
                 {picture.width, picture.height, time_.see(frame), !frame.discontinuity, picture},
                 targets_, warnings_);
  for (std::size_t i = told; i < warnings_.size(); ++i) log(LogLevel::warning, warnings_[i]);
  reported_.clear();
  if (targets_.empty()) return reported_;
  Frame next = frame;
  next.near_only = frame.near_only || tracks_.will_find_again();
  const std::span<const Track> followed = tracker_->process(next);
  std::vector<Track> tracks(followed.begin(), followed.end());
  tracks_.after(tracks, targets_);
  for (Track& track : tracks) {
    DetectedTrack& one = reported_.emplace_back(DetectedTrack{std::move(track)});
    const auto by = tracks_.confirmed().find(one.id);
    if (by != tracks_.confirmed().end()) one.detection = detected.indices[by->second];
  }
  return reported_;
}

}  // namespace

std::unique_ptr<DetectionTracker> make_detection_tracker(std::unique_ptr<Tracker> tracker,
                                                         const DetectionConfig& config) {
  validate(config);
  if (tracker == nullptr) {
    throw Error(ErrorCode::invalid_argument, "tracks from detections need a tracker; it is null");
  }
  return std::make_unique<FollowingTracker>(std::move(tracker), config);
}

}  // namespace cltrack
