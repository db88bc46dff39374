// SPDX-License-Identifier: LGPL-2.1-or-later
// The targets of the latest picture and where they were, for those who point at them. Nobody waits
// for a picture that is being processed.
//
// Threading: any.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cltrack/track.h"
#include "control/navigation_input.h"

namespace cltrack::gst {

// The smallest of `boxes` that contains `point`; of those of one size the first. Empty if none
// does.
std::optional<std::size_t> smallest_at(std::span<const BoundingBox> boxes, const MousePoint& point);

class LatestTracks {
 public:
  struct Entry {
    std::uint64_t id = 0;
    std::string label = {};
  };

  // Those of a picture that have a box.
  void set(std::span<const Track> tracks);
  void clear() { set({}); }
  // One that will not be on the next picture.
  void remove(std::uint64_t id);

  // The smallest one at `point`.
  std::optional<Entry> at(const MousePoint& point) const;

 private:
  mutable std::mutex mutex_;
  std::vector<BoundingBox> boxes_;
  std::vector<Entry> entries_;  // of each box
};

}  // namespace cltrack::gst
