// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/color/color_sums.h"

#include <algorithm>
#include <string>

#include "cltrack/error.h"
#include "compute/launch.h"
#include "ops/color/color_sums_launch.h"

namespace cltrack {
namespace {

constexpr int kFoldItems = 64;        // GPUs
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

// GPUs need many groups, and neighbours that read neighbouring bytes; CPUs need whole rows.
ColorPartition color_partition(const Device& device, int width) {
  if (!device.is_cpu()) return {};
  return {.rows = 8, .run = width, .items = 1};
}

void color_sums(Queue& queue, const ColorPlanes& planes, const Array<std::uint8_t>& table,
                int objects, ColorScratch& scratch, Array<ColorSum>& sums) {
  check(planes, table, objects);
  sums.resize(static_cast<std::size_t>(objects));
  const ColorPicture& picture = planes.picture();
  if (queue.is_host()) {
    sum_on_host(queue, picture, table.host_read().data(), scratch, sums.host_write());
    return;
  }
  launch_color_sums(color_partition(queue.device(), picture.width), queue, planes, table, objects,
                    scratch, sums);
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
  const int fold_items = queue.device().is_cpu() ? 1 : kFoldItems;
  launch(queue, {"color_sums", "fold_color_sums"}, global(objects * fold_items), local(fold_items),
         in(scratch.partial_sums), objects, groups, rows, number_stride, group_stride, out(sums),
         local_memory<ColorSum>(static_cast<std::size_t>(fold_items)));
}

}  // namespace cltrack
