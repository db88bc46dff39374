// SPDX-License-Identifier: LGPL-2.1-or-later
#include "overlay/overlay_layer.h"

#include <gst/video/video.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "cltrack/error.h"
#include "pictures/frame_window.h"
#include "scoped.h"

namespace cltrack::gst {
namespace {

// Rows that are worked on at a time. Few, since a piece is as high as the highest of its patches.
constexpr int kBandRows = 32;

// 0xAARRGGBB, not premultiplied, as overlay rectangles have them on this machine.
using Argb = std::uint32_t;

class BufferMap {
 public:
  explicit BufferMap(GstBuffer* buffer) : buffer_(buffer) {
    const GstVideoMeta* meta = gst_buffer_get_video_meta(buffer_);
    if (meta == nullptr || !gst_buffer_map(buffer_, &map_, GST_MAP_READ)) {
      throw Error(ErrorCode::failed, "cannot map the pixels of an overlay");
    }
    data_ = map_.data + meta->offset[0];
    stride_ = meta->stride[0];
  }
  ~BufferMap() { gst_buffer_unmap(buffer_, &map_); }
  BufferMap(const BufferMap&) = delete;
  BufferMap& operator=(const BufferMap&) = delete;

  const Argb* row(int y) const {
    return reinterpret_cast<const Argb*>(data_ + static_cast<std::ptrdiff_t>(y) * stride_);
  }

 private:
  GstBuffer* buffer_;
  GstMapInfo map_{};
  const guint8* data_ = nullptr;
  int stride_ = 0;
};

struct LaidPatch {
  const OverlayPatch* patch;
  PixelRect place;          // in the frame
  bool is_joined;           // with others that it overlaps
  const BufferMap* pixels;  // if it is

