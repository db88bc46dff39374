// SPDX-License-Identifier: LGPL-2.1-or-later
#include "stream/overlay_stream.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "control/latest_tracks.h"
#include "metadata/track_meta.h"
#include "pictures/mapped_frame.h"
#include "scoped.h"

namespace cltrack::gst {
namespace {

// Never negative, as the id of a choice is, whatever others number their regions with.
int choice_of(const TrackRegion& region) {
  return region_id(static_cast<std::uint64_t>(region.id));
}

}  // namespace

void OverlayPointer::observe(GstEvent* event) {
  const MouseAction action = input_.read(event);
  if (action.kind != MouseAction::Kind::choose) return;
  const std::lock_guard lock(mutex_);
  click_ = action.point;
}

PointerMarks OverlayPointer::marks(std::span<const TrackRegion> regions, ChosenTrack& chosen) {
  std::optional<MousePoint> click;
  {
    const std::lock_guard lock(mutex_);
    click.swap(click_);
  }
  if (click) {
    std::vector<BoundingBox> boxes;
    for (const TrackRegion& region : regions) {
      // A lost track has no box that could be chosen.
      const bool is_shown = region.state != TrackState::lost;
      boxes.push_back(is_shown ? region.box : BoundingBox{});
    }
    if (const auto index = smallest_at(boxes, *click)) {
      const TrackRegion& region = regions[*index];
      clicked_ = {{choice_of(region), region.tracker}, region.key()};
      chosen.set(clicked_->value);
    }
  }

  PointerMarks marks{.band = input_.band()};
  const ChosenTrack::Value now = chosen.get();
  if (clicked_ && clicked_->value != now) clicked_.reset();  // somebody else chose since
  if (now.id < 0) return marks;
  const auto found = std::find_if(regions.begin(), regions.end(), [&](const TrackRegion& region) {
    if (clicked_) return region.key() == clicked_->key;
    return choice_of(region) == region_id(static_cast<std::uint64_t>(now.id)) &&
           (now.tracker.empty() || region.tracker == now.tracker);
  });
  if (found != regions.end()) {
    marks.chosen = static_cast<std::size_t>(found - regions.begin());
  } else {
    drop_clicked(chosen);
  }
  return marks;
}

void OverlayPointer::drop_clicked(ChosenTrack& chosen) {
  if (!clicked_) return;
  chosen.drop(clicked_->value);
  clicked_.reset();
}

void OverlayPointer::forget(ChosenTrack& chosen) {
  input_.reset();
  drop_clicked(chosen);
  const std::lock_guard lock(mutex_);
  click_.reset();
}

}  // namespace cltrack::gst

GST_DEBUG_CATEGORY_EXTERN(gst_track_overlay_debug);
#define GST_CAT_DEFAULT gst_track_overlay_debug

