// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/network/sample_pictures.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cltrack/error.h"
#include "compute/launch.h"
#include "core/processor.h"
#include "ops/filter/sample_windows.h"
#include "ops/job_parts.h"

namespace cltrack {
namespace {

constexpr int kPixelBits = CLTRACK_WINDOW_PIXEL_BITS;
constexpr int kFraction = 1 << CLTRACK_PICTURE_BITS;
constexpr float kUnit = 1.0f / (kFraction * kFraction);

// Of the values of a component, [0, (count - 1) >> shift], those on both sides of a position, and
// how much the second one counts.
struct Neighbours {
  int first, second, share;

  [[gnu::always_inline]] Neighbours(int position, int shift, int count) {
    const int at = (position >> shift) - (1 << (kPixelBits - 1));  // its values have middles, too
    const int last = (count - 1) >> shift;
    first = std::clamp(at >> kPixelBits, 0, last);
    second = std::clamp((at >> kPixelBits) + 1, 0, last);
    share = (at & ((1 << kPixelBits) - 1)) >> (kPixelBits - CLTRACK_PICTURE_BITS);
  }
};

// The middle of a place.
[[gnu::always_inline]] inline int middle(int begin, int step, int place) {
  return begin + place * step + step / 2;
}

[[gnu::always_inline]] inline bool is_inside(int position, int count) {
  return position >= 0 && position >> kPixelBits < count;
}

[[gnu::always_inline]] inline int blend(int first, int second, int share) {
  return first * (kFraction - share) + second * share;
}

// Blue, green or red, of components less the offsets.
[[gnu::always_inline]] inline float color_of(const float* row, float c0, float c1, float c2,
                                             float mean) {
  const float sum = (row[0] * c0 + row[1] * c1) + row[2] * c2;
  const float least = sum > 0 ? sum : 0.0f;
  return (least < 255 ? least : 255.0f) - mean;
}

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorCode::invalid_argument, "sample_pictures: " + what);
}

}  // namespace

PictureJob picture_job(const BoundingBox& box, int side, const PictureColor& fill) {
  if (!(box.width <= kMostPictureLength) || !(box.height <= kMostPictureLength)) {
    refuse("a window of " + std::to_string(box.width) + " x " + std::to_string(box.height) +
           " pixels; allowed: up to " + std::to_string(kMostPictureLength));
  }
  const WindowJob window = window_job(box, side);
  return {.x = window.x,
          .y = window.y,
          .step_x = window.step_x,
          .step_y = window.step_y,
          .fill = {fill[0], fill[1], fill[2]},
          .unused = 0};
}

PictureColors picture_colors(ColorSpace space, const YuvEncoding& encoding,
                             const PictureColor& mean) {
  PictureColors colors = {.matrix = {1, 0, 0, 1, 0, 0, 1, 0, 0},
                          .offset = {0, 0, 0},
                          .mean = {mean[0], mean[1], mean[2]},
                          .components = space == ColorSpace::none ? 1 : 3};
  const auto set = [&](const std::array<double, 9>& matrix) {
    std::ranges::transform(matrix, colors.matrix, [](double x) { return static_cast<float>(x); });
  };
  if (space == ColorSpace::rgb) {
    set({0, 0, 1, 0, 1, 0, 1, 0, 0});
  } else if (space == ColorSpace::yuv) {
    const double red = encoding.red, blue = encoding.blue, green = 1 - red - blue;
    const bool is_full = encoding.full_range;
    const double luma = is_full ? 1 : 255.0 / 219, chroma = is_full ? 1 : 255.0 / 224;
    const double of_red = 2 * (1 - red) * chroma, of_blue = 2 * (1 - blue) * chroma;
    set({luma, of_blue, 0, luma, -of_blue * blue / green, -of_red * red / green, luma, 0, of_red});
    colors.offset[0] = is_full ? 0 : 16;
    colors.offset[1] = colors.offset[2] = 128;
  }
  return colors;
}

namespace reference {

void sample_picture(const ColorPicture& frame, const PictureJob& job, const PictureColors& colors,
                    int side, std::span<float> values) {
  float* to = values.data();
  for (int j = 0; j < side; ++j) {
    for (int i = 0; i < side; ++i, to += 3) {
      const int x = middle(job.x, job.step_x, i), y = middle(job.y, job.step_y, j);
      if (!is_inside(x, frame.width) || !is_inside(y, frame.height)) {
        for (int k = 0; k < 3; ++k) to[k] = job.fill[k] - colors.mean[k];
        continue;
      }
      float components[3] = {};
      for (std::size_t c = 0; c < static_cast<std::size_t>(colors.components); ++c) {
        const ColorComponent& from = frame.components[c];
        const Neighbours columns(x, from.shift_x, frame.width);
        const Neighbours rows(y, from.shift_y, frame.height);
        const auto value = [&](int column, int row) {
          return int{from.data[row * from.stride + std::ptrdiff_t{column} * from.step]};
        };
        const auto of_column = [&](int column) {
          return blend(value(column, rows.first), value(column, rows.second), rows.share);
        };
        components[c] = static_cast<float>(blend(of_column(columns.first),
                                                 of_column(columns.second), columns.share)) *
                            kUnit -
                        colors.offset[c];
      }
      for (int k = 0; k < 3; ++k) {
        to[k] = color_of(colors.matrix + std::ptrdiff_t{3} * k, components[0], components[1],
                         components[2], colors.mean[k]);
      }
    }
  }
}

}  // namespace reference

namespace vector {

namespace {

// Columns of a component that a row of places reads.
struct Columns {
  int low, count;
  std::vector<int> first, second, share;  // by place; columns from `low` on
  std::vector<int> blended;               // of two rows

