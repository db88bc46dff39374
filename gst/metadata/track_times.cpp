// SPDX-License-Identifier: LGPL-2.1-or-later
#include "metadata/track_times.h"

#include <algorithm>

namespace cltrack::gst {

void TrackTimes::see(std::span<const Track> tracks, GstClockTime running_time) {
  std::erase_if(seen_, [&](const auto& entry) {
    return std::ranges::none_of(tracks,
                                [&](const Track& track) { return track.id == entry.first; });
  });
  const bool is_timed = GST_CLOCK_TIME_IS_VALID(running_time);
  // After a flush running time begins anew. What was before it lies in no such time.
  if (is_timed && GST_CLOCK_TIME_IS_VALID(latest_) && running_time < latest_) seen_.clear();
  if (is_timed) latest_ = running_time;
  for (const Track& track : tracks) {
    SeenTimes& times = seen_[track.id];
    if (!track.has_box() || !is_timed) continue;
    if (!GST_CLOCK_TIME_IS_VALID(times.first)) times.first = running_time;
    times.last = running_time;
  }
}

SeenTimes TrackTimes::of(std::uint64_t id) const {
  const auto found = seen_.find(id);
  return found != seen_.end() ? found->second : SeenTimes{};
}

}  // namespace cltrack::gst
