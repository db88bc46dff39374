// SPDX-License-Identifier: LGPL-2.1-or-later
#include "overlay/overlay_scene.h"

#include <gst/video/video.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "cltrack/error.h"
#include "overlay/overlay_painter.h"
#include "overlay/overlay_style.h"
#include "overlay/overlay_trail.h"
#include "scoped.h"

namespace cltrack::gst {

struct OverlayScene::Mark {
  PixelRect box;
  std::string text;
  OutlineStyle style;
  bool has_outline;
  std::span<const TrackPoint> trail;
};

namespace {

// No picture is larger in practice, and floats hold all integers up to here; caps allow more.
constexpr int kLargestSide = 1 << 24;

// Whole pixels, at least one. Numbers can be as large as 2^32 (regions of interest hold unsigned
// ones, and elements cast negative ones to them), so edges outside are drawn in to just outside,
// where the outline is out of sight all the same.
PixelRect to_pixel_rect(const BoundingBox& box, int frame_width, int frame_height, int margin) {
  const auto edge = [margin](float value, int limit) {
    const int end = std::min(limit, kLargestSide) + margin;
    const float inside = std::clamp(value, static_cast<float>(-margin), static_cast<float>(end));
    return static_cast<int>(std::lround(inside));
  };
  const int x = edge(box.x, frame_width);
  const int y = edge(box.y, frame_height);
  return {x, y, std::max(1, edge(box.right(), frame_width) - x),
          std::max(1, edge(box.bottom(), frame_height) - y)};
}

LinePattern pattern_of(const TrackRegion& region) {
  switch (region.state.value_or(TrackState::tracking)) {
    case TrackState::tracking:
      return LinePattern::solid;
    case TrackState::uncertain:
      return LinePattern::dashed;
    case TrackState::lost:
      break;
  }
  return LinePattern::dotted;
}

bool has_line(MarkKind mark) { return mark == MarkKind::box || mark == MarkKind::corners; }

// Flush with the left of the outline, where it fits into the frame and covers no tag that is there
// already: above the box, below it, inside at its top, inside at its bottom. If there is no such
// place, the first one that lies in the frame.
PixelRect place_tag(int width, int height, const PixelRect& box, int line_width,
                    const PixelRect& frame, std::span<const OverlayPatch> others) {
  const int contour = contour_width(line_width);
  const int band = line_width + contour;
  const int x = std::clamp(box.x - contour, 0, frame.width - width);
  const int rows[] = {box.y - contour - height, box.bottom() + contour, std::max(box.y, 0) + band,
                      std::min(box.bottom(), frame.height) - band - height};
  PixelRect first{x, std::clamp(rows[0], 0, frame.height - height), width, height};
  bool has_first = false;
  for (const int y : rows) {
    const PixelRect place{x, y, width, height};
    if (y < 0 || place.bottom() > frame.height) continue;
    if (!has_first) first = place;
    has_first = true;
    const bool is_free = std::none_of(others.begin(), others.end(), [&](const OverlayPatch& other) {
      return !intersection(place, other.place).is_empty();
    });
    if (is_free) return place;
  }
  return first;
}

// That its tag lies at: of an area the bounds, of a line its first point.
PixelRect tag_anchor(const ZoneMark& zone, int frame_width, int frame_height) {
  const auto points = std::span(zone.outline).first(zone.has_arrow ? 1 : zone.outline.size());
  const auto [left, right] = std::ranges::minmax(points, {}, &TrackPoint::x);
  const auto [top, bottom] = std::ranges::minmax(points, {}, &TrackPoint::y);
  return to_pixel_rect({left.x, top.y, right.x - left.x, bottom.y - top.y}, frame_width,
                       frame_height, 0);
}

}  // namespace

std::vector<OverlayPatch> OverlayScene::build(std::span<const TrackRegion> regions, int frame_width,
                                              int frame_height, const OverlayStyle& style,
                                              const PointerMarks& pointer,
                                              std::span<const ZoneMark> zones) {
  const PixelRect frame{0, 0, frame_width, frame_height};
  const int line_width = effective_line_width(style, frame_height);
  std::vector<Mark> marks;
  const auto add_mark = [&](const BoundingBox& place, std::string text, OutlineStyle line,
                            MarkKind mark, std::span<const TrackPoint> trail) {
    if (!place.is_valid()) return;
    const PixelRect box = to_pixel_rect(place, frame_width, frame_height, 2 * line.line_width + 2);
    if (intersection(box, frame).is_empty()) return;
    if (mark == MarkKind::corners) line.arm = corner_arm(box, line.line_width);
    marks.push_back({box, std::move(text), line, has_line(mark), trail});
  };
  if (pointer.band) {
    constexpr Color kWhite{1, 1, 1, 1};
    add_mark(*pointer.band, {}, {kWhite, LinePattern::dashed, line_width, style.opacity},
             MarkKind::box, {});
  }
  for (std::size_t i = 0; i < regions.size(); ++i) {
    const TrackRegion& region = regions[i];
    const bool is_chosen = pointer.chosen == i;
    add_mark(region.box, tag_text(region, style),
             {color_of(region, style), pattern_of(region), (is_chosen ? 2 : 1) * line_width,
              style.opacity},
             is_chosen && !has_line(style.mark) ? MarkKind::corners : style.mark,
             style.show_trail ? std::span(region.trail) : std::span<const TrackPoint>());
  }

  std::vector<Mark> zone_marks;
  for (std::size_t i = 0; i < zones.size(); ++i) {
    const Color color = style.zone_color != 0 ? color_from_argb(style.zone_color)
                                              : color_of_id(static_cast<int>(i) + 1);
    zone_marks.push_back({tag_anchor(zones[i], frame_width, frame_height),
                          zones[i].text,
                          {color, LinePattern::solid, line_width, style.opacity},
                          false,
                          {}});
  }

  std::vector<OverlayPatch> patches;
  if (style.opacity > 0) {
    const bool has_text =
        !zones.empty() || std::any_of(marks.begin(), marks.end(),
                                      [](const Mark& mark) { return !mark.text.empty(); });
    if (has_text) prepare_tags(frame_width, frame_height, style);
    for (std::size_t i = 0; i < zones.size(); ++i)
      add_zone(zones[i], zone_marks[i], frame, patches);
    for (const Mark& mark : marks) add_trail(mark, frame, patches);
    for (auto mark = marks.rbegin(); mark != marks.rend(); ++mark) {
      add_outline(*mark, frame, patches);
    }
    std::vector<OverlayPatch> tags;
    for (const Mark& mark : zone_marks) add_tag(mark, frame, tags);
    for (const Mark& mark : marks) add_tag(mark, frame, tags);
    patches.insert(patches.end(), tags.begin(), tags.end());
  }
  outlines_.end_frame();
  tags_.end_frame();
  zones_.end_frame();
  return patches;
}

Color OverlayScene::color_of(const TrackRegion& region, const OverlayStyle& style) {
  if (region.state == TrackState::lost) return lost_color();
  if (style.color != 0) return color_from_argb(style.color);
  if (region.tracker.empty()) return color_of_id(region.id);
  const auto found = std::ranges::find(trackers_, region.tracker);
  const auto index = static_cast<std::size_t>(found - trackers_.begin());
  if (found == trackers_.end() && trackers_.size() < kMostTrackers) {
    trackers_.push_back(region.tracker);
  }
  return color_of_id(region.id, index);
}

void OverlayScene::prepare_tags(int frame_width, int frame_height, const OverlayStyle& style) {
  TagSetting setting{style.font, style.font_size, frame_width, frame_height};
  if (setting == tag_setting_) return;
  tags_.clear();
  if (!tag_painter_) tag_painter_ = std::make_unique<TagPainter>();
  std::string problem = tag_painter_->set_font(style.font, static_cast<int>(style.font_size),
                                               scaled_font_size(frame_height));
  // Once for each font, not for each size of the picture.
  if (setting.font != tag_setting_.font) problem_ = std::move(problem);
  tag_setting_ = std::move(setting);
}

// No frame has the trail of the one before it, so nothing is kept.
void OverlayScene::add_trail(const Mark& mark, const PixelRect& frame,
                             std::vector<OverlayPatch>& patches) {
  const std::vector<TrailStroke> strokes = trail_strokes(mark.trail);
  for (const PixelRect& piece :
       trail_pieces(mark.trail, mark.style.line_width, frame.width, frame.height)) {
    patches.push_back({to_pixels(paint_trail(strokes, piece, mark.style)), piece});
  }
}

// Zones stay where they are, so their pieces are kept.
void OverlayScene::add_zone(const ZoneMark& zone, const Mark& mark, const PixelRect& frame,
                            std::vector<OverlayPatch>& patches) {
  std::vector<float> numbers;
  for (const auto& [x, y] : zone.outline) numbers.insert(numbers.end(), {x, y});
  const auto paint = [&] {
    std::vector<OverlayPatch> pieces;
    const auto add = [&](std::span<const TrailStroke> strokes, std::span<const TrackPoint> line) {
      for (const PixelRect& piece :
           trail_pieces(line, mark.style.line_width, frame.width, frame.height)) {
        pieces.push_back({to_pixels(paint_trail(strokes, piece, mark.style)), piece});
      }
    };
    add(std::vector{TrailStroke{1, zone.outline}}, zone.outline);
    if (!zone.has_arrow) return pieces;
    const std::vector<TrailStroke> arrow = zone_arrow(zone.outline, mark.style.line_width);
    std::vector<TrackPoint> line;
    for (const TrailStroke& stroke : arrow) {
      line.insert(line.end(), stroke.points.begin(), stroke.points.end());
    }
    add(arrow, line);
    return pieces;
  };
  const auto& pieces = zones_.get({std::move(numbers), zone.has_arrow, mark.style, frame}, paint);
  patches.insert(patches.end(), pieces.begin(), pieces.end());
}

void OverlayScene::add_outline(const Mark& mark, const PixelRect& frame,
                               std::vector<OverlayPatch>& patches) {
  if (!mark.has_outline) return;
  for (const PixelRect& whole : outline_pieces(mark.box, mark.style.line_width, mark.style.arm)) {
    const PixelRect piece = intersection(whole, frame);
    if (piece.is_empty()) continue;
    const PixelRect from_corner{piece.x - mark.box.x, piece.y - mark.box.y, piece.width,
                                piece.height};
    const PixelRect box{0, 0, mark.box.width, mark.box.height};
    const Pixels& pixels = outlines_.get({box.width, box.height, from_corner, mark.style}, [&] {
      return to_pixels(paint_outline(box, from_corner, mark.style));
    });
    patches.push_back({pixels, piece});
  }
}

void OverlayScene::add_tag(const Mark& mark, const PixelRect& frame,
                           std::vector<OverlayPatch>& tags) {
  if (mark.text.empty()) return;
  const Pixels& pixels = tags_.get({mark.text, mark.style.color, mark.style.opacity}, [&] {
    return to_pixels(tag_painter_->paint(mark.text, mark.style.color, mark.style.opacity,
                                         frame.width, frame.height));
  });
  const GstVideoMeta* meta = gst_buffer_get_video_meta(pixels.get());
  tags.push_back({pixels, place_tag(static_cast<int>(meta->width), static_cast<int>(meta->height),
                                    mark.box, mark.style.line_width, frame, tags)});
}

std::vector<OverlayPatch> OverlayScene::fills(std::span<const PixelRect> places) {
  std::vector<OverlayPatch> patches;
  for (const PixelRect& place : places) {
    const FillKey key{place.width, place.height};
    patches.push_back({fills_.get(key, [&] { return to_pixels(paint_fill(place)); }), place});
  }
  fills_.end_frame();
  return patches;
}

OverlayScene::Pixels OverlayScene::to_pixels(Raster raster) {
  const auto width = static_cast<guint>(raster.width());
  const auto height = static_cast<guint>(raster.height());
  const gsize size = static_cast<gsize>(raster.stride()) * height;
  gsize offset[GST_VIDEO_MAX_PLANES] = {0};
  gint stride[GST_VIDEO_MAX_PLANES] = {raster.stride()};
  // Blending premultiplied pixels onto YUV divides each of them by its alpha, every time; done here
  // once, it is done for good.
  raster.unpremultiply();
  unsigned char* data = cairo_image_surface_get_data(raster.surface());
  GstBuffer* buffer = gst_buffer_new_wrapped_full(
      GST_MEMORY_FLAG_READONLY, data, size, 0, size, raster.release(),
      [](gpointer surface) { cairo_surface_destroy(static_cast<cairo_surface_t*>(surface)); });
  gst_buffer_add_video_meta_full(buffer, GST_VIDEO_FRAME_FLAG_NONE,
                                 GST_VIDEO_OVERLAY_COMPOSITION_FORMAT_RGB, width, height, 1, offset,
                                 stride);
  ++painted_;
  return shared<gst_buffer_unref>(buffer);
}

std::string OverlayScene::take_problem() { return std::exchange(problem_, {}); }

}  // namespace cltrack::gst
