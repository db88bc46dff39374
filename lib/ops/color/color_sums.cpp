// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/color/color_sums.h"

#include <algorithm>
#include <string>

#include "cltrack/error.h"
#include "compute/launch.h"
#include "compute/lent_picture.h"

namespace cltrack {
namespace {

// First and last byte of a component, relative to its data.
struct Extent {
  const std::uint8_t* begin;
  const std::uint8_t* end;
};

Extent extent_of(const ColorPicture& picture, const ColorComponent& component) {
  const std::ptrdiff_t rows = (picture.height - 1) >> component.shift_y;
  const std::ptrdiff_t columns = (picture.width - 1) >> component.shift_x;
  const std::uint8_t* last_row = component.data + rows * component.stride;
  return {std::min(component.data, last_row),
          std::max(component.data, last_row) + columns * component.step + 1};
}

}  // namespace

void ColorPlanes::borrow(const ColorPicture& picture, std::shared_ptr<const LentMemory> lent) {
  take(picture, nullptr, lent);
}

void ColorPlanes::borrow(const ColorPicture& picture, const Plane& luma) {
  take(picture, &luma, luma.pixels.memory().lent());
}

void ColorPlanes::take(const ColorPicture& picture, const Plane* luma,
                       const std::shared_ptr<const LentMemory>& lent) {
  if (picture.empty() || picture.width > kLargestColorWidth) {
    throw Error(ErrorCode::invalid_argument,
                "a picture of " + std::to_string(picture.width) + "x" +
                    std::to_string(picture.height) +
                    " pixels: must be in colour, not empty, and at most 65536 pixels wide");
  }
  picture_ = picture;
  layout_ = {};
  layout_.width = picture.width;
  layout_.height = picture.height;
  std::array<Extent, 3> planes{};
  std::size_t count = 0;
  for (std::size_t c = 0; c < 3; ++c) {
    const Extent extent = extent_of(picture, picture.components[c]);
    // Interleaved components overlap.
    std::size_t plane = 0;
    while (plane < count &&
           (extent.begin >= planes[plane].end || extent.end <= planes[plane].begin)) {
      ++plane;
    }
    if (plane == count) {
      planes[count++] = extent;
    } else {
      planes[plane] = {std::min(planes[plane].begin, extent.begin),
                       std::max(planes[plane].end, extent.end)};
    }
    plane_of_[c] = plane;
  }
  luma_ = nullptr;
  if (luma != nullptr) {
    const auto* const pixels = static_cast<const std::uint8_t*>(luma->pixels.memory().borrowed());
    const bool is_first =
        planes[0].begin == pixels && planes[0].end == pixels + luma->pixels.size();
    if (is_first) luma_ = luma;
  }
  for (std::size_t plane = luma_ != nullptr ? 1 : 0; plane < count; ++plane) {
    planes_[plane].borrow({planes[plane].begin, planes[plane].end}, lent);
  }
  for (std::size_t c = 0; c < 3; ++c) {
    const ColorComponent& component = picture.components[c];
    layout_.components[c] = {.offset = component.data - planes[plane_of_[c]].begin,
                             .stride = component.stride,
                             .step = component.step,
                             .shift_x = component.shift_x,
                             .shift_y = component.shift_y,
                             .unused = 0};
  }
}

void ColorPlanes::release() {
  for (Array<std::uint8_t>& plane : planes_) plane.release();
  picture_ = {};
  luma_ = nullptr;
}

const ColorPicture& ColorPlanes::host_picture() const {
  if (!picture_.empty()) {
    for (std::size_t c = 0; c < 3; ++c) plane(c).host_read();
  }
  return picture_;
}

ColorPicture PictureSource::picture() const {
  return colors_ != nullptr ? colors_->host_picture() : luma_picture(luma_->host_view());
}

void PictureSource::prefetch(Queue& queue, const BoundingBox& box) const {
  const ColorLayout places = layout();
  const auto [first, last] = rows_of(box, height());
  for (std::size_t c = 0; c < (space() == ColorSpace::none ? 1 : 3); ++c) {
    const auto& place = places.components[c];
    const std::int64_t begin = place.offset + std::int64_t{first >> place.shift_y} * place.stride;
    const std::int64_t end = place.offset + std::int64_t{last >> place.shift_y} * place.stride +
                             std::int64_t{(width() - 1) >> place.shift_x} * place.step + 1;
    // Interleaved components come together.
    if (c == 2 && &plane(2) == &plane(1)) continue;
    if (c == 1 && &plane(1) == &plane(0)) continue;
    plane(c).memory().prefetch(queue, static_cast<std::size_t>(begin),
                               static_cast<std::size_t>(end - begin));
  }
}

void PictureSource::arrived() const {
  for (std::size_t c = 0; c < 3; ++c) plane(c).memory().arrived();
}

ColorLayout PictureSource::layout() const {
  if (colors_ != nullptr) return colors_->layout();
  ColorLayout layout = {};
  layout.width = luma_->width();
  layout.height = luma_->height();
  layout.components[0] = {.offset = luma_->layout.offset,
                          .stride = luma_->layout.stride,
                          .step = 1,
                          .shift_x = 0,
                          .shift_y = 0,
                          .unused = 0};
  return layout;
}

ColorPicture luma_picture(const ImageView& luma) {
  ColorPicture picture;
  picture.width = luma.width;
  picture.height = luma.height;
  picture.components[0] = {.data = luma.data, .stride = luma.stride};
  return picture;
}

namespace {

constexpr int kDrop = 8 - kColorBits;

template <int kValue>
struct Constant {
  constexpr operator int() const { return kValue; }  // NOLINT: stands for the number
};

struct Row {
  const std::uint8_t* c0;
  const std::uint8_t* c1;
  const std::uint8_t* c2;
};

// Steps are constants for common formats, which saves multiplications.
template <typename Step0, typename Step1>
void label_pixels(const Row& row, Step0 step0, Step1 step1, const std::uint8_t* table, int first,
                  int count, std::uint8_t* labels) {
  for (int i = 0; i < count; ++i) {
    const std::ptrdiff_t x = first + i;
    labels[i] = table[color_cell(row.c0[x * step0], row.c1[x * step1], row.c2[x * step1])];
  }
}

// Two neighbours share their chroma, and thus a part of the cell.
template <typename Step0, typename Step1>
void label_pairs(const Row& row, Step0 step0, Step1 step1, const std::uint8_t* table, int first,
                 int count, std::uint8_t* labels) {
  const auto label = [&](std::ptrdiff_t x, std::uint32_t chroma) {
    return table[chroma | static_cast<std::uint32_t>(row.c0[x * step0] >> kDrop)];
  };
  const auto chroma_at = [&](std::ptrdiff_t x) {
    const std::ptrdiff_t i = x >> 1;
    return color_cell(0, row.c1[i * step1], row.c2[i * step1]);
  };
  std::ptrdiff_t x = first;
  const std::ptrdiff_t end = x + count;
  if ((x & 1) != 0 && x < end) {
    *labels++ = label(x, chroma_at(x));
    ++x;
  }
  for (; x + 1 < end; x += 2) {
    const std::uint32_t chroma = chroma_at(x);
    labels[0] = label(x, chroma);
    labels[1] = label(x + 1, chroma);
    labels += 2;
  }
  if (x < end) *labels = label(x, chroma_at(x));
}

void label_any(const ColorPicture& picture, const Row& row, const std::uint8_t* table, int first,
               int count, std::uint8_t* labels) {
  const auto& c = picture.components;
  for (int i = 0; i < count; ++i) {
    const int x = first + i;
    const auto at = [&](const std::uint8_t* data, const ColorComponent& component) {
      return data[static_cast<std::ptrdiff_t>(x >> component.shift_x) * component.step];
    };
    labels[i] = table[color_cell(at(row.c0, c[0]), at(row.c1, c[1]), at(row.c2, c[2]))];
  }
}

}  // namespace

void label_row(const ColorPicture& picture, const std::uint8_t* table, int x, int y, int count,
               std::uint8_t* labels) {
  const auto& c = picture.components;
  const auto row_of = [y](const ColorComponent& component) {
    return component.data + (y >> component.shift_y) * component.stride;
  };
  const Row row = {row_of(c[0]), row_of(c[1]), row_of(c[2])};
  const bool alike = c[1].step == c[2].step && c[1].shift_x == c[2].shift_x && c[0].shift_x == 0;
  const int chroma_step = c[1].step;
  if (alike && c[1].shift_x == 1) {
    if (c[0].step == 1 && chroma_step == 1) {  // I420, YV12, Y42B
      return label_pairs(row, Constant<1>{}, Constant<1>{}, table, x, count, labels);
    }
    if (c[0].step == 1 && chroma_step == 2) {  // NV12, NV21, NV16
      return label_pairs(row, Constant<1>{}, Constant<2>{}, table, x, count, labels);
    }
    if (c[0].step == 2 && chroma_step == 4) {  // YUY2, UYVY
      return label_pairs(row, Constant<2>{}, Constant<4>{}, table, x, count, labels);
    }
  }
  if (alike && c[1].shift_x == 0 && c[0].step == chroma_step) {
    switch (chroma_step) {
      case 1:  // Y444, GBR
        return label_pixels(row, Constant<1>{}, Constant<1>{}, table, x, count, labels);
      case 3:  // RGB, BGR
        return label_pixels(row, Constant<3>{}, Constant<3>{}, table, x, count, labels);
      case 4:  // RGBx and its like
        return label_pixels(row, Constant<4>{}, Constant<4>{}, table, x, count, labels);
      default:
        break;
    }
  }
  label_any(picture, row, table, x, count, labels);
}

namespace {

constexpr int kItems = 64;  // of a work-group: neighbours of a row

void launch_labels(Queue& queue, const ColorPlanes& planes, const Array<std::uint8_t>& table,
                   Array<std::uint8_t>& labels) {
  const ColorPicture& picture = planes.picture();
  labels.resize(static_cast<std::size_t>(picture.width) * static_cast<std::size_t>(picture.height));
  launch(queue, {"color_labels", "color_labels"}, global(picture.width, picture.height),
         local(kItems, 1), in(planes.plane(0)), in(planes.plane(1)), in(planes.plane(2)),
         planes.layout(), in(table), out(labels));
}

}  // namespace

void color_runs(Queue& queue, Queue& host, const ColorPlanes& planes,
                const Array<std::uint8_t>& table, ColorScratch& scratch,
                std::vector<ColorRun>& runs) {
  const ColorPicture& picture = planes.picture();
  if (picture.empty() || table.size() != kColorCells) {
    throw Error(ErrorCode::invalid_argument, "color_runs: no picture, or no table");
  }
  const std::uint8_t* cells = nullptr;
  const std::uint8_t* labels = nullptr;
  const ColorPicture* pixels = nullptr;
  if (queue.is_host()) {
    pixels = &planes.host_picture();
    cells = table.host_read().data();
  } else {
    launch_labels(queue, planes, table, scratch.labels);
    scratch.labels.fetch();
    queue.finish();
    labels = scratch.labels.host_read().data();
  }
  scratch.run_parts(host, picture.height, [&](ColorScratch::Part& part, int first, int last) {
    part.runs.clear();
    const auto keep = [&](const ColorRun& run) { part.runs.push_back(run); };
    if (labels == nullptr) {
      for_each_run(*pixels, cells, first, last, part.labels, keep);
      return;
    }
    for (int y = first; y < last; ++y) {
      for_each_run(labels + static_cast<std::ptrdiff_t>(y) * picture.width, picture.width, y, keep);
    }
  });
  runs.clear();
  for (const ColorScratch::Part& part : scratch.parts) {
    runs.insert(runs.end(), part.runs.begin(), part.runs.end());
  }
}

namespace {

constexpr int kFoldItems = 64;        // of a work-group
constexpr int kMostPixels = 1 << 16;  // of a group, so that its sums fit into 32 bits

void check(const ColorPlanes& planes, const Array<std::uint8_t>& table, int objects) {
  if (planes.picture().empty()) {
    throw Error(ErrorCode::invalid_argument, "color_sums: no picture");
  }
  if (objects < 1 || objects > kMaxColorObjects || table.size() != kColorCells) {
    throw Error(ErrorCode::invalid_argument,
                "color_sums: " + std::to_string(objects) + " objects, a table of " +
                    std::to_string(table.size()) + "; must be 1 to 255 objects, and a table of " +
                    std::to_string(kColorCells));
  }
}

void sum_on_host(Queue& queue, const ColorPicture& picture, const std::uint8_t* table,
                 ColorScratch& scratch, std::span<ColorSum> sums) {
  scratch.run_parts(queue, picture.height, [&](ColorScratch::Part& part, int first, int last) {
    part.sums.assign(sums.size(), kNoColorSum);
    reference::color_sums(picture, table, first, last, part.labels, part.sums);
  });
  std::ranges::fill(sums, kNoColorSum);
  for (const ColorScratch::Part& part : scratch.parts) {
    for (std::size_t i = 0; i < sums.size(); ++i) add_sum(sums[i], part.sums[i]);
  }
}

}  // namespace

void color_sums(Queue& queue, const ColorPlanes& planes, const Array<std::uint8_t>& table,
                int objects, ColorScratch& scratch, Array<ColorSum>& sums) {
  check(planes, table, objects);
  sums.resize(static_cast<std::size_t>(objects));
  if (queue.is_host()) {
    sum_on_host(queue, planes.host_picture(), table.host_read().data(), scratch, sums.host_write());
    return;
  }
  launch_color_sums({}, queue, planes, table, objects, scratch, sums);
}

void launch_color_sums(const ColorPartition& partition, Queue& queue, const ColorPlanes& planes,
                       const Array<std::uint8_t>& table, int objects, ColorScratch& scratch,
                       Array<ColorSum>& sums) {
  const ColorPicture& picture = planes.picture();
  const int rows = std::clamp(partition.rows, 1, std::max(1, kMostPixels / picture.width));
  const int groups = (picture.height + rows - 1) / rows;
  const int numbers = objects * CLTRACK_COLOR_NUMBERS;
  const int number_stride = partition.by_object ? groups : 1;
  const int group_stride = partition.by_object ? 1 : numbers;
  sums.resize(static_cast<std::size_t>(objects));
  scratch.partial_sums.resize(static_cast<std::size_t>(numbers) * static_cast<std::size_t>(groups));
  launch(queue, {"color_sums", "color_sums"}, global(groups * partition.items),
         local(partition.items), in(planes.plane(0)), in(planes.plane(1)), in(planes.plane(2)),
         planes.layout(), in(table), objects, rows, partition.run, number_stride, group_stride,
         out(scratch.partial_sums), local_memory<cl_uint>(static_cast<std::size_t>(numbers)));
  launch(queue, {"color_sums", "fold_color_sums"}, global(objects * kFoldItems), local(kFoldItems),
         in(scratch.partial_sums), objects, groups, rows, number_stride, group_stride, out(sums),
         local_memory<ColorSum>(std::size_t{kFoldItems}));
}

void add_run(ColorSum& sum, const ColorRun& run) {
  const auto count = static_cast<std::uint64_t>(run.right - run.left);
  sum.count += count;
  // left + ... + (right - 1); either the number of them or the sum of the ends is even.
  sum.sum_x += count * static_cast<std::uint64_t>(run.left + run.right - 1) / 2;
  sum.sum_y += count * static_cast<std::uint64_t>(run.y);
  sum.left = std::min(sum.left, run.left);
  sum.right = std::max(sum.right, run.right);
  sum.top = std::min(sum.top, run.y);
  sum.bottom = std::max(sum.bottom, run.y + 1);
}

void add_sum(ColorSum& sum, const ColorSum& other) {
  sum.count += other.count;
  sum.sum_x += other.sum_x;
  sum.sum_y += other.sum_y;
  sum.left = std::min(sum.left, other.left);
  sum.right = std::max(sum.right, other.right);
  sum.top = std::min(sum.top, other.top);
  sum.bottom = std::max(sum.bottom, other.bottom);
}

void reference::color_sums(const ColorPicture& picture, const std::uint8_t* table, int first_row,
                           int last_row, std::vector<std::uint8_t>& labels,
                           std::span<ColorSum> sums) {
  for_each_run(picture, table, first_row, last_row, labels, [&](const ColorRun& run) {
    const auto object = static_cast<std::size_t>(run.label - 1);
    if (object < sums.size()) add_run(sums[object], run);
  });
}

}  // namespace cltrack
