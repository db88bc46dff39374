// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/filter/resample_windows.h"

#include <string>

#include "compute/launch.h"
#include "ops/filter/window_axis.h"
#include "ops/filter/window_jobs.h"

namespace cltrack {
namespace {

constexpr int kItems = 64;  // of a work-group

constexpr const char* kOp = "resample_windows";

[[noreturn]] void reject(const std::string& what) { reject_windows(kOp, what); }

}  // namespace

WindowJob resample_job(const BoundingBox& box, int side, int source) {
  WindowJob job = window_job(box, side);
  constexpr auto kMost = static_cast<std::int32_t>(kMostResampleStep) * kPixel;
  if (job.step_x > kMost || job.step_y > kMost) {
    reject("a window of " + std::to_string(box.width) + " x " + std::to_string(box.height) +
           " samples of its source, " + std::to_string(side) + " samples a side; allowed: up to " +
           std::to_string(kMostResampleStep) + " for each");
  }
  job.frame = source;
  return job;
}

void resample_windows(Queue& queue, const Array<std::uint16_t>& sources, int source_side,
                      const Array<WindowJob>& jobs, int side, Array<std::uint16_t>& samples) {
  const std::size_t source_area = window_samples(kOp, source_side);
  const std::size_t each = window_samples(kOp, side);
  if (sources.size() % source_area != 0) {
    reject(std::to_string(sources.size()) + " samples are no sources of " +
           std::to_string(source_side) + " x " + std::to_string(source_side));
  }
  samples.resize(jobs.size() * each);
  if (jobs.size() == 0) return;
  if (queue.is_host()) {
    const auto from = sources.host_read();
    const auto all = jobs.host_read();
    const auto to = samples.host_write();
    queue.run(static_cast<int>(all.size()), [&](int job) {
      const auto i = static_cast<std::size_t>(job);
      const auto source = static_cast<std::size_t>(all[i].frame);
      vector::resample_window(from.subspan(source * source_area, source_area), source_side, all[i],
                              side, to.subspan(i * each, each));
    });
    return;
  }
  launch(queue, {"resample_windows", "resample_windows"}, global(each, jobs.size()),
         local(kItems, 1), in(sources), source_side, in(jobs), side, out(samples));
}

}  // namespace cltrack