  Columns(const PictureJob& job, int side, int shift, int width) {
    const auto places = static_cast<std::size_t>(side);
    first.resize(places), second.resize(places), share.resize(places);
    low = Neighbours(middle(job.x, job.step_x, 0), shift, width).first;
    count = Neighbours(middle(job.x, job.step_x, side - 1), shift, width).second - low + 1;
    for (int i = 0; i < side; ++i) {
      const Neighbours at(middle(job.x, job.step_x, i), shift, width);
      const auto place = static_cast<std::size_t>(i);
      first[place] = at.first - low, second[place] = at.second - low, share[place] = at.share;
    }
    blended.resize(static_cast<std::size_t>(count));
  }
};

// A component along a row of places.
[[gnu::always_inline]] inline void interpolate(const ColorComponent& from, const Neighbours& rows,
                                               Columns& columns, int side, float offset,
                                               float* values) {
  const std::ptrdiff_t step = from.step;
  const std::uint8_t* above = from.data + rows.first * from.stride + columns.low * step;
  const std::uint8_t* below = from.data + rows.second * from.stride + columns.low * step;
  int* const blended = columns.blended.data();
  const int share = rows.share, count = columns.count;
  if (step == 1) {
    for (int x = 0; x < count; ++x) blended[x] = blend(above[x], below[x], share);
  } else {
    for (int x = 0; x < count; ++x) blended[x] = blend(above[x * step], below[x * step], share);
  }
  const int *first = columns.first.data(), *second = columns.second.data(),
            *shares = columns.share.data();
  for (int i = 0; i < side; ++i) {
    values[i] =
        static_cast<float>(blend(blended[first[i]], blended[second[i]], shares[i])) * kUnit -
        offset;
  }
}

[[gnu::always_inline]] inline void sample(const ColorPicture& frame, const PictureJob& job,
                                          const PictureColors& colors, int side, float* to) {
  const auto components = static_cast<std::size_t>(colors.components);
  std::vector<Columns> columns;
  for (std::size_t c = 0; c < components; ++c) {
    columns.emplace_back(job, side, frame.components[c].shift_x, frame.width);
  }
  std::vector<float> rows(static_cast<std::size_t>(6 * side));
  float* const c0 = rows.data();
  float *const c1 = c0 + side, *const c2 = c1 + side, *const made = c2 + side;
  // Places of a row that lie within the frame.
  int begin = 0, end = side;
  while (begin < end && !is_inside(middle(job.x, job.step_x, begin), frame.width)) ++begin;
  while (end > begin && !is_inside(middle(job.x, job.step_x, end - 1), frame.width)) --end;
  for (int j = 0; j < side; ++j, to += std::ptrdiff_t{3} * side) {
    const int y = middle(job.y, job.step_y, j);
    const bool is_row_inside = is_inside(y, frame.height);
    if (is_row_inside) {
      for (std::size_t c = 0; c < components; ++c) {
        const ColorComponent& from = frame.components[c];
        interpolate(from, Neighbours(y, from.shift_y, frame.height), columns[c], side,
                    colors.offset[c], c0 + c * static_cast<std::size_t>(side));
      }
      for (int k = 0; k < 3; ++k) {
        const float* const row = colors.matrix + std::ptrdiff_t{3} * k;
        const float mean = colors.mean[k];
        float* const of_color = made + std::ptrdiff_t{k} * side;
        for (int i = 0; i < side; ++i) of_color[i] = color_of(row, c0[i], c1[i], c2[i], mean);
      }
    }
    const int from = is_row_inside ? begin : side, until = is_row_inside ? end : side;
    for (int k = 0; k < 3; ++k) {
      const float fill = job.fill[k] - colors.mean[k];
      const float* const of_color = made + std::ptrdiff_t{k} * side;
      for (int i = 0; i < from; ++i) to[3 * i + k] = fill;
      for (int i = from; i < until; ++i) to[3 * i + k] = of_color[i];
      for (int i = until; i < side; ++i) to[3 * i + k] = fill;
    }
  }
}

}  // namespace

void sample_picture(const ColorPicture& frame, const PictureJob& job, const PictureColors& colors,
                    int side, std::span<float> values) {
  kFastest<sample>(frame, job, colors, side, values.data());
}

}  // namespace vector

namespace {

constexpr int kItems = 64;  // of a work-group

}  // namespace

void sample_pictures(Queue& queue, const PictureSource& frame, const Array<PictureJob>& jobs,
                     int side, const PictureColor& mean, Array<float>& pictures) {
  if (side < 1 || side > kMostPictureSide) {
    refuse("pictures of " + std::to_string(side) + " places a side; allowed: 1 to " +
           std::to_string(kMostPictureSide));
  }
  if (frame.width() < 1 || frame.height() < 1) refuse("no frame");
  const std::size_t places = static_cast<std::size_t>(side) * static_cast<std::size_t>(side);
  pictures.resize(jobs.size() * 3 * places);
  if (jobs.size() == 0) return;
  const PictureColors colors = picture_colors(frame.space(), frame.encoding(), mean);
  if (queue.is_host()) {
    const ColorPicture picture = frame.picture();
    const auto to = pictures.host_write();
    for_each_job(queue, jobs.host_read(), [&](const PictureJob& job, std::size_t i) {
      vector::sample_picture(picture, job, colors, side, entry_at(to, i, 3 * places));
    });
    return;
  }
  launch(queue, {"sample_pictures", "sample_pictures"}, global(places, jobs.size()),
         local(kItems, 1), in(frame.plane(0)), in(frame.plane(1)), in(frame.plane(2)),
         frame.layout(), colors, in(jobs), side, out(pictures));
}

}  // namespace cltrack
