// SPDX-License-Identifier: LGPL-2.1-or-later
// What is counted on a stream: its buffers and events become events of zones. Threading: the
// streaming thread.
#pragma once

#include <gst/gst.h>

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cltrack/zones.h"
#include "counting/event_pictures.h"
#include "metadata/track_meta.h"
#include "metadata/zone_meta.h"
#include "stream/stream_time.h"

namespace cltrack::gst {

class ZoneStream {
 public:
  // `pictures` may be null.
  ZoneStream(const ZonesConfig& config, std::shared_ptr<EventPictures> pictures)
      : zones_(config), event_pictures_(std::move(pictures)) {}

  Zones& zones() { return zones_; }

  // Every event of the sink pad that is in order with the buffers. Returns what happened.
  std::vector<ZoneReport> observe_event(GstEvent* event);
  // `is_hidden`: tracks are hidden further on, so there are no pictures of them. Throws
  // Error{invalid_argument} where caps say no size of pictures.
  std::vector<ZoneReport> observe_buffer(GstBuffer* buffer, const GstSegment& segment,
                                         bool is_hidden);
  std::vector<ZoneReport> end(const std::string& reason) { return reports(zones_.end(reason)); }

  int width() const { return width_; }
  int height() const { return height_; }

 private:
  // Events may be so many pictures old; of older ones the times are not known.
  static constexpr std::size_t kMostPictures = 4096;
  static constexpr std::size_t kMostNumbers = 2 * Zones::kMostTracks;

  std::uint64_t number_of(const TrackKey& key);
  std::vector<ZoneReport> reports(std::vector<ZoneEvent> events) const;

  Zones zones_;
  std::shared_ptr<EventPictures> event_pictures_;
  StreamTime stream_time_;
  std::string stream_id_;
  int width_ = 0;
  int height_ = 0;
  // Trackers number their tracks from 1, each; zones want numbers of all of them.
  std::map<TrackKey, std::uint64_t> numbers_;
  std::map<std::uint64_t, TrackKey> keys_;
  std::uint64_t next_number_ = 1;
  // Of the latest pictures, by StreamInstant::time.
  std::deque<std::pair<std::int64_t, BufferTimes>> pictures_;
};

}  // namespace cltrack::gst
