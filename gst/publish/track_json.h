// SPDX-License-Identifier: LGPL-2.1-or-later
// Tracks as JSON, with the fields that DL Streamer's gvametaconvert writes and our own under
// "cltrack", which is always the last field of a message.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "metadata/track_history.h"
#include "metadata/track_meta.h"
#include "metadata/zone_meta.h"

namespace cltrack::gst {

// The picture that a message is about.
struct Picture {
  std::string source;
  int width = 0;  // pixels; 0: not known
  int height = 0;
  std::optional<std::uint64_t> stream_time;  // ns
  std::string system_time;                   // ISO 8601, UTC
};

// By which a consumer knows doubles and gaps.
struct Stamp {
  std::uint64_t sequence = 0;  // of the messages of one kind, from 0
  std::string run;             // another one each time that the element starts
};

std::string tracks_json(const Picture& picture, std::span<const TrackRegion> regions,
                        const Stamp& stamp);

std::string change_json(const Picture& picture, const TrackChange& change, const Stamp& stamp);

// `element` counts.
std::string zone_json(const Picture& picture, const std::string& element, const ZoneReport& report,
                      const Stamp& stamp);

// Says in a message of the above that it may have been received before.
void mark_again(std::string& json);

}  // namespace cltrack::gst
