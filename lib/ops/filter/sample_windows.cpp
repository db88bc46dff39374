// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/filter/sample_windows.h"

#include <cmath>
#include <string>

#include "compute/launch.h"
#include "ops/filter/window_axis.h"
#include "ops/filter/window_jobs.h"

namespace cltrack {
namespace {

constexpr int kItems = 64;  // of a work-group

constexpr const char* kOp = "sample_windows";

std::int32_t fixed(float pixels) {
  return static_cast<std::int32_t>(std::lround(static_cast<double>(pixels) * kPixel));
}

// Corner and step along an axis.
std::pair<std::int32_t, std::int32_t> axis(float begin, float length, int side) {
  const float step = length / static_cast<float>(side);
  if (!(std::abs(begin) <= kMostSampleOffset) || !(step >= 1.0f / 64) ||
      !(step <= kMostSampleStep)) {
    reject_windows(kOp, "a window from " + std::to_string(begin) + " on, " +
                            std::to_string(length) + " pixels long, of " + std::to_string(side) +
                            " samples; allowed: a beginning within " +
                            std::to_string(kMostSampleOffset) + " pixels, 1/64 to " +
                            std::to_string(kMostSampleStep) + " pixels a sample");
  }
  return {fixed(begin), fixed(step)};
}

}  // namespace

WindowJob window_job(const BoundingBox& box, int side) {
  const auto [x, step_x] = axis(box.x, box.width, side);
  const auto [y, step_y] = axis(box.y, box.height, side);
  return {.x = x, .y = y, .step_x = step_x, .step_y = step_y, .frame = 0};
}

void sample_windows(Queue& queue, const Plane& image, const Array<WindowJob>& jobs, int side,
                    Array<std::uint16_t>& samples) {
  const std::size_t each = window_samples(kOp, side);
  samples.resize(jobs.size() * each);
  if (jobs.size() == 0) return;
  if (queue.is_host()) {
    const ImageView view = image.host_view();
    const auto all = jobs.host_read();
    const auto to = samples.host_write();
    queue.run(static_cast<int>(all.size()), [&](int job) {
      const auto i = static_cast<std::size_t>(job);
      vector::sample_window(view, all[i], side, to.subspan(i * each, each));
    });
    return;
  }
  launch(queue, {"sample_windows", "sample_windows"}, global(each, jobs.size()), local(kItems, 1),
         in(image.pixels), image.layout, in(jobs), side, out(samples));
}

}  // namespace cltrack
