// SPDX-License-Identifier: LGPL-2.1-or-later
// The counterpart of ColorPicture for operations that run on devices.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "cltrack/bounding_box.h"
#include "cltrack/color_picture.h"
#include "cltrack/export.h"
#include "cltrack/image_view.h"
#include "cltrack/track.h"
#include "compute/array.h"
#include "kernels/kernel_types.h"

namespace cltrack {

class ColorPlanes {
 public:
  // Takes the picture without copying it, see Memory::borrow(). Interleaved components (packed
  // formats, NV12) are copied to devices together. Throws Error{invalid_argument} if it is empty or
  // more than kLargestColorWidth pixels wide.
  // `lent`: as for Memory::borrow().
  void borrow(const ColorPicture& picture, std::shared_ptr<const LentMemory> lent = nullptr);
  // If the first component lies where the pixels of `luma` do, it is not copied again: `luma` must
  // stay borrowed until release(). If that is lent, so is the picture.
  void borrow(const ColorPicture& picture, const Plane& luma);
  void release();

  // What it is like. The pixels are there, unless they are lent.
  const ColorPicture& picture() const { return picture_; }
  // The pixels are there.
  const ColorPicture& host_picture() const;
  const ColorLayout& layout() const { return layout_; }
  const Array<std::uint8_t>& plane(std::size_t component) const {
    const std::size_t plane = plane_of_[component];
    return plane == 0 && luma_ != nullptr ? luma_->pixels : planes_[plane];
  }

 private:
  void take(const ColorPicture& picture, const Plane* luma,
            const std::shared_ptr<const LentMemory>& lent);

  ColorPicture picture_;
  ColorLayout layout_ = {};
  const Plane* luma_ = nullptr;  // has the first plane
  std::array<std::size_t, 3> plane_of_ = {};
  std::array<Array<std::uint8_t>, 3> planes_;
};

inline constexpr int kLargestColorWidth = 1 << 16;

// A picture with colours or with luma alone, for ops that take both. Both planes have to stay.
class PictureSource {
 public:
  PictureSource(const ColorPlanes& colors) : colors_(&colors) {}  // NOLINT: is one
  PictureSource(const Plane& luma) : luma_(&luma) {}              // NOLINT: is one

  int width() const { return colors_ != nullptr ? colors_->picture().width : luma_->width(); }
  int height() const { return colors_ != nullptr ? colors_->picture().height : luma_->height(); }
  ColorSpace space() const {
    return colors_ != nullptr ? colors_->picture().space : ColorSpace::none;
  }
  YuvEncoding encoding() const {
    return colors_ != nullptr ? colors_->picture().encoding : YuvEncoding();
  }
  ColorPicture picture() const;  // on the host
  // Begins to bring the rows that show a box there, and says that they are: Memory::prefetch().
  void prefetch(Queue& queue, const BoundingBox& box) const;
  void arrived() const;
  ColorLayout layout() const;
  // All are the same of luma alone.
  const Array<std::uint8_t>& plane(std::size_t component) const {
    return colors_ != nullptr ? colors_->plane(component) : luma_->pixels;
  }

 private:
  const ColorPlanes* colors_ = nullptr;
  const Plane* luma_ = nullptr;  // one of them
};

// The picture of ColorSpace::none whose first component is `luma`.
CLTRACK_API ColorPicture luma_picture(const ImageView& luma);

// MOCT's pass over a frame: labels of pixels, runs of equal labels, sums of each label.

// The label of a pixel, that is the object that its colour stands for: one read of a table,
// whatever the number of objects.

// Objects are counted from 1 to 255; label 0 is none of them.
inline constexpr int kMaxColorObjects = 255;

// The upper bits of each component that count.
inline constexpr int kColorBits = CLTRACK_COLOR_BITS;
inline constexpr std::size_t kColorCells = std::size_t{1} << (3 * kColorBits);

// Cell of a colour in the table. All values of the first component are contiguous: if it is the
// brightness, neighbours in the picture are close in the table.
constexpr std::uint32_t color_cell(std::uint8_t c0, std::uint8_t c1, std::uint8_t c2) {
  constexpr int drop = 8 - kColorBits;
  return static_cast<std::uint32_t>(c1 >> drop << (2 * kColorBits) | c2 >> drop << kColorBits |
                                    c0 >> drop);
}

// The label of each cell, for one encoding of pictures.
using ColorTable = std::vector<std::uint8_t>;  // kColorCells entries

// Writes the labels of `count` pixels from `x` on of row `y`. The row must lie in the picture.
void label_row(const ColorPicture& picture, const std::uint8_t* table, int x, int y, int count,
               std::uint8_t* labels);

// Runs: neighbouring pixels of a row with the same label, of which sums and blobs are made. A
// picture has far fewer runs than pixels.

struct ColorRun {
  int y = 0;
  int left = 0;  // pixels [left, right)
  int right = 0;
  int label = 0;  // never 0

  friend bool operator==(const ColorRun&, const ColorRun&) = default;
};

// The memory that ops on colours keep from picture to picture, so that nothing is allocated.
struct ColorScratch {
  // The rows that a thread of the host works on.
  struct Part {
    std::vector<std::uint8_t> labels;  // of a row
    std::vector<ColorSum> sums;
    std::vector<ColorRun> runs;
  };

