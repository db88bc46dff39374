// SPDX-License-Identifier: LGPL-2.1-or-later
#include "overlay/region_cover.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>

#include "pictures/frame_window.h"
#include "pictures/mapped_frame.h"

namespace cltrack::gst {

MosaicGrid::MosaicGrid(int width_of_all, int height_of_all)
    : width(width_of_all), height(height_of_all) {
  const int side = std::max((std::max(width, height) + kCells - 1) / kCells, kSmallestCell);
  // Fewer and larger cells rather than a narrow one at the end, which would keep more.
  columns = std::max(width / side, 1);
  rows = std::max(height / side, 1);
}

Mosaic::Mosaic(const MosaicGrid& grid)
    : grid_(grid),
      sums_(static_cast<std::size_t>(grid.columns) * static_cast<std::size_t>(grid.rows) *
            kComponents),
      line_(static_cast<std::size_t>(grid.columns) * kComponents) {}

int Mosaic::first_pixel(int cell, int cells, int pixels) {
  return static_cast<int>(std::int64_t{cell} * pixels / cells);
}

int Mosaic::cell_of(int pixel, int cells, int pixels) {
  return static_cast<int>(((std::int64_t{pixel} + 1) * cells - 1) / pixels);
}

std::size_t Mosaic::index(int column, int row) const {
  return (static_cast<std::size_t>(row) * static_cast<std::size_t>(grid_.columns) +
          static_cast<std::size_t>(column)) *
         kComponents;
}

double Mosaic::mean(int column, int row, std::size_t component) const {
  const int width = left_of(column + 1) - left_of(column);
  const int height =
      first_pixel(row + 1, grid_.rows, grid_.height) - first_pixel(row, grid_.rows, grid_.height);
  return static_cast<double>(sums_[index(column, row) + component]) /
         (static_cast<double>(width) * static_cast<double>(height));
}

template <typename Sample>
void Mosaic::add(int y, const Sample* pixels) {
  const int row = cell_of(y, grid_.rows, grid_.height);
  for (int column = 0; column < grid_.columns; ++column) {
    std::uint64_t sums[kComponents] = {};
    const Sample* end = pixels + static_cast<std::size_t>(left_of(column + 1)) * kComponents;
    for (const Sample* at = pixels + static_cast<std::size_t>(left_of(column)) * kComponents;
         at != end; at += kComponents) {
      for (std::size_t c = 0; c < kComponents; ++c) sums[c] += at[c];
    }
    for (std::size_t c = 0; c < kComponents; ++c) sums_[index(column, row) + c] += sums[c];
  }
}

template <typename Sample>
void Mosaic::write_squares(int y, Sample* pixels) const {
  const int row = cell_of(y, grid_.rows, grid_.height);
  for (int column = 0; column < grid_.columns; ++column) {
    Sample color[kComponents];
    for (std::size_t c = 0; c < kComponents; ++c) {
      color[c] = static_cast<Sample>(std::lround(mean(column, row, c)));
    }
    for (int x = left_of(column); x < left_of(column + 1); ++x, pixels += kComponents) {
      std::copy_n(color, kComponents, pixels);
    }
  }
}

// A quadratic B-spline: straight lines between the centres of cells would be seen as such.
Mosaic::Blend Mosaic::blend_at(int pixel, int cells, int pixels) {
  // Where the pixel's centre lies, from 0 in the centre of the first cell.
  const float place =
      (static_cast<float>(pixel) + 0.5f) * static_cast<float>(cells) / static_cast<float>(pixels) -
      0.5f;
  const float nearest = std::round(place);
  const float off = place - nearest;
  Blend blend{.cells = {},
              .shares = {(0.5f - off) * (0.5f - off) / 2, 0.75f - off * off,
                         (0.5f + off) * (0.5f + off) / 2}};
  for (int i = 0; i < 3; ++i) {
    const int cell = std::clamp(static_cast<int>(nearest) + i - 1, 0, cells - 1);
    blend.cells[static_cast<std::size_t>(i)] = static_cast<std::size_t>(cell);
  }
  return blend;
}

template <typename Sample>
void Mosaic::write_smooth(int y, Sample* pixels) {
  if (across_.empty()) {
    for (int x = 0; x < grid_.width; ++x) {
      across_.push_back(blend_at(x, grid_.columns, grid_.width));
    }
  }
  const Blend down = blend_at(y, grid_.rows, grid_.height);
  std::fill(line_.begin(), line_.end(), 0.0f);
  for (std::size_t i = 0; i < down.cells.size(); ++i) {
    for (int column = 0; column < grid_.columns; ++column) {
      for (std::size_t c = 0; c < kComponents; ++c) {
        line_[static_cast<std::size_t>(column) * kComponents + c] +=
            down.shares[i] * static_cast<float>(mean(column, static_cast<int>(down.cells[i]), c));
      }
    }
  }
  for (const auto& [cells, shares] : across_) {
    for (std::size_t c = 0; c < kComponents; ++c) {
      const float value = shares[0] * line_[cells[0] * kComponents + c] +
                          shares[1] * line_[cells[1] * kComponents + c] +
                          shares[2] * line_[cells[2] * kComponents + c];
      pixels[c] = static_cast<Sample>(value + 0.5f);
    }
    pixels += kComponents;
  }
}

template <typename Sample>
void Mosaic::write(int y, MosaicLook look, Sample* pixels) {
  if (look == MosaicLook::squares) {
    write_squares(y, pixels);
  } else {
    write_smooth(y, pixels);
  }
}

template void Mosaic::add(int, const std::uint8_t*);
template void Mosaic::add(int, const std::uint16_t*);
template void Mosaic::write(int, MosaicLook, std::uint8_t*);
template void Mosaic::write(int, MosaicLook, std::uint16_t*);

namespace {

// On every side, of the longer side of the box.
constexpr double kMargin = 0.1;
// No format has samples of colour that are wider or higher.
constexpr int kColorSample = 4;

struct Span {
  int begin, end;
};

// Not beyond the frame, and else a whole number of samples.
Span cover_side(double begin, double end, double margin, int limit) {
  const auto inside = [limit](double samples) {
    return static_cast<int>(std::clamp<double>(samples * kColorSample, 0, limit));
  };
  return {inside(std::floor((begin - margin) / kColorSample)),
          inside(std::ceil((end + margin) / kColorSample))};
}

std::optional<PixelRect> cover_of(const BoundingBox& box, int frame_width, int frame_height) {
  if (!box.is_valid()) return std::nullopt;
  const double left = static_cast<double>(box.x), right = static_cast<double>(box.right());
  const double top = static_cast<double>(box.y), bottom = static_cast<double>(box.bottom());
  const bool is_seen = right > 0 && bottom > 0 && left < frame_width && top < frame_height;
  if (!is_seen) return std::nullopt;
  const double margin = kMargin * std::max(right - left, bottom - top) + 1;
  const Span across = cover_side(left, right, margin, frame_width);
  const Span down = cover_side(top, bottom, margin, frame_height);
  const PixelRect rect{across.begin, down.begin, across.end - across.begin, down.end - down.begin};
  return rect.is_empty() ? std::nullopt : std::optional(rect);
}

// `place` is in pixels of `window`. Read twice, row by row, since a frame may be large.
template <typename Sample>
void cover_window(const GstVideoFrame& window, const PixelRect& place, MosaicLook look) {
  FrameRows<Sample> rows(window);
  Mosaic mosaic(MosaicGrid(place.width, place.height));
  const std::size_t first = static_cast<std::size_t>(place.x) * rows.kComponents;
  for (int y = 0; y < place.height; ++y) mosaic.add_row(y, rows.read(place.y + y) + first);
  for (int y = 0; y < place.height; ++y) {
    mosaic.write_row(y, look, rows.read(place.y + y) + first);
    rows.write(place.y + y);
  }
}

}  // namespace

std::vector<PixelRect> covers_of(std::span<const TrackRegion> regions, int frame_width,
                                 int frame_height) {
  std::vector<PixelRect> all;
  for (const TrackRegion& region : regions) {
    const auto rect = cover_of(region.box, frame_width, frame_height);
    if (rect) all.push_back(*rect);
  }
  // A rectangle in a larger one is covered with it. A thousand boxes, one in the other, cost as
  // one.
  std::sort(all.begin(), all.end(), [](const PixelRect& a, const PixelRect& b) {
    const auto key = [](const PixelRect& r) {
      return std::tuple(-std::int64_t{r.width} * r.height, r);
    };
    return key(a) < key(b);
  });
  std::vector<PixelRect> covers;
  for (const PixelRect& rect : all) {
    const bool is_covered = std::any_of(covers.begin(), covers.end(), [&](const PixelRect& other) {
      return intersection(rect, other) == rect;
    });
    if (!is_covered) covers.push_back(rect);
  }
  return covers;
}

void cover(const GstVideoFrame& whole_frame, std::span<const PixelRect> covers, MosaicLook look) {
  if (covers.empty()) return;  // a frame may have to be copied first
  AlignedFrame aligned(whole_frame);
  GstVideoFrame frame = aligned.get();
  drop_split_group(frame);
  const int frame_width = GST_VIDEO_FRAME_WIDTH(&frame);
  for (const PixelRect& rect : covers) {
    PixelRect place = intersection(rect, {0, 0, frame_width, GST_VIDEO_FRAME_HEIGHT(&frame)});
    if (place.is_empty()) continue;
    const GstVideoFrame window = window_around(frame, place);
    if (has_wide_samples(frame)) {
      cover_window<std::uint16_t>(window, place, look);
    } else {
      cover_window<std::uint8_t>(window, place, look);
    }
  }
  aligned.write_back();
}

}  // namespace cltrack::gst
