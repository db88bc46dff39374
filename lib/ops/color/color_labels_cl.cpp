// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cltrack/error.h"
#include "compute/launch.h"
#include "ops/color/color_labels.h"

namespace cltrack {
namespace {

constexpr int kItems = 64;  // GPUs: neighbours of a row

}  // namespace

void color_labels(Queue& queue, ColorPlanes& planes, Array<std::uint8_t>& table,
                  Array<std::uint8_t>& labels) {
  const ColorPicture& picture = planes.picture();
  if (picture.empty() || table.size() != kColorCells) {
    throw Error(ErrorCode::invalid_argument, "color_labels: no picture, or no table");
  }
  const auto width = static_cast<std::size_t>(picture.width);
  labels.resize(width * static_cast<std::size_t>(picture.height));
  if (queue.is_host()) {
    const std::uint8_t* cells = table.host_read().data();
    std::uint8_t* row = labels.host_write().data();
    for (int y = 0; y < picture.height; ++y, row += width) {
      label_row(picture, cells, 0, y, picture.width, row);
    }
    return;
  }
  const bool cpu = queue.device().is_cpu();
  const int items = cpu ? 1 : (picture.width + kItems - 1) / kItems * kItems;
  launch(queue, {"color_labels", "color_labels"}, global(items, picture.height),
         local(cpu ? 1 : kItems, 1), in(planes.plane(0)), in(planes.plane(1)), in(planes.plane(2)),
         planes.layout(), in(table), out(labels));
}

}  // namespace cltrack
