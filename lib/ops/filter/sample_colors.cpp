// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/filter/sample_colors.h"

#include <array>
#include <string>

#include "compute/launch.h"
#include "ops/filter/window_jobs.h"

namespace cltrack {
namespace {

constexpr int kItems = 64;  // of a work-group
constexpr const char* kOp = "sample_colors";

// A picture for devices.
struct Source {
  std::array<const Array<std::uint8_t>*, 3> planes;
  ColorLayout layout;
  int kind;
};

void check(int width, int height) {
  if (width < 1 || height < 1) {
    reject_windows(kOp, "no picture");
  }
}

std::size_t samples_of(int side) { return window_samples(kOp, side); }

void sample_on_host(Queue& queue, const ColorPicture& picture, std::span<const WindowJob> jobs,
                    int side, std::span<std::uint16_t> bins) {
  const std::size_t each = samples_of(side);
  queue.run(static_cast<int>(jobs.size()), [&](int job) {
    const auto i = static_cast<std::size_t>(job);
    reference::sample_colors(picture, jobs[i], side, bins.subspan(i * each, each));
  });
}

void sample_on_device(Queue& queue, const Source& from, const Array<WindowJob>& jobs, int side,
                      Array<std::uint16_t>& bins) {
  launch(queue, {"sample_colors", "sample_colors"}, global(samples_of(side), jobs.size()),
         local(kItems, 1), in(*from.planes[0]), in(*from.planes[1]), in(*from.planes[2]),
         from.layout, from.kind, in(jobs), side, out(bins));
}

}  // namespace

ColorPicture luma_picture(const ImageView& luma) {
  ColorPicture picture;
  picture.width = luma.width;
  picture.height = luma.height;
  picture.components[0] = {.data = luma.data, .stride = luma.stride};
  return picture;
}

void sample_colors(Queue& queue, const ColorPlanes& planes, const Array<WindowJob>& jobs, int side,
                   Array<std::uint16_t>& bins) {
  const ColorPicture& picture = planes.picture();
  check(picture.width, picture.height);
  bins.resize(jobs.size() * samples_of(side));
  if (jobs.size() == 0) return;
  if (queue.is_host()) {
    sample_on_host(queue, picture, jobs.host_read(), side, bins.host_write());
    return;
  }
  sample_on_device(queue,
                   {.planes = {&planes.plane(0), &planes.plane(1), &planes.plane(2)},
                    .layout = planes.layout(),
                    .kind = picture.space == ColorSpace::rgb ? CLTRACK_RGB : CLTRACK_YUV},
                   jobs, side, bins);
}

void sample_colors(Queue& queue, const Plane& luma, const Array<WindowJob>& jobs, int side,
                   Array<std::uint16_t>& bins) {
  check(luma.width(), luma.height());
  bins.resize(jobs.size() * samples_of(side));
  if (jobs.size() == 0) return;
  if (queue.is_host()) {
    sample_on_host(queue, luma_picture(luma.host_view()), jobs.host_read(), side,
                   bins.host_write());
    return;
  }
  Source from = {.planes = {&luma.pixels, &luma.pixels, &luma.pixels},
                 .layout = {},
                 .kind = CLTRACK_LUMA_ALONE};
  from.layout.width = luma.width();
  from.layout.height = luma.height();
  from.layout.components[0] = {.offset = luma.layout.offset,
                               .stride = luma.layout.stride,
                               .step = 1,
                               .shift_x = 0,
                               .shift_y = 0,
                               .unused = 0};
  sample_on_device(queue, from, jobs, side, bins);
}

}  // namespace cltrack
