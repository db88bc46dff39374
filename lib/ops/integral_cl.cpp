// SPDX-License-Identifier: LGPL-2.1-or-later
#include "compute/launch.h"
#include "ops/integral.h"

namespace cltrack {
namespace {

// How kernels/integral.cl cuts the work, see there. `options` must say the same.
struct Cut {
  int row_items;
  int columns;
  int strip;
  int segments;
  const char* options;
};

constexpr Cut kCpuCut = {1, 1, 64, 1, "-DSTRIP=64 -DSEGMENTS=1"};
constexpr Cut kGpuCut = {64, 32, 1, 8, "-DSTRIP=1 -DSEGMENTS=8"};

}  // namespace

void IntegralArrays::resize(int picture_width, int picture_height) {
  width = picture_width;
  height = picture_height;
  const auto entries = static_cast<std::size_t>(stride()) * static_cast<std::size_t>(height + 1);
  sums.resize(entries);
  squares.resize(entries);
}

void integrate(Queue& queue, Plane& src, IntegralArrays& dst) {
  dst.resize(src.width(), src.height());
  if (queue.is_host()) {
    integrate_host(src.host_view(), dst.sums.host_write().data(), dst.squares.host_write().data());
    return;
  }
  const Cut& cut = queue.device().is_cpu() ? kCpuCut : kGpuCut;
  const auto rows = static_cast<std::size_t>(dst.height + 1);
  const auto items = static_cast<std::size_t>(cut.row_items);
  launch(queue, {"integral", "integral_rows", cut.options}, global(rows * items), local(items),
         in(src.pixels), src.layout, out(dst.sums), out(dst.squares), local_memory<cl_uint>(items),
         local_memory<cl_uint>(items));
  const auto parts = static_cast<std::size_t>(cut.columns * cut.segments * cut.strip);
  const int strips = (dst.width + cut.strip) / cut.strip;
  launch(queue, {"integral", "integral_columns", cut.options}, global(strips, cut.segments),
         local(cut.columns, cut.segments), dst.width, dst.height, inout(dst.sums),
         inout(dst.squares), local_memory<cl_uint>(parts), local_memory<cl_ulong>(parts));
}

}  // namespace cltrack
