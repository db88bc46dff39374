// SPDX-License-Identifier: LGPL-2.1-or-later
// A device that fails, and takes along what it has learnt: targets go on as they were saved.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "cltrack/log.h"
#include "compute/device.h"
#include "motion/filter_bank.h"
#include "support/fault_sweep.h"
#include "support/filter_bank.h"
#include "support/filter_video.h"

namespace cltrack {
namespace {

using test::FilterPicture;
using test::FilterRun;
using testing::HasSubstr;

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
