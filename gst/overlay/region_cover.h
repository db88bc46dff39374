// SPDX-License-Identifier: LGPL-2.1-or-later
// Hides regions: squares or a blur of the means of a few cells, and where they go.
#pragma once

#include <gst/video/video.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "metadata/track_meta.h"
#include "overlay/overlay_painter.h"

namespace cltrack::gst {

// The rest of a region that nobody is to recognise: the means of a few cells, shown as squares
// or, blurred, with smooth transitions. Both keep the same, and no more than that, of a picture.

enum class MosaicLook { squares, smooth };

// Sides in pixels and cells of a mosaic of width x height pixels: kCells along the longer side,
// so that a large face keeps no more than a small one.
struct MosaicGrid {
  static constexpr int kCells = 6;
  static constexpr int kSmallestCell = 4;  // pixels

  MosaicGrid(int width, int height);

  int width, height;
  int columns, rows;
};

// A mosaic of pixels of four components, 8 or 16 bits each. All rows are added, and then written,
// which may be in the same place. Indices of rows are within the grid's height.
class Mosaic {
 public:
  explicit Mosaic(const MosaicGrid& grid);

  void add_row(int y, const std::uint8_t* pixels) { add(y, pixels); }
  void add_row(int y, const std::uint16_t* pixels) { add(y, pixels); }

  void write_row(int y, MosaicLook look, std::uint8_t* pixels) { write(y, look, pixels); }
  void write_row(int y, MosaicLook look, std::uint16_t* pixels) { write(y, look, pixels); }

 private:
  static constexpr std::size_t kComponents = 4;

  template <typename Sample>
  void add(int y, const Sample* pixels);
  template <typename Sample>
  void write(int y, MosaicLook look, Sample* pixels);
  template <typename Sample>
  void write_squares(int y, Sample* pixels) const;
  template <typename Sample>
  void write_smooth(int y, Sample* pixels);

  // The first pixel of a cell; that of the one after the last is the size.
  int left_of(int column) const { return first_pixel(column, grid_.columns, grid_.width); }
  static int first_pixel(int cell, int cells, int pixels);
  static int cell_of(int pixel, int cells, int pixels);
  double mean(int column, int row, std::size_t component) const;
  std::size_t index(int column, int row) const;

  // The weights in a pixel of the means of the cells around it.
  struct Blend {
    std::array<std::size_t, 3> cells;
    std::array<float, 3> shares;
  };
  static Blend blend_at(int pixel, int cells, int pixels);

  MosaicGrid grid_;
  std::vector<std::uint64_t> sums_;  // by rows, columns and components
  std::vector<Blend> across_;        // of each pixel of a row
  std::vector<float> line_;          // means of a row of pixels, by columns and components
};

// Makes regions of a frame unrecognisable.

// The parts of a frame that have to be covered so that nothing of `regions` shows: boxes, and a
// margin around them, since a box may be a little off; whole samples of colour, too. Largest first,
// none within another, none empty.
std::vector<PixelRect> covers_of(std::span<const TrackRegion> regions, int frame_width,
                                 int frame_height);

// Replaces the pixels of `covers`, which lie in the frame, by a mosaic each. No others change.
// `frame` is mapped for reading and writing.
void cover(const GstVideoFrame& frame, std::span<const PixelRect> covers, MosaicLook look);

}  // namespace cltrack::gst
