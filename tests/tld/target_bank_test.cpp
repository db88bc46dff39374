// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/target_bank.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <set>
#include <vector>

#include "support/devices.h"
#include "support/tld_frame.h"

namespace cltrack {
namespace {

using testing::AllOf;
using testing::Ge;
using testing::Le;

class TargetBankTest : public test::DeviceTest {
 protected:
  TargetBankTest() {
    for (int i = 0; i < 4; ++i) add(static_cast<float>(20 * i));
  }

  void add(float x) {
    targets_.push_back(frame_.target(targets_.size() + 1, {x, 40, 30, 30 + x / 5}, config_));
  }

  Target* target(std::size_t i) { return targets_[i].get(); }

  // What the arrays hold of each is what its model holds.
  void expect_models(const std::vector<Target*>& targets) {
    ASSERT_EQ(bank_.windows().jobs.size(), targets.size());
    const auto jobs = bank_.patch_jobs().host_read();
    const auto patches = bank_.patches().host_read();
    std::uint32_t first = 0;
    for (std::size_t i = 0; i < targets.size(); ++i) {
      const TargetModel& model = targets[i]->model();
      FernTables tables;
      bank_.tables().read(bank_.table_slot(i), tables);
      EXPECT_EQ(tables, model.ferns.tables()) << i;
      const ScanJob& scan = bank_.windows().jobs.host_read()[i];
      EXPECT_EQ(scan.first, first);
      EXPECT_EQ(scan.count, targets[i]->grid().size());
      EXPECT_EQ(scan.tables, bank_.table_slot(i));
      first += scan.count;
      ASSERT_EQ(jobs[i].positives, std::ssize(model.patches.positives()));
      ASSERT_EQ(jobs[i].negatives, std::ssize(model.patches.negatives()));
      const auto positives = patches.subspan(static_cast<std::size_t>(jobs[i].first_positive));
      const auto negatives = patches.subspan(static_cast<std::size_t>(jobs[i].first_negative));
      for (std::size_t p = 0; p < model.patches.positives().size(); ++p) {
        ASSERT_EQ(positives[p], model.patches.positives()[p]) << i;
      }
      for (std::size_t p = 0; p < model.patches.negatives().size(); ++p) {
        ASSERT_EQ(negatives[p], model.patches.negatives()[p]) << i;
      }
    }
  }

  // After how many frames of learning the first target has a copy of what the bank knows of it.
  static int frames_to_copy(TargetBank& bank, const std::vector<Target*>& targets,
                            const FernTables& expected) {
    FernTables& tables = targets[0]->model().ferns.tables();
    tables = {};
    int frames = 0;
    for (; tables == FernTables() && frames < 1000; ++frames) {
      bank.learnt_on_device();
      bank.save(targets);
    }
    EXPECT_EQ(tables, expected);
    return frames;
  }

  // A device that has the tables, as after learning.
  void move_tables_to_the_device() {
    if (queue_->is_host()) return;
    bank_.tables().counts.device_update(*queue_);
    bank_.tables().posteriors.device_update(*queue_);
  }