  const Argb* at(int x, int y) const {
    return pixels->row(y - patch->place.y) + (x - patch->place.x);
  }
};

// As gst_video_blend() does it onto pixels that have an alpha of their own.
Argb blend_over(Argb under, Argb over) {
  const Argb over_alpha = over >> 24;
  const Argb under_alpha = (under >> 24) * (255 - over_alpha) / 255;
  const Argb alpha = over_alpha + under_alpha;
  Argb result = alpha << 24;
  for (const int shift : {16, 8, 0}) {
    const Argb o = over >> shift & 0xff;
    const Argb u = under >> shift & 0xff;
    result |= std::min((o * over_alpha + u * under_alpha) / alpha, Argb{255}) << shift;
  }
  return result;
}

void lay_pixels(const Argb* over, int count, Argb* under) {
  for (int i = 0; i < count; ++i) {
    const Argb alpha = over[i] >> 24;
    if (alpha == 0) continue;
    under[i] = alpha == 255 || under[i] >> 24 == 0 ? over[i] : blend_over(under[i], over[i]);
  }
}

// Most of a patch is opaque: that is found out, and copied, for some pixels at a time.
void lay_row(const Argb* over, int count, Argb* under) {
  constexpr int kRun = 16;
  for (int i = 0; i < count; i += kRun) {
    const int length = std::min(kRun, count - i);
    Argb common = ~Argb{0};
    for (int k = 0; k < length; ++k) common &= over[i + k];
    if (common >> 24 == 255) {
      std::copy_n(over + i, length, under + i);
    } else {
      lay_pixels(over + i, length, under + i);
    }
  }
}

// Marks the patches of a band that overlap another one.
void mark_overlaps(std::vector<LaidPatch*> patches) {
  std::sort(patches.begin(), patches.end(),
            [](const LaidPatch* a, const LaidPatch* b) { return a->place.x < b->place.x; });
  std::vector<LaidPatch*> open;  // those that reach as far to the right as the current one begins
  for (LaidPatch* patch : patches) {
    std::erase_if(open, [&](const LaidPatch* o) { return o->place.right() <= patch->place.x; });
    for (LaidPatch* other : open) {
      if (patch->is_joined && other->is_joined) continue;
      if (intersection(patch->place, other->place).is_empty()) continue;
      patch->is_joined = other->is_joined = true;
    }
    open.push_back(patch);
  }
}

// The parts of the patches in `rows`, as rectangles that are to be treated as one.
std::vector<PixelRect> pieces_of(const std::vector<LaidPatch*>& patches, const PixelRect& rows,
                                 bool whole_rows) {
  std::vector<PixelRect> parts;
  for (const LaidPatch* patch : patches) parts.push_back(intersection(patch->place, rows));
  std::sort(parts.begin(), parts.end(),
            [](const PixelRect& a, const PixelRect& b) { return a.x < b.x; });
  std::vector<PixelRect> pieces;
  for (const PixelRect& part : parts) {
    if (pieces.empty() ||
        (!whole_rows && round_to_window(part.x) > round_up_to_window(pieces.back().right()))) {
      pieces.push_back(part);
      continue;
    }
    PixelRect& piece = pieces.back();
    const int bottom = std::max(piece.bottom(), part.bottom());
    piece.width = std::max(piece.right(), part.right()) - piece.x;
    piece.y = std::min(piece.y, part.y);
    piece.height = bottom - piece.y;
  }
  return pieces;
}

// A buffer of the pixels of `piece` where they lie, in rows of `row_pixels`.
std::shared_ptr<GstBuffer> wrap_pixels(Argb* pixels, const PixelRect& piece, int row_pixels) {
  const auto width = static_cast<gsize>(piece.width);
  const auto stride = static_cast<gsize>(row_pixels) * sizeof(Argb);
  const gsize size = static_cast<gsize>(piece.height - 1) * stride + width * sizeof(Argb);
  gsize offsets[GST_VIDEO_MAX_PLANES] = {0};
  gint strides[GST_VIDEO_MAX_PLANES] = {static_cast<gint>(stride)};
  GstBuffer* buffer = gst_buffer_new_wrapped_full(GST_MEMORY_FLAG_READONLY, pixels, size, 0, size,
                                                  nullptr, nullptr);
  gst_buffer_add_video_meta_full(
      buffer, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_OVERLAY_COMPOSITION_FORMAT_RGB,
      static_cast<guint>(piece.width), static_cast<guint>(piece.height), 1, offsets, strides);
  return shared<gst_buffer_unref>(buffer);
}

}  // namespace

void lay_over_each_other(std::span<const OverlayPatch> patches, int frame_width, int frame_height,
                         bool whole_rows, const UsePatch& use) {
  const PixelRect frame{0, 0, frame_width, frame_height};
  std::deque<LaidPatch> laid;
  std::vector<std::vector<LaidPatch*>> bands(
      static_cast<std::size_t>((frame_height + kBandRows - 1) / kBandRows));
  for (const OverlayPatch& patch : patches) {
    const PixelRect place = intersection(patch.place, frame);
    if (place.is_empty()) continue;
    LaidPatch& one = laid.emplace_back(LaidPatch{&patch, place, whole_rows, nullptr});
    for (int band = place.y / kBandRows; band <= (place.bottom() - 1) / kBandRows; ++band) {
      bands[static_cast<std::size_t>(band)].push_back(&one);
    }
  }
  if (!whole_rows) {
    for (const std::vector<LaidPatch*>& band : bands) mark_overlaps(band);
  }
  // Bitmaps are shared, and GStreamer maps no buffer more than 255 times at once.
  std::map<GstBuffer*, BufferMap> maps;
  for (LaidPatch& one : laid) {
    if (one.is_joined) {
      GstBuffer* buffer = one.patch->pixels.get();
      one.pixels = &maps.try_emplace(buffer, buffer).first->second;
    } else {
      use(*one.patch);  // alone, it is on the frame what it is
    }
  }

  std::vector<Argb> canvas(static_cast<std::size_t>(frame_width) * kBandRows);
  for (std::size_t b = 0; b < bands.size(); ++b) {
    std::erase_if(bands[b], [](const LaidPatch* patch) { return !patch->is_joined; });
    const PixelRect rows{0, static_cast<int>(b) * kBandRows, frame_width, kBandRows};
    const auto at = [&](int x, int y) {
      return canvas.data() + static_cast<std::ptrdiff_t>(y - rows.y) * frame_width + x;
    };
    const std::vector<PixelRect> pieces = pieces_of(bands[b], rows, whole_rows);
    for (const PixelRect& piece : pieces) {
      for (int y = piece.y; y < piece.bottom(); ++y) std::fill_n(at(piece.x, y), piece.width, 0);
    }
    for (const LaidPatch* patch : bands[b]) {
      const PixelRect part = intersection(patch->place, rows);
      for (int y = part.y; y < part.bottom(); ++y) {
        lay_row(patch->at(part.x, y), part.width, at(part.x, y));
      }
    }
    for (const PixelRect& piece : pieces) {
      use({wrap_pixels(at(piece.x, piece.y), piece, frame_width), piece});
    }
  }
}

}  // namespace cltrack::gst
