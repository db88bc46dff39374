// SPDX-License-Identifier: LGPL-2.1-or-later
// A device that fails at any of its calls: the host goes on, and nothing of the device is kept.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cltrack/log.h"
#include "compute/device.h"
#include "motion/correlation_filter.h"
#include "motion/filter_bank.h"
#include "support/fault_sweep.h"
#include "support/filter_bank.h"
#include "support/filter_video.h"

namespace cltrack {
namespace {

using test::FilterPicture;
using test::FilterRun;
using testing::HasSubstr;

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

constexpr const char* kDead =
    "clFinish=-5,clWaitForEvents=-5,clEnqueueReadBuffer=-5,clEnqueueMapBuffer=-5";

class FilterBankFaults : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    CLTRACK_NEEDS_OPENCL();
    faults_.set(GetParam());
    queue_ = Device::open("0.0")->make_queue();
    set_log_handler([this](LogLevel level, std::string_view message) {
      if (level == LogLevel::warning) warnings_.emplace_back(message);
    });
  }
  void TearDown() override { set_log_handler({}); }

  void die() { faults_.set(std::string(GetParam()) + "," + kDead); }
  void live() { faults_.set(GetParam()); }

  test::Faults faults_;
  std::shared_ptr<Queue> queue_;
  std::vector<std::string> warnings_;
};

TEST_P(FilterBankFaults, TargetsGoBackToWhatWasSaved) {
  FilterBank bank;
  int value = 0;
  const auto learn = [&](const std::vector<std::uint64_t>& ids) {
    ++value;
    for (const std::uint64_t id : ids) test::teach(bank, id, value, *queue_);
    bank.learnt_on_device();
    queue_->finish();
    bank.save();
  };
  for (int frame = 0; frame < 130; ++frame) learn({1, 2, 3});
  // Saved on frames 101, 102 and 103. The copy of a new one is on its way.
  test::teach(bank, 4, ++value, *queue_);
  bank.learnt_on_device();
  die();
  bank.leave_devices(*queue_);
  live();
  const int saved[] = {101, 102, 103};
  for (std::uint64_t id = 1; id <= 3; ++id) {
    EXPECT_TRUE(bank.is_initialised(bank.slot_of(id)));
    EXPECT_EQ(bank.colors(bank.slot_of(id)), ColorSpace::yuv);
    EXPECT_EQ(test::taught_value(bank, id), saved[id - 1]);
  }
  EXPECT_FALSE(bank.is_initialised(bank.slot_of(4)));
  ASSERT_EQ(warnings_.size(), 1u);
  EXPECT_THAT(warnings_[0], HasSubstr("by 30 frames at most, and 1 of 4 targets begin anew"));
  EXPECT_THAT(warnings_[0], HasSubstr("0.0"));

  // And learns on, from there.
  queue_ = Device::open("0.0")->make_queue();
  learn({2});
  EXPECT_EQ(test::taught_value(bank, 1), 101);
  EXPECT_EQ(test::taught_value(bank, 2), value);
  bank.leave_devices(*queue_);
  EXPECT_EQ(test::taught_value(bank, 2), value);
  EXPECT_EQ(warnings_.size(), 1u);
}

// A copy of which only a part arrives is none.
TEST_P(FilterBankFaults, HalfACopyIsNotTaken) {
  for (const char* const call : {"clEnqueueReadBuffer@3=-5", "clWaitForEvents@3-3=-5"}) {
    SCOPED_TRACE(call);
    FilterBank bank;
    for (int frame = 1; frame <= 2; ++frame) {
      test::teach(bank, 1, 7, *queue_);
      bank.learnt_on_device();
      queue_->finish();
      bank.save();
    }
    for (int frame = 0; frame < 98; ++frame) bank.learnt_on_device();
    test::teach(bank, 1, 8, *queue_);
    faults_.set(std::string(GetParam()) + "," + call);
    EXPECT_THROW(
        {
          bank.learnt_on_device();
          bank.save();
        },
        Error);
    die();
    bank.leave_devices(*queue_);
    live();
    EXPECT_TRUE(bank.is_initialised(bank.slot_of(1)));
    EXPECT_EQ(test::taught_value(bank, 1), 7);
    queue_ = Device::open("0.0")->make_queue();
  }
}

// It knows what to look for, although it is told a wrong place.
TEST_P(FilterBankFaults, AFilterFindsItsTargetAfterItsDeviceHasFailed) {
  const auto box_at = [](int frame) {
    const auto i = static_cast<float>(frame);
    return BoundingBox{50 + 2 * i, 40 + i, 36, 28};
  };
  FilterRun run(std::move(queue_));
  for (int frame = 0; frame < 6; ++frame) {
    const BoundingBox box = box_at(frame);
    std::vector<MotionTarget> added;
    if (frame == 0) added.push_back({1, box});
    run.show(FilterPicture({&box, 1}, ColorSpace::yuv), added);
  }
  die();
  run.filter.place(run.host, true);
  live();
  ASSERT_EQ(warnings_.size(), 1u);
  EXPECT_THAT(warnings_[0], HasSubstr("0 of 1 targets begin anew"));
  const BoundingBox box = box_at(6);
  run.boxes[1].x = box.x + 8;
  const auto moved = run.show(FilterPicture({&box, 1}, ColorSpace::yuv));
  ASSERT_TRUE(moved[0]);
  EXPECT_NEAR(moved[0]->box.center_x(), box.center_x(), 2);
  EXPECT_NEAR(moved[0]->box.center_y(), box.center_y(), 2);
  EXPECT_GT(moved[0]->quality->color_psr, 1) << "its colours are known, too";
}

INSTANTIATE_TEST_SUITE_P(Devices, FilterBankFaults,
                         testing::Values(test::kFaultyCpu, test::kFaultyGpu), [](const auto& kind) {
                           return kind.param == test::kFaultyCpu ? "cpu" : "gpu";
                         });

}  // namespace
}  // namespace cltrack
