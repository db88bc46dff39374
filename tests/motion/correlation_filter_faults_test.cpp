// SPDX-License-Identifier: LGPL-2.1-or-later
// A device that fails at any of its calls: the host goes on, and nothing of the device is kept.
#include <algorithm>
#include <string>
#include <vector>

#include "motion/correlation_filter.h"
#include "support/fault_sweep.h"
#include "support/filter_video.h"

namespace cltrack {
namespace {

using test::FilterPicture;
using test::FilterRun;

constexpr int kFrames = 5;
constexpr int kMore = 4;  // after a failure, at least

BoundingBox box_at(int frame, int target) {
  return {30.0f + 60 * static_cast<float>(target) + 1.5f * static_cast<float>(frame),
          40.0f + static_cast<float>(frame), 30, 26};
}

// Drawn once.
const FilterPicture& picture(int frame) {
  static std::vector<FilterPicture> pictures;
  while (pictures.size() <= static_cast<std::size_t>(frame)) {
    const auto next = static_cast<int>(pictures.size());
    pictures.emplace_back(std::vector{box_at(next, 0), box_at(next, 1)}, ColorSpace::yuv);
  }
  return pictures[static_cast<std::size_t>(frame)];
}

// A second target comes later, for which there is no room.
std::vector<MotionTarget> added(int frame) {
  std::vector<MotionTarget> targets;
  if (frame < 2) {
    const auto target = static_cast<std::uint64_t>(frame);
    targets.push_back({target + 1, box_at(frame, frame)});
  }
  return targets;
}

// Follows both targets, on device 0.0 until that fails and on the host from then on. True if it
// has failed.
bool follow(const test::Faults& faults) {
  bool failed = false;
  const auto host = Device::host()->make_queue();
  std::shared_ptr<Queue> queue;
  try {
    queue = Device::open("0.0")->make_queue();
  } catch (const Error&) {
    return true;
  }
  FilterRun run(std::move(queue));
  const auto go_on = [&] {
    failed = true;
    run.filter.place(host, true);
    EXPECT_EQ(faults.alive("clCreateBuffer", "clRetainMemObject", "clReleaseMemObject"), 0);
    EXPECT_EQ(faults.alive("clCreateContext", "clRetainContext", "clReleaseContext"), 0);
  };
  int frames = kFrames;
  for (int frame = 0; frame < frames; ++frame) {
    const FilterPicture& shown = picture(frame);
    try {
      run.show(shown, added(frame));
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("0.0"));
      EXPECT_FALSE(failed) << "the host fails, too";
      try {
        run.luma.release();
      } catch (const Error&) {
      }
      run.luma = {};
      go_on();
      run.show(shown, added(frame));
      frames = std::max(frames, frame + kMore);
    }
  }
  if (!failed) {
    // Faults in what only place() does.
    run.luma = {};
    run.filter.place(host, true);
    EXPECT_EQ(faults.alive("clCreateBuffer", "clRetainMemObject", "clReleaseMemObject"), 0);
    for (const int until = frames + kMore; frames < until; ++frames) run.show(picture(frames));
  }
  EXPECT_EQ(run.boxes.size(), 2u);
  for (const auto& [id, box] : run.boxes) {
    const BoundingBox expected = box_at(frames - 1, static_cast<int>(id) - 1);
    EXPECT_NEAR(box.center_x(), expected.center_x(), 2.5f) << id;
    EXPECT_NEAR(box.center_y(), expected.center_y(), 2.5f) << id;
  }
  return failed;
}

class CorrelationFilterFaults : public testing::TestWithParam<const char*> {};

TEST_P(CorrelationFilterFaults, OfAnyCallLeaveItToTheHost) {
  CLTRACK_NEEDS_OPENCL();
  const std::string kind = GetParam();
  test::Faults faults(kind);
  follow(faults);  // whatever is compiled once
  faults.set(kind);
  EXPECT_FALSE(follow(faults));
  int failures = 0;
  for (const auto& [name, calls] : test::used_functions(faults)) {
    for (const long call : {1L, calls / 2, calls}) {
      if (call == 0) continue;
      const std::string from = name + "@" + std::to_string(call);
      // From then on, or this one time.
      for (const std::string& which : {from, from + "-" + std::to_string(call)}) {
        SCOPED_TRACE(which + " of " + std::to_string(calls));
        faults.set(kind + "," + which + "=-5");
        failures += follow(faults) ? 1 : 0;
      }
    }
  }
  EXPECT_GT(failures, 30);
  faults.set(kind);
  EXPECT_FALSE(follow(faults)) << "a new beginning";
}

INSTANTIATE_TEST_SUITE_P(Devices, CorrelationFilterFaults,
                         testing::Values(test::kFaultyCpu, test::kFaultyGpu), [](const auto& kind) {
                           return kind.param == test::kFaultyCpu ? "cpu" : "gpu";
                         });

}  // namespace
}  // namespace cltrack
