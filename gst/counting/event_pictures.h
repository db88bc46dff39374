// SPDX-License-Identifier: LGPL-2.1-or-later
// Pictures of tracks to which something happens: the best of the last second of each is kept until
// then, and written when it has happened.
#pragma once

#include <gst/gst.h>
#include <gst/video/video.h>

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "cltrack/track.h"
#include "cltrack/zones.h"
#include "counting/picture_writer.h"
#include "files/picture_folder.h"
#include "pictures/cutout.h"

namespace cltrack::gst {

// Copies of tracks, by Track::id.
class BestCutouts {
 public:
  // The best one is that of the surest box in this time before the track was seen last, looked at
  // in steps of kStep, unless it is surer than before.
  static constexpr std::int64_t kLast = 1'000'000'000;  // ns
  static constexpr std::int64_t kStep = kLast / 4;
  // Of all pixels. Where they are not enough, each track has one copy, and then new ones have none.
  static constexpr std::size_t kMostBytes = 128 << 20;

  // `margin`: around boxes, in parts of their longer side.
  explicit BestCutouts(float margin) : margin_(margin) {}

  // The tracks of a picture, at a time (ns) that does not step back. Throws as MappedFrame().
  void observe(GstBuffer* buffer, const GstVideoInfo& info, std::span<const Track> tracks,
               std::int64_t time);
  // Null if there is none.
  std::shared_ptr<const Cutout> best(std::uint64_t id) const;

  // Forgets the tracks of whom this is true.
  template <typename Predicate>
  void forget_if(Predicate is_gone) {
    for (auto item = kept_.begin(); item != kept_.end();) {
      if (is_gone(item->first)) {
        shorten(item->second, 0);
        item = kept_.erase(item);
      } else {
        ++item;
      }
    }
  }

 private:
  struct Copy {
    std::int64_t time;
    float confidence;
    std::shared_ptr<const Cutout> cutout;
  };
  // Each one is newer than the one before, and of a box that is less sure.
  using Copies = std::deque<Copy>;

  bool wants(const Track& track, std::int64_t time);
  bool has_room(std::size_t bytes);
  void shorten(Copies& copies, std::size_t most);
  void drop_first(Copies& copies);

  const float margin_;
  std::map<std::uint64_t, Copies> kept_;
  std::size_t bytes_ = 0;
};

// Throws Error{invalid_argument} that says what is allowed.
std::set<ZoneEvent::Kind> parse_picture_events(const std::string& text);

// Threading: the streaming thread; writer() on any.
class EventPictures {
 public:
  // Throws Error{invalid_argument} if the settings cannot be used, and as PictureWriter().
  explicit EventPictures(const PictureSettings& settings);

  void observe_caps(const GstCaps* caps);
  // The tracks of a buffer. `is_hidden`: they are hidden further on, so nothing may be kept of
  // them.
  void observe_buffer(GstBuffer* buffer, std::span<const Track> tracks, std::int64_t time,
                      bool is_hidden);
  // Has the picture written that belongs to an event, whose id is that of the track; returns its
  // name, or "" if there is none. `id` is what people know it by.
  std::string take(const ZoneEvent& event, std::uint64_t id);
  template <typename Predicate>
  void forget_if(Predicate is_gone) {
    cutouts_.forget_if(is_gone);
  }

  PictureWriter& writer() { return writer_; }
  // What is wrong since the last call; each reason once.
  std::vector<std::string> take_warnings();

 private:
  // Once for each `what`.
  void warn(const char* what, const std::string& why);

  const std::set<ZoneEvent::Kind> events_;
  PictureFolder folder_;  // belongs to the writer's thread
  PictureWriter writer_;
  BestCutouts cutouts_;
  GstVideoInfo info_;
  std::string problem_;           // of what none can be made; "": there can be pictures
  std::int64_t latest_name_ = 0;  // us
  std::set<std::string> warned_;
  std::vector<std::string> warnings_;
};

}  // namespace cltrack::gst