  std::vector<Part> parts;
  // These are a device's.
  Array<std::uint8_t> labels;
  Array<std::uint32_t> partial_sums;

  // Calls body(part, first_row, last_row) for all rows of a picture, on the threads of the host.
  template <typename Body>
  void run_parts(Queue& host, int height, const Body& body) {
    constexpr int kPartsOfThread = 4;  // rows with more runs take longer
    const int count = host.threads() > 1 ? kPartsOfThread * host.threads() : 1;
    parts.resize(static_cast<std::size_t>(count));
    host.run(count, [&](int i) {
      body(parts[static_cast<std::size_t>(i)], height * i / count, height * (i + 1) / count);
    });
  }
};

// The runs of a picture, row by row and from left to right. A device makes the labels, and the
// threads of `host` make runs of them: waits for the device. `table` has kColorCells entries.
// Throws Error.
void color_runs(Queue& queue, Queue& host, const ColorPlanes& planes,
                const Array<std::uint8_t>& table, ColorScratch& scratch,
                std::vector<ColorRun>& runs);

// End of the run that begins at `from`: eight labels are compared at a time.
inline int run_end(const std::uint8_t* labels, int from, int width) {
  const std::uint8_t label = labels[from];
  const std::uint64_t pattern = 0x0101010101010101ull * label;
  int x = from + 1;
  for (; x + 8 <= width; x += 8) {
    std::uint64_t eight;
    std::memcpy(&eight, labels + x, 8);
    if (const std::uint64_t different = eight ^ pattern; different != 0) {
      if constexpr (std::endian::native == std::endian::little) {
        return x + std::countr_zero(different) / 8;
      } else {
        return x + std::countl_zero(different) / 8;
      }
    }
  }
  while (x < width && labels[x] == label) ++x;
  return x;
}

// Calls visit(run) for each run of a row of labels, from left to right.
template <typename Visit>
void for_each_run(const std::uint8_t* labels, int width, int y, Visit&& visit) {
  for (int x = 0; x < width;) {
    const int end = run_end(labels, x, width);
    if (labels[x] != 0) visit(ColorRun{y, x, end, labels[x]});
    x = end;
  }
}

// The same for the rows [first_row, last_row) of a picture; `labels` is overwritten.
template <typename Visit>
void for_each_run(const ColorPicture& picture, const std::uint8_t* table, int first_row,
                  int last_row, std::vector<std::uint8_t>& labels, Visit&& visit) {
  labels.resize(static_cast<std::size_t>(picture.width));
  for (int y = first_row; y < last_row; ++y) {
    label_row(picture, table, 0, y, picture.width, labels.data());
    for_each_run(labels.data(), picture.width, y, visit);
  }
}

// The objects of a picture by their colours: number of pixels, sums of their places and bounding
// box of all objects in one pass (Vasconcelos et al., "Real-Time Video Processing for Multi-Object
// Chromatic Tracking", BMVC 2008, section 3). The paper reads each pixel once for every object of
// its cell; here it is read once.

// ColorSum is in kernel_types.h: { count, sum_x, sum_y, left, top, right, bottom }; right and
// bottom are exclusive. 64 bits: no picture is too large.
inline constexpr ColorSum kNoColorSum = {
    0, 0, 0, std::numeric_limits<std::int32_t>::max(), std::numeric_limits<std::int32_t>::max(),
    0, 0};

// The mean place of the pixels; there must be some.
inline TrackPoint centroid_of(const ColorSum& sum) {
  const auto count = static_cast<double>(sum.count);
  return {static_cast<float>(static_cast<double>(sum.sum_x) / count),
          static_cast<float>(static_cast<double>(sum.sum_y) / count)};
}

void add_run(ColorSum& sum, const ColorRun& run);
void add_sum(ColorSum& sum, const ColorSum& other);

// The sums of `objects` objects (1 to kMaxColorObjects); entry i is that of label i + 1, and larger
// labels are left out. `table` has kColorCells entries. Resizes `sums`. The picture is at most
// 65536 pixels wide. Does not wait. Throws Error.
void color_sums(Queue& queue, const ColorPlanes& planes, const Array<std::uint8_t>& table,
                int objects, ColorScratch& scratch, Array<ColorSum>& sums);

namespace reference {
// Adds the rows [first_row, last_row) to `sums`; `labels` is overwritten.
void color_sums(const ColorPicture& picture, const std::uint8_t* table, int first_row, int last_row,
                std::vector<std::uint8_t>& labels, std::span<ColorSum> sums);
}  // namespace reference

// The launches of color_sums.h with any work partition. For ops/color, its tests and benchmarks
// alone.

// docs/notes/color.md has measurements.
struct ColorPartition {
  int rows = 2;            // of a work-group; fewer if they have more than 65536 pixels
  int run = 16;            // pixels of a work-item at a time
  int items = 128;         // of a work-group
  bool by_object = false;  // layout of partial sums: by object, or by work-group
};

void launch_color_sums(const ColorPartition& partition, Queue& queue, const ColorPlanes& planes,
                       const Array<std::uint8_t>& table, int objects, ColorScratch& scratch,
                       Array<ColorSum>& sums);

}  // namespace cltrack
