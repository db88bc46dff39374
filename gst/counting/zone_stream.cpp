// SPDX-License-Identifier: LGPL-2.1-or-later
#include "counting/zone_stream.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "cltrack/error.h"
#include "metadata/track_history.h"
#include "pictures/frame_layout.h"

namespace cltrack::gst {

std::vector<ZoneReport> ZoneStream::observe_event(GstEvent* event) {
  stream_time_.observe_event(event);
  if (GST_EVENT_TYPE(event) == GST_EVENT_CAPS) {
    GstCaps* caps = nullptr;
    gst_event_parse_caps(event, &caps);
    std::tie(width_, height_) = picture_size(caps);
    if (event_pictures_) event_pictures_->observe_caps(caps);
  } else if (GST_EVENT_TYPE(event) == GST_EVENT_STREAM_START) {
    const char* id = nullptr;
    gst_event_parse_stream_start(event, &id);
    const bool is_other = !stream_id_.empty() && stream_id_ != id;
    stream_id_ = id;
    if (is_other) return end("another stream has begun");
  } else if (GST_EVENT_TYPE(event) == GST_EVENT_EOS) {
    return end("the stream has ended");
  } else if (const auto removed = parse_removed_event(event)) {
    std::vector<ZoneEvent> events;
    for (const TrackKey& key : {removed->track, removed->region}) {
      const auto number = numbers_.find(key);
      if (number == numbers_.end()) continue;
      for (ZoneEvent& left : zones_.remove(number->second)) events.push_back(std::move(left));
    }
    return reports(std::move(events));
  }
  return {};
}

std::uint64_t ZoneStream::number_of(const TrackKey& key) {
  if (const auto known = numbers_.find(key); known != numbers_.end()) return known->second;
  keys_[next_number_] = key;
  return numbers_[key] = next_number_++;
}

std::vector<ZoneReport> ZoneStream::reports(std::vector<ZoneEvent> events) const {
  const auto id_of = [&](std::uint64_t number) {
    const auto key = keys_.find(number);
    return key != keys_.end() ? static_cast<std::uint64_t>(key->second.id) : 0;
  };
  std::vector<ZoneReport> reports;
  for (ZoneEvent& event : events) {
    ZoneReport& report = reports.emplace_back();
    const auto picture =
        std::ranges::lower_bound(pictures_, event.time, {}, [](const auto& p) { return p.first; });
    if (picture != pictures_.end() && picture->first == event.time) report.times = picture->second;
    report.delay = static_cast<GstClockTime>(pictures_.back().first - event.time);
    if (const auto key = keys_.find(event.id); key != keys_.end()) {
      report.tracker = key->second.tracker;
    }
    const std::uint64_t id = id_of(event.id);
    if (event_pictures_) report.picture = event_pictures_->take(event, id);
    event.id = id;
    event.after = id_of(event.after);
    report.event = std::move(event);
  }
  return reports;
}

std::vector<ZoneReport> ZoneStream::observe_buffer(GstBuffer* buffer, const GstSegment& segment,
                                                   bool is_hidden) {
  if (width_ <= 0 || height_ <= 0) {
    throw Error(ErrorCode::invalid_argument,
                "the size of the pictures is not known: put the element where caps have width and "
                "height");
  }
  const StreamInstant instant = stream_time_.observe_buffer(buffer);
  const auto time = static_cast<std::int64_t>(instant.time);
  if (pictures_.empty() || pictures_.back().first < time) {
    pictures_.emplace_back(time, times_of(buffer, segment));
    if (pictures_.size() > kMostPictures) pictures_.pop_front();
  }
  // Those of this picture are not yet known to the zones.
  if (keys_.size() > kMostNumbers) {
    std::erase_if(numbers_, [&](const auto& item) { return !zones_.knows(item.second); });
    std::erase_if(keys_, [&](const auto& item) { return !zones_.knows(item.first); });
  }
  std::vector<Track> tracks;
  for (const TrackRegion& region : read_tracks(buffer)) {
    if (kind_of(region) == RegionKind::unnumbered) continue;
    Track& track = tracks.emplace_back();
    track.id = number_of(region.key());
    track.label = region.label;
    track.box = region.box;
    track.confidence = region.confidence.value_or(0);
    // Who tells no state is sure.
    track.state = region.state.value_or(TrackState::tracking);
  }
  if (event_pictures_) event_pictures_->observe_buffer(buffer, tracks, time, is_hidden);
  ZonePicture picture{time, width_, height_};
  picture.repeated = GST_BUFFER_FLAG_IS_SET(buffer, GST_BUFFER_FLAG_GAP);
  picture.cut = instant.continuity >= Continuity::elsewhere;
  std::vector<ZoneReport> reported = reports(zones_.update(tracks, picture));
  if (event_pictures_) {
    event_pictures_->forget_if([&](std::uint64_t number) { return !zones_.knows(number); });
  }
  return reported;
}

}  // namespace cltrack::gst
