// SPDX-License-Identifier: LGPL-2.1-or-later
#include "counting/event_pictures.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>
#include <utility>

#include "cltrack/error.h"
#include "overlay/overlay_blend.h"
#include "pictures/frame_window.h"
#include "pictures/mapped_frame.h"
#include "scoped.h"

namespace cltrack::gst {
namespace {

// Those of tracks; areas alone have no picture.
constexpr ZoneEvent::Kind kKinds[] = {ZoneEvent::Kind::cross, ZoneEvent::Kind::enter,
                                      ZoneEvent::Kind::leave, ZoneEvent::Kind::dwell};

PixelRect place_of(const BoundingBox& box, float margin, const GstVideoFrame& frame) {
  const float around = margin * std::max(box.width, box.height);
  const auto clamped = [](float value, int limit) {
    return static_cast<int>(std::clamp(value, 0.0f, static_cast<float>(limit)));
  };
  const int width = GST_VIDEO_FRAME_WIDTH(&frame), height = GST_VIDEO_FRAME_HEIGHT(&frame);
  const int x = clamped(std::floor(box.x - around), width);
  const int y = clamped(std::floor(box.y - around), height);
  return {x, y, clamped(std::ceil(box.right() + around), width) - x,
          clamped(std::ceil(box.bottom() + around), height) - y};
}

// Those of tracks that have begun together end one after the other, since to copy all of them on
// one picture takes long.
std::int64_t step_of(std::uint64_t id, std::int64_t time) {
  constexpr std::uint64_t kSpread = BestCutouts::kStep / 1000 * 618;
  return (time + static_cast<std::int64_t>(id * kSpread % BestCutouts::kStep)) / BestCutouts::kStep;
}

const std::string& with_encoder(const std::string& folder) {
  if (has_jpeg_encoder()) return folder;
  throw Error(ErrorCode::invalid_argument,
              "picture-folder needs the element jpegenc, which is not installed (Debian: "
              "gstreamer1.0-plugins-good)");
}

}  // namespace

void BestCutouts::drop_first(Copies& copies) {
  bytes_ -= copies.front().cutout->pixels.size();
  copies.pop_front();
}

void BestCutouts::shorten(Copies& copies, std::size_t most) {
  for (; copies.size() > most; copies.pop_back()) bytes_ -= copies.back().cutout->pixels.size();
}

// Whether this may be the best one, now or later. What it makes useless is forgotten.
bool BestCutouts::wants(const Track& track, std::int64_t time) {
  Copies& copies = kept_[track.id];
  while (!copies.empty() && time - copies.front().time > kLast) drop_first(copies);
  const bool is_soon =
      !copies.empty() && step_of(track.id, time) == step_of(track.id, copies.back().time);
  if (is_soon && track.confidence <= copies.back().confidence) return false;
  std::size_t better = 0;
  while (better < copies.size() && copies[better].confidence > track.confidence) ++better;
  shorten(copies, better);
  return true;
}

bool BestCutouts::has_room(std::size_t bytes) {
  if (bytes_ + bytes <= kMostBytes) return true;
  for (auto& [id, copies] : kept_) shorten(copies, 1);
  return bytes_ + bytes <= kMostBytes;
}

void BestCutouts::observe(GstBuffer* buffer, const GstVideoInfo& info,
                          std::span<const Track> tracks, std::int64_t time) {
  std::vector<const Track*> wanted;
  for (const Track& track : tracks) {
    if (track.has_box() && track.box.is_valid() && wants(track, time)) wanted.push_back(&track);
  }
  if (wanted.empty()) return;
  MappedFrame mapped(buffer, info, MapMode::read);
  AlignedFrame aligned(*mapped.video_frame());
  GstVideoFrame frame = aligned.get();
  drop_split_group(frame);
  for (const Track* track : wanted) {
    const PixelRect place = place_of(track->box, margin_, frame);
    if (place.is_empty()) continue;
    auto cutout = std::make_shared<const Cutout>(cut_out(frame, place));
    const std::size_t bytes = cutout->pixels.size();
    if (!has_room(bytes)) continue;
    kept_[track->id].push_back({time, track->confidence, std::move(cutout)});
    bytes_ += bytes;
  }
}

std::shared_ptr<const Cutout> BestCutouts::best(std::uint64_t id) const {
  const auto found = kept_.find(id);
  if (found == kept_.end() || found->second.empty()) return nullptr;
  return found->second.front().cutout;
}

std::set<ZoneEvent::Kind> parse_picture_events(const std::string& text) {
  std::string plain = text, allowed;
  std::ranges::replace(plain, ',', ' ');
  for (const ZoneEvent::Kind kind : kKinds) {
    allowed.append(allowed.empty() ? "" : ", ").append(to_string(kind));
  }
  std::istringstream words(plain);
  std::set<ZoneEvent::Kind> kinds;
  for (std::string word; words >> word;) {
    const auto kind = std::ranges::find(kKinds, word, [](auto k) { return to_string(k); });
    if (kind == std::end(kKinds)) {
      throw Error(ErrorCode::invalid_argument,
                  "picture-events: there is no \"" + word +
                      "\" of tracks; allowed, with blanks between: " + allowed);
    }
    kinds.insert(*kind);
  }
  return kinds;
}

EventPictures::EventPictures(const PictureSettings& settings)
    : events_(parse_picture_events(settings.events)),
      folder_(with_encoder(settings.folder), settings.limits),
      writer_([this](const std::string& name, const Cutout& cutout) {
        folder_.write(name, jpeg_of(cutout));
      }),
      cutouts_(settings.margin),
      problem_("what has no caps") {
  gst_video_info_init(&info_);
}

void EventPictures::observe_caps(const GstCaps* caps) {
  problem_.clear();
  // The same that trackoverlay changes where it hides tracks: in others it covers them, and what is
  // covered is still there.
  if (has_drawable_pixels(caps) && gst_video_info_from_caps(&info_, caps)) return;
  const Scoped<char, g_free> text(gst_caps_to_string(caps));
  problem_ =
      text.get() + std::string(": put videoconvert in front, or what brings them to system memory");
}

void EventPictures::warn(const char* what, const std::string& why) {
  if (warned_.insert(what).second) warnings_.push_back(what + why);
}

void EventPictures::observe_buffer(GstBuffer* buffer, std::span<const Track> tracks,
                                   std::int64_t time, bool is_hidden) {
  const auto forget = [&] { cutouts_.forget_if([](auto) { return true; }); };
  if (is_hidden) {
    forget();
    if (tracks.empty()) return;
    return warn("there are no pictures of events while trackoverlay hides tracks downstream",
                "; behind it there are, with the tracks hidden");
  }
  if (!problem_.empty()) {
    forget();
    return warn("pictures of events cannot be made of ", problem_);
  }
  constexpr auto kNotSeen = int{GST_BUFFER_FLAG_GAP} | int{GST_BUFFER_FLAG_CORRUPTED};
  if ((GST_BUFFER_FLAGS(buffer) & kNotSeen) != 0) return;
  try {
    cutouts_.observe(buffer, info_, tracks, time);
  } catch (const Error& error) {
    warn("no picture of an event can be made: ", error.what());
  }
}

std::string EventPictures::take(const ZoneEvent& event, std::uint64_t id) {
  if (!events_.contains(event.kind)) return {};
  std::shared_ptr<const Cutout> cutout = cutouts_.best(event.id);
  if (!cutout) return {};
  // Two of one moment have names of their own, in their order.
  const std::int64_t now = g_get_real_time();
  const bool is_later = now > latest_name_ || latest_name_ - now > G_USEC_PER_SEC;
  latest_name_ = is_later ? now : latest_name_ + 1;
  std::string name = picture_name(
      latest_name_, event.zone + "-" + to_string(event.kind) + "-" + std::to_string(id));
  return writer_.push(name, std::move(cutout)) ? name : std::string();
}

std::vector<std::string> EventPictures::take_warnings() {
  std::vector<std::string> warnings = writer_.take_warnings();
  std::ranges::move(std::exchange(warnings_, {}), std::back_inserter(warnings));
  return warnings;
}

}  // namespace cltrack::gst