  TldConfig config_;
  test::TldFrame frame_{test::noise_image(160, 120, 6)};
  std::vector<std::unique_ptr<Target>> targets_;
  TargetBank bank_{config_};
};

TEST_P(TargetBankTest, TargetsComeAndGo) {
  using Targets = std::vector<Target*>;
  for (const Targets& targets : {Targets{target(0)}, Targets{target(0), target(1)},
                                 Targets{target(1)}, Targets{target(1), target(2), target(3)},
                                 Targets{target(3), target(0)}, Targets{}, Targets{target(2)}}) {
    SCOPED_TRACE(targets.size());
    bank_.update(targets);
    expect_models(targets);
    move_tables_to_the_device();
    bank_.update(targets);
    expect_models(targets);
  }
}

TEST_P(TargetBankTest, PatchesFollowWhatIsLearnt) {
  const std::vector<Target*> both = {target(0), target(1)};
  bank_.update(both);
  if (!queue_->is_host()) bank_.patches().device_read(*queue_);
  const TransferCount before = queue_->count();
  Random random(1);
  const Patch patch = reference::extract_patch(frame_.image.view(), {77, 13, 30, 30});
  target(1)->model().patches.learn_patches(patch, {}, 1, random);
  bank_.update(both);
  expect_models(both);
  if (queue_->is_host()) return;
  bank_.patches().device_read(*queue_);
  EXPECT_LE((queue_->count() - before).bytes_up,
            sizeof(Patch) * target(1)->model().patches.positives().size())
      << "no more than what has changed";
}

TEST_P(TargetBankTest, ModelsMayGrowToTheirLimits) {
  const auto full =
      static_cast<std::size_t>(config_.max_positive_patches + config_.max_negative_patches);
  const std::vector<Target*> both = {target(0), target(1)};
  for (const int count : {1, 40, 41, 150, config_.max_positive_patches}) {
    SCOPED_TRACE(count);
    std::vector<Patch> positives(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < positives.size(); ++i) {
      positives[i].pixels[0] = static_cast<std::int16_t>(i + 1);
    }
    std::vector<Patch> negatives(3 * positives.size(), positives.back());
    target(1)->model().patches.restore(positives, negatives);
    bank_.update(both);
    if (!queue_->is_host()) bank_.patches().device_read(*queue_);
    ASSERT_NO_FATAL_FAILURE(expect_models(both));
  }
  EXPECT_THAT(bank_.patches().size(),
              AllOf(Ge(full), Le(full + 2 * target(0)->model().patches.negatives().size() + 64)))
      << "the other one is as small as it was";
}

// Memory that another bank has left may hold the same patches.
TEST_P(TargetBankTest, PatchesAreUploadedWhateverLiesThere) {
  if (queue_->is_host() || queue_->device().is_zero_copy()) GTEST_SKIP() << "nothing is uploaded";
  const std::vector<Target*> both = {target(0), target(1)};
  for (int i = 0; i < 4; ++i) {
    TargetBank bank(config_);
    bank.update(both);
    const TransferCount before = queue_->count();
    bank.patches().device_read(*queue_);
    EXPECT_EQ((queue_->count() - before).bytes_up, sizeof(Patch) * bank.patches().size()) << i;
  }
}

TEST_P(TargetBankTest, AnotherGridIsScanned) {
  const std::vector<Target*> both = {target(0), target(1)};
  bank_.update(both);
  target(0)->rescale(2, 2, 320, 240);
  bank_.update(both);
  expect_models(both);
}

TEST_P(TargetBankTest, LearntTablesLeaveTheDevice) {
  const std::vector<Target*> both = {target(0), target(1)};
  bank_.update(both);
  move_tables_to_the_device();
  const FernTables expected = target(1)->model().ferns.tables();
  target(1)->model().ferns.tables() = {};
  bank_.leave_devices(both);
  EXPECT_EQ(target(1)->model().ferns.tables(), expected);
  bank_.update(both);
  expect_models(both);
}

TEST_P(TargetBankTest, ACopyIsTakenNowAndThen) {
  const std::vector<Target*> both = {target(0), target(1)};
  bank_.update(both);
  move_tables_to_the_device();
  const FernTables expected = target(0)->model().ferns.tables();
  EXPECT_THAT(frames_to_copy(bank_, both, expected), AllOf(Ge(1), Le(60)));
  EXPECT_EQ(frames_to_copy(bank_, both, expected), 60);
  EXPECT_EQ(frames_to_copy(bank_, both, expected), 60);
}

// So that no frame has much to copy.
TEST_P(TargetBankTest, TargetsAreCopiedOneAtATime) {
  const std::vector<Target*> all = {target(0), target(1), target(2)};
  bank_.update(all);
  move_tables_to_the_device();
  std::vector<FernTables> expected;
  for (Target* each : all) expected.push_back(each->model().ferns.tables());
  frames_to_copy(bank_, all, expected[0]);
  for (std::size_t i = 1; i < all.size(); ++i) {
    for (Target* each : all) each->model().ferns.tables() = {};
    bank_.learnt_on_device();
    bank_.save(all);
    for (std::size_t j = 0; j < all.size(); ++j) {
      EXPECT_EQ(all[j]->model().ferns.tables(), i == j ? expected[i] : FernTables()) << i << j;
    }
  }
}

// A target that leaves while its copy is on its way is forgotten; who has its slot then has tables
// of its own.
TEST_P(TargetBankTest, WhoLeavesIsNotCopied) {
  const std::vector<Target*> before = {target(0), target(1)}, after = {target(2), target(1)};
  bank_.update(before);
  move_tables_to_the_device();
  const FernTables expected = target(2)->model().ferns.tables();
  for (int frame = 0; frame < 60; ++frame) {
    bank_.learnt_on_device();
    bank_.update(after);
    bank_.save(after);
    EXPECT_EQ(target(2)->model().ferns.tables(), expected);
    bank_.update(before);
    bank_.save(before);
  }
}

// Streams that begin together would all copy on the same frame.
TEST_P(TargetBankTest, OtherBanksCopyOnOtherFrames) {
  const std::vector<Target*> both = {target(0), target(1)};
  const FernTables expected = target(0)->model().ferns.tables();
  std::deque<TargetBank> banks;
  std::set<int> frames;
  for (int i = 0; i < 8; ++i) {
    banks.emplace_back(TldConfig()).update(both);
    frames.insert(frames_to_copy(banks.back(), both, expected));
  }
  EXPECT_EQ(frames.size(), 8u);
}

CLTRACK_ON_EVERY_DEVICE(TargetBankTest);

}  // namespace
}  // namespace cltrack
