// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/color/color_runs.h"

#include "cltrack/error.h"
#include "compute/launch.h"

namespace cltrack {
namespace {

constexpr int kItems = 64;  // GPUs: neighbours of a row

void launch_labels(Queue& queue, const ColorPlanes& planes, const Array<std::uint8_t>& table,
                   Array<std::uint8_t>& labels) {
  const ColorPicture& picture = planes.picture();
  labels.resize(static_cast<std::size_t>(picture.width) * static_cast<std::size_t>(picture.height));
  const bool cpu = queue.device().is_cpu();
  launch(queue, {"color_labels", "color_labels"}, global(cpu ? 1 : picture.width, picture.height),
         local(cpu ? 1 : kItems, 1), in(planes.plane(0)), in(planes.plane(1)), in(planes.plane(2)),
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
  if (queue.is_host()) {
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
      for_each_run(picture, cells, first, last, part.labels, keep);
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

}  // namespace cltrack
