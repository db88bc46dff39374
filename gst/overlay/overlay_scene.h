// SPDX-License-Identifier: LGPL-2.1-or-later
// The scene that trackoverlay shows on a frame, with what it keeps from the frame before.
#pragma once

#include <gst/gst.h>

#include <compare>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "metadata/track_meta.h"
#include "overlay/overlay_painter.h"
#include "overlay/overlay_style.h"
#include "overlay/overlay_zones.h"

namespace cltrack::gst {

// A cache that keeps the values that the latest frame used.
template <typename Key, typename Value>
class FrameCache {
 public:
  // The value of `key`; make() is called for one that the frame before did not have. The reference
  // holds until end_frame() or clear().
  template <typename Make>
  const Value& get(const Key& key, Make make) {
    auto found = entries_.find(key);
    if (found == entries_.end()) found = entries_.emplace(key, Entry{make(), true}).first;
    found->second.is_used = true;
    return found->second.value;
  }

  // Drops values that were not used since the last call.
  void end_frame() {
    std::erase_if(entries_, [](const auto& item) { return !item.second.is_used; });
    for (auto& item : entries_) item.second.is_used = false;
  }

  void clear() { entries_.clear(); }
  auto size() const { return entries_.size(); }

 private:
  struct Entry {
    Value value;
    bool is_used;
  };
  std::map<Key, Entry> entries_;
};

// The drawing of one frame: small bitmaps and where they go. A bitmap is painted anew only
// when what it shows has changed; moving it costs nothing.

// Pixels of GST_VIDEO_OVERLAY_COMPOSITION_FORMAT_RGB, not premultiplied, with a GstVideoMeta, as
// overlay rectangles want them; inside the frame, never empty.
struct OverlayPatch {
  std::shared_ptr<GstBuffer> pixels;
  PixelRect place;
};

// The marks of somebody who uses the mouse on the picture.
struct PointerMarks {
  std::optional<BoundingBox> band = {};    // being dragged; pixels
  std::optional<std::size_t> chosen = {};  // index of a region, which gets a thicker line
};

class OverlayScene {
 public:
  // Patches in the order in which they are to be drawn: zones, trails, outlines, then tags, so that
  // no line crosses a text. The first of `regions` lies over the others and is the first to choose
  // the place of its tag. What lies outside the frame is left out. The band is a white dashed line
  // over all others. Regions that are to be hidden are hidden by others: they have no outline here,
  // but for corners around the chosen one.
  std::vector<OverlayPatch> build(std::span<const TrackRegion> regions, int frame_width,
                                  int frame_height, const OverlayStyle& style,
                                  const PointerMarks& pointer = {},
                                  std::span<const ZoneMark> zones = {});

  // Opaque patches, to be drawn below all others where pixels of the frame cannot be changed.
  std::vector<OverlayPatch> fills(std::span<const PixelRect> places);

  // The problem with the font when it last changed, once; empty if there was none.
  std::string take_problem();

  // How many bitmaps were painted so far.
  std::size_t painted() const { return painted_; }

 private:
  using Pixels = std::shared_ptr<GstBuffer>;
  struct Mark;
  struct OutlineKey {
    int width, height;  // of the box
    PixelRect piece;    // from the box's corner
    OutlineStyle style;
    friend auto operator<=>(const OutlineKey&, const OutlineKey&) = default;
  };
  struct TagKey {
    std::string text;
    Color ground;
    double opacity;
    friend auto operator<=>(const TagKey&, const TagKey&) = default;
  };
  struct FillKey {
    int width, height;
    friend auto operator<=>(const FillKey&, const FillKey&) = default;
  };
  // The numbers of its corners, whether it has an arrow, how it is drawn, and where.
  using ZoneKey = std::tuple<std::vector<float>, bool, OutlineStyle, PixelRect>;
  struct TagSetting {  // what all tags depend on
    std::string font;
    unsigned font_size = 0;
    int frame_width = 0;
    int frame_height = 0;
    friend bool operator==(const TagSetting&, const TagSetting&) = default;
  };

  Color color_of(const TrackRegion& region, const OverlayStyle& style);
  Pixels to_pixels(Raster raster);
  void prepare_tags(int frame_width, int frame_height, const OverlayStyle& style);
  void add_trail(const Mark& mark, const PixelRect& frame, std::vector<OverlayPatch>& patches);
  void add_outline(const Mark& mark, const PixelRect& frame, std::vector<OverlayPatch>& patches);
  void add_zone(const ZoneMark& zone, const Mark& mark, const PixelRect& frame,
                std::vector<OverlayPatch>& patches);
  void add_tag(const Mark& mark, const PixelRect& frame, std::vector<OverlayPatch>& tags);

  // As they were first seen. The first one's ids have the colours of its ids alone.
  static constexpr std::size_t kMostTrackers = 64;
  std::vector<std::string> trackers_;
  FrameCache<OutlineKey, Pixels> outlines_;
  FrameCache<TagKey, Pixels> tags_;
  FrameCache<FillKey, Pixels> fills_;
  FrameCache<ZoneKey, std::vector<OverlayPatch>> zones_;
  std::unique_ptr<TagPainter> tag_painter_;  // made for the first tag: it takes time to find fonts
  TagSetting tag_setting_;
  std::string problem_;
  std::size_t painted_ = 0;
};

}  // namespace cltrack::gst
