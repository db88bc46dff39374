// SPDX-License-Identifier: LGPL-2.1-or-later
#include "publish/track_reports.h"

#include <array>
#include <cstddef>
#include <tuple>

#include "metadata/track_messages.h"
#include "metadata/track_meta.h"
#include "pictures/frame_layout.h"
#include "scoped.h"

namespace cltrack::gst {
namespace {

std::string random_name() {
  std::array<char, 17> text;
  g_snprintf(text.data(), text.size(), "%08x%08x", g_random_int(), g_random_int());
  return text.data();
}

std::string utc_now() {
  const Scoped<GDateTime, g_date_time_unref> now(g_date_time_new_now_utc());
  const Scoped<char, g_free> text(g_date_time_format_iso8601(now.get()));
  return text.get();
}

}  // namespace

TrackReports::TrackReports(std::string source, bool events) : events_(events), run_(random_name()) {
  picture_.source = std::move(source);
}

void TrackReports::observe_caps(const GstCaps* caps) {
  std::tie(picture_.width, picture_.height) = picture_size(caps);
}

Stamp TrackReports::next_stamp(Message::Kind kind) {
  return {sequences_[static_cast<std::size_t>(kind)]++, run_};
}

std::vector<Message> TrackReports::tell(const std::vector<TrackChange>& changes) {
  std::vector<Message> messages;
  if (!events_) return messages;
  for (const TrackChange& change : changes) {
    messages.push_back(
        {Message::Kind::event, change_json(picture_, change, next_stamp(Message::Kind::event))});
  }
  return messages;
}

std::vector<Message> TrackReports::observe_buffer(GstBuffer* buffer, const GstSegment& segment,
                                                  PublishMode mode) {
  const std::vector<TrackRegion> regions = read_tracks(buffer);
  // Trackers do not look at pictures that only fill a hole, nor at all of them where time is short:
  // nothing is lost on these. Repeated pictures are marked like those that fill holes, and have
  // their tracks.
  const bool is_gap = GST_BUFFER_FLAG_IS_SET(buffer, GST_BUFFER_FLAG_GAP);
  const std::set<std::string> skipped = std::exchange(skipped_, {});
  const GstClockTime time = times_of(buffer, segment).stream_time;
  picture_.stream_time.reset();
  if (GST_CLOCK_TIME_IS_VALID(time)) picture_.stream_time = time;
  picture_.system_time = utc_now();

  std::vector<Message> messages = tell(history_.observe_regions(
      regions, 0, [&](const auto& tracker) { return !is_gap && !skipped.contains(tracker); }));
  for (Message& message : observe_zones(read_zones(buffer))) messages.push_back(std::move(message));
  // On a picture that is repeated all may be lost as before.
  const bool says_nothing = (is_gap && !told_.empty()) || !skipped.empty();
  if (regions.empty() && says_nothing) return messages;
  Sight sight;
  for (const TrackRegion& region : regions) {
    sight.emplace_back(region.key(), region.label + (region.state ? to_string(*region.state) : ""));
  }
  const bool is_new = !has_told_ || sight != told_;
  if (mode == PublishMode::none || (mode == PublishMode::on_change && !is_new)) return messages;
  told_ = std::move(sight);
  has_told_ = true;
  messages.push_back(
      {Message::Kind::tracks, tracks_json(picture_, regions, next_stamp(Message::Kind::tracks))});
  return messages;
}

std::vector<Message> TrackReports::observe_removed(const RemovedTrack& track) {
  picture_.system_time = utc_now();
  return tell(history_.remove(track));
}

std::vector<Message> TrackReports::observe_zones(const std::vector<ZoneNews>& news) {
  std::vector<Message> messages;
  if (!events_) return messages;
  picture_.system_time = utc_now();
  for (const ZoneNews& of : news) {
    for (const ZoneReport& report : of.reports) {
      const Stamp stamp = next_stamp(Message::Kind::zone);
      messages.push_back(
          {Message::Kind::zone, zone_json(picture_, of.element, report, stamp), report.event.zone});
    }
  }
  return messages;
}

std::vector<Message> TrackReports::observe_end(const std::string& reason) {
  picture_.system_time = utc_now();
  return tell(history_.end(reason));
}

}  // namespace cltrack::gst
