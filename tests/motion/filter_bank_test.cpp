// SPDX-License-Identifier: LGPL-2.1-or-later
#include "motion/filter_bank.h"

#include <gtest/gtest.h>

#include <set>

#include "support/devices.h"
#include "support/filter_bank.h"

namespace cltrack {
namespace {

using test::taught_value;
using test::teach;

constexpr std::uint64_t kSlotBytes = (kFilters * kFilterSpectrum + std::uint64_t{2} * kColorBins +
                                      kScaleNumerators + kScaleDenominators) *
                                         sizeof(float) +
                                     std::uint64_t{kColorBins} * sizeof(std::uint16_t);

class FilterBankTest : public test::DeviceTest {
 protected:
  FilterBank bank_;
};

TEST_P(FilterBankTest, EachTargetHasASlotOfItsOwn) {
  std::set<std::size_t> slots;
  for (std::uint64_t id = 1; id <= 5; ++id) {
    slots.insert(bank_.slot_of(id));
    EXPECT_FALSE(bank_.is_initialised(bank_.slot_of(id)));
    EXPECT_EQ(bank_.colors(bank_.slot_of(id)), ColorSpace::none);
    teach(bank_, id, static_cast<int>(10 * id), *queue_);
  }
  EXPECT_EQ(slots.size(), 5u);
  for (std::uint64_t id = 1; id <= 5; ++id) {
    EXPECT_TRUE(bank_.is_initialised(bank_.slot_of(id)));
    EXPECT_EQ(bank_.colors(bank_.slot_of(id)), ColorSpace::yuv);
    EXPECT_EQ(taught_value(bank_, id), static_cast<int>(10 * id)) << "there when others came";
  }
}

TEST_P(FilterBankTest, SlotsAreUsedAgain) {
  teach(bank_, 1, 5, *queue_);
  teach(bank_, 2, 6, *queue_);
  const std::size_t slot = bank_.slot_of(1);
  bank_.remove(1);
  bank_.remove(7);
  EXPECT_EQ(bank_.slot_of(9), slot);
  EXPECT_FALSE(bank_.is_initialised(slot));
  EXPECT_EQ(bank_.colors(slot), ColorSpace::none);
  EXPECT_EQ(taught_value(bank_, 2), 6);
  bank_.clear();
  EXPECT_FALSE(bank_.is_initialised(bank_.slot_of(2)));
}

TEST_P(FilterBankTest, LeavesDevicesWithAllThatIsLearnt) {
  for (std::uint64_t id = 1; id <= 3; ++id) teach(bank_, id, static_cast<int>(id), *queue_);
  if (!queue_->is_host()) bank_.learnt_on_device();
  bank_.leave_devices(*queue_);
  const TransferCount before = queue_->count();
  for (std::uint64_t id = 1; id <= 3; ++id) {
    EXPECT_TRUE(bank_.is_initialised(bank_.slot_of(id)));
    EXPECT_EQ(taught_value(bank_, id), static_cast<int>(id));
  }
  bank_.save();
  EXPECT_EQ(queue_->count(), before) << "nothing of it is on the device";
}

// Nobody waits, and no frame copies more than one target.
TEST_P(FilterBankTest, ACopyIsTakenNowAndThen) {
  if (queue_->is_host()) GTEST_SKIP() << "the host does not fail";
  constexpr int kTargets = 3, kFrames = 350;
  std::vector<int> copied;  // frames
  for (int frame = 0; frame < kFrames; ++frame) {
    for (std::uint64_t id = 1; id <= kTargets; ++id) teach(bank_, id, frame, *queue_);
    const TransferCount before = queue_->count();
    bank_.learnt_on_device();
    const TransferCount cost = queue_->count() - before;
    EXPECT_EQ(cost.waits, 0u);
    EXPECT_EQ(cost.bytes_up, 0u);
    if (cost.bytes_down > 0) {
      EXPECT_EQ(cost.bytes_down, kSlotBytes);
      copied.push_back(frame);
    }
    queue_->finish();
    const TransferCount done = queue_->count();
    bank_.save();
    EXPECT_EQ(queue_->count(), done);
  }
  EXPECT_EQ(copied, (std::vector<int>{0, 1, 2, 100, 101, 102, 200, 201, 202, 300, 301, 302}));
}

// What has been queued is of a target that is gone.
TEST_P(FilterBankTest, NoCopyOutlivesItsTarget) {
  if (queue_->is_host()) GTEST_SKIP() << "the host does not fail";
  teach(bank_, 1, 5, *queue_);
  bank_.learnt_on_device();
  bank_.remove(1);
  teach(bank_, 2, 6, *queue_);
  EXPECT_EQ(bank_.slot_of(2), 0u);
  bank_.save();
  const TransferCount before = queue_->count();
  bank_.learnt_on_device();
  EXPECT_EQ((queue_->count() - before).bytes_down, kSlotBytes) << "it has none yet";
}

CLTRACK_ON_EVERY_DEVICE(FilterBankTest);

}  // namespace
}  // namespace cltrack
