// SPDX-License-Identifier: LGPL-2.1-or-later
#include <algorithm>
#include <string>

#include "cltrack/error.h"
#include "compute/launch.h"
#include "ops/color/color_sums.h"

namespace cltrack {
namespace {

constexpr int kNumbers = 7;           // as kernels/color/color_sums.cl has them
constexpr int kFoldItems = 64;        // as well
constexpr int kMostPixels = 1 << 16;  // of a group, so that its sums fit into 32 bits

// GPUs want many groups, and neighbours that read neighbouring bytes; CPUs want whole rows.
ColorCut cut_for(const Device& device, const ColorCut& wanted, int width) {
  const bool cpu = device.is_cpu();
  ColorCut cut = wanted;
  if (cut.rows == 0) cut.rows = cpu ? 8 : 2;
  if (cut.run == 0) cut.run = cpu ? width : 16;
  if (cut.items == 0) cut.items = cpu ? 1 : 128;
  cut.rows = std::clamp(cut.rows, 1, std::max(1, kMostPixels / width));
  return cut;
}

void check(const ColorPlanes& planes, Array<std::uint8_t>& table, int objects) {
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

}  // namespace

void color_sums(Queue& queue, ColorPlanes& planes, Array<std::uint8_t>& table, int objects,
                ColorScratch& scratch, Array<ColorSum>& sums, const ColorCut& wanted) {
  check(planes, table, objects);
  sums.resize(static_cast<std::size_t>(objects));
  const ColorPicture& picture = planes.picture();
  if (queue.is_host()) {
    const std::span<ColorSum> result = sums.host_write();
    std::fill(result.begin(), result.end(), kNoColorSum);
    color_sums_host(picture, table.host_read().data(), 0, picture.height, scratch.labels, result);
    return;
  }
  const ColorCut cut = cut_for(queue.device(), wanted, picture.width);
  const int groups = (picture.height + cut.rows - 1) / cut.rows;
  const auto numbers = static_cast<std::size_t>(objects * kNumbers);
  scratch.partial.resize(numbers * static_cast<std::size_t>(groups));
  const bool by_object = cut.layout == ColorSumLayout::by_object;
  const int number_stride = by_object ? groups : 1;
  const int group_stride = by_object ? 1 : static_cast<int>(numbers);
  launch(queue, {"color_sums", "color_sums"}, global(groups * cut.items), local(cut.items),
         in(planes.plane(0)), in(planes.plane(1)), in(planes.plane(2)), planes.layout(), in(table),
         objects, cut.rows, cut.run, number_stride, group_stride, out(scratch.partial),
         local_memory<cl_uint>(numbers));
  const int fold_items = queue.device().is_cpu() ? 1 : kFoldItems;
  launch(queue, {"color_sums", "fold_color_sums"}, global(objects * fold_items), local(fold_items),
         in(scratch.partial), objects, groups, cut.rows, number_stride, group_stride, out(sums));
}

}  // namespace cltrack