namespace cltrack::gst {

void OverlayStream::set_info(const GstVideoInfo& info, const Target& target) {
  if (info_.width > 0 && info_.height > 0) {
    // The same scene in another size, as in cltracker.
    history_.rescale(static_cast<float>(info.width) / static_cast<float>(info_.width),
                     static_cast<float>(info.height) / static_cast<float>(info_.height));
  }
  info_ = info;
  target_ = target;
  told_fill_ = false;
}

void OverlayStream::forget(const OverlaySettings& settings) {
  history_.reset();
  stream_time_.reset();
  pointer_.forget(*settings.chosen);
  gst_video_info_init(&info_);
}

void OverlayStream::tell_problems(GstBaseTransform* element, const OverlaySettings& settings,
                                  bool hides) {
  if (const std::string problem = scene_.take_problem(); !problem.empty()) {
    GST_ELEMENT_WARNING(
        element, RESOURCE, SETTINGS,
        ("Property font = \"%s\": %s", settings.style.font.c_str(), problem.c_str()), (nullptr));
  }
  if (settings.refusal.number != reported_refusal_) {
    reported_refusal_ = settings.refusal.number;
    const Scoped<char, g_free> reason(g_utf8_make_valid(settings.refusal.reason.c_str(), -1));
    GST_ELEMENT_WARNING(element, RESOURCE, SETTINGS,
                        ("%s; the property stays as it was", reason.get()), (nullptr));
  }
  if (hides && !target_.has_pixels && !told_fill_) {
    told_fill_ = true;
    GST_ELEMENT_WARNING(
        element, RESOURCE, SETTINGS,
        ("Property style = %s: pictures of format %s in such memory cannot be changed; regions are "
         "covered with black by an overlay composition, which the sink has to draw. Put an element "
         "in front that brings the pictures to system memory",
         settings.style.mark == MarkKind::blur ? "blur" : "pixelate",
         gst_video_format_to_string(GST_VIDEO_INFO_FORMAT(&info_))),
        (nullptr));
  }
}

std::vector<OverlayPatch> OverlayStream::build(GstBaseTransform* element,
                                               std::span<const TrackRegion> shown,
                                               std::span<const ZoneNews> news,
                                               const OverlaySettings& settings) {
  ChosenTrack& chosen = *settings.chosen;
  const ChosenTrack::Value before = chosen.get();
  if (!settings.navigation) pointer_.forget(chosen);
  const PointerMarks marks = pointer_.marks(shown, chosen);
  const ChosenTrack::Value now = chosen.get();
  if (now.id != before.id) g_object_notify(G_OBJECT(element), "chosen-id");
  if (now.tracker != before.tracker) g_object_notify(G_OBJECT(element), "chosen-tracker");
  const int width = GST_VIDEO_INFO_WIDTH(&info_), height = GST_VIDEO_INFO_HEIGHT(&info_);
  return scene_.build(shown, width, height, settings.style, marks,
                      zone_marks_.of(news, width, height));
}

void OverlayStream::draw(GstBaseTransform* element, GstBuffer* buffer,
                         std::span<const PixelRect> covers, MosaicLook look,
                         std::span<const OverlayPatch> patches) const {
  if (!covers.empty() || !target_.attaches) {
    MappedFrame mapped(buffer, info_, MapMode::read_write);
    cover(*mapped.video_frame(), covers, look);
    if (!target_.attaches && !blend_patches(*mapped.video_frame(), patches)) {
      GST_WARNING_OBJECT(element, "some parts of the overlay could not be drawn");
    }
  }
  if (target_.attaches) attach_patches(buffer, patches);
}

void OverlayStream::process(GstBaseTransform* element, GstBuffer* buffer,
                            const OverlaySettings& settings) {
  const MarkKind mark = settings.style.mark;
  const bool hides = hides_regions(mark);
  const StreamInstant now = stream_time_.observe_buffer(buffer);
  // Tracks that were lost before are not to be found again elsewhere. But nothing is shown early
  // that was to be hidden.
  const bool forgets =
      hides ? now.continuity == Continuity::new_stream : now.continuity >= Continuity::elsewhere;
  if (forgets) history_.reset();
  std::vector<TrackRegion> shown = read_tracks(buffer);
  const std::size_t count = shown.size();
  // Trackers do not look at pictures that only fill a hole, so nothing is lost on them either. They
  // may be shown all the same.
  std::vector<ZoneNews> news;
  if (settings.style.show_zones) news = read_zones(buffer);
  const bool is_looked_at =
      !shown.empty() || hides || !GST_BUFFER_FLAG_IS_SET(buffer, GST_BUFFER_FLAG_GAP);
  if (!is_looked_at && news.empty()) return;
  if (is_looked_at) {
    history_.observe_regions(shown, now.time);
    history_.add_trails(shown, settings.style.show_trail ? settings.trail_length : 0);
  }
  const std::vector<TrackRegion> lost = history_.lost(settings.lost_time);
  shown.insert(shown.end(), lost.begin(), lost.end());

  std::vector<OverlayPatch> patches = build(element, shown, news, settings);
  std::vector<PixelRect> covers;
  if (hides) {
    covers = covers_of(shown, GST_VIDEO_INFO_WIDTH(&info_), GST_VIDEO_INFO_HEIGHT(&info_));
  }
  if (!target_.has_pixels) {
    const std::vector<OverlayPatch> fills = scene_.fills(std::exchange(covers, {}));
    patches.insert(patches.begin(), fills.begin(), fills.end());
  }
  tell_problems(element, settings, hides);
  GST_LOG_OBJECT(element, "%zu regions and %zu lost, %zu patches", count, lost.size(),
                 patches.size());
  if (patches.empty() && covers.empty()) return;
  draw(element, buffer, covers, mark == MarkKind::blur ? MosaicLook::smooth : MosaicLook::squares,
       patches);
}

}  // namespace cltrack::gst
