// SPDX-License-Identifier: LGPL-2.1-or-later
// Reports of a stream: its buffers and events become messages. Threading: the streaming
// thread, or the one that starts and stops it.
#pragma once

#include <gst/gst.h>

#include <array>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "metadata/track_history.h"
#include "metadata/track_messages.h"
#include "metadata/zone_meta.h"
#include "publish/message_queue.h"
#include "publish/track_json.h"

namespace cltrack::gst {

// Which pictures are reported. Changes of tracks are reported whatever the mode.
enum class PublishMode { every_frame, on_change, none };

class TrackReports {
 public:
  // `events`: changes of tracks are reported.
  TrackReports(std::string source, bool events);

  // The size of the pictures from now on. Caps of any type may have it.
  void observe_caps(const GstCaps* caps);

  std::vector<Message> observe_buffer(GstBuffer* buffer, const GstSegment& segment,
                                      PublishMode mode);
  // That tracker does not look at the next buffer.
  void observe_skipped(const std::string& tracker) { skipped_.insert(tracker); }
  std::vector<Message> observe_removed(const RemovedTrack& track);
  // What elements that count have said, besides what they write on buffers.
  std::vector<Message> observe_zones(const std::vector<ZoneNews>& news);
  // All tracks end.
  std::vector<Message> observe_end(const std::string& reason);

 private:
  // The objects that a consumer would draw or list, and their states.
  using Sight = std::vector<std::pair<TrackKey, std::string>>;

  Stamp next_stamp(Message::Kind kind);
  std::vector<Message> tell(const std::vector<TrackChange>& changes);

  Picture picture_;  // the latest
  const bool events_;
  const std::string run_;
  TrackHistory history_;
  Sight told_;
  bool has_told_ = false;
  std::set<std::string> skipped_;                // trackers
  std::array<std::uint64_t, 3> sequences_ = {};  // by Message::Kind
};

}  // namespace cltrack::gst
