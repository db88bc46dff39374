// SPDX-License-Identifier: LGPL-2.1-or-later
// Several targets, the slots that they have, and the devices that they are on: none of it changes a
// bit of what is answered for one of them.
#include <gtest/gtest.h>

#include <optional>
#include <span>
#include <vector>

#include "motion/correlation_filter.h"
#include "support/devices.h"
#include "support/filter_video.h"

namespace cltrack {
namespace {

using test::FilterPicture;
using test::FilterRun;
using Answers = std::vector<std::optional<Motion>>;

const std::vector<BoundingBox> kBoxes = {
    {20, 20, 36, 28}, {90, 60, 24, 40}, {110, 10, 8, 8}, {-5, 80, 30, 24}, {30, 50, 70, 56}};

// All of kBoxes, frame by frame a bit further.
std::vector<BoundingBox> boxes_at(int frame) {
  std::vector<BoundingBox> boxes = kBoxes;
  for (BoundingBox& box : boxes) {
    box.x += 1.5f * static_cast<float>(frame);
    box.y += 0.75f * static_cast<float>(frame);
  }
  return boxes;
}

FilterPicture picture(int frame, ColorSpace space = ColorSpace::yuv) {
  return FilterPicture(boxes_at(frame), space);
}

std::vector<MotionTarget> targets_at(int frame) {
  std::vector<MotionTarget> targets;
  for (const BoundingBox& box : boxes_at(frame)) targets.push_back({targets.size() + 1, box});
  return targets;
}

class CorrelationFilterTargets : public test::DeviceTest {
 protected:
  std::shared_ptr<Queue> host_ = Device::host()->make_queue();
};

TEST_P(CorrelationFilterTargets, GoWhereEachGoesAlone) {
  FilterRun together(queue_);
  std::vector<Answers> all;
  for (int i = 0; i < 4; ++i) {
    all.push_back(together.show(picture(i), i == 0 ? targets_at(0) : std::vector<MotionTarget>()));
  }
  for (std::size_t target = 0; target < kBoxes.size(); ++target) {
    FilterRun alone(queue_);
    alone.show(picture(0), {&targets_at(0)[target], 1});
    for (int i = 1; i < 4; ++i) {
      const Answers own = alone.show(picture(i));
      ASSERT_EQ(own.size(), 1u);
      EXPECT_TRUE(own[0]);
      EXPECT_EQ(own[0], all[static_cast<std::size_t>(i)][target]) << target << ", " << i;
    }
  }
}

TEST_P(CorrelationFilterTargets, BeginAnewInSlotsThatHaveBeenUsed) {
  FilterRun used(queue_), fresh(queue_);
  used.show(picture(0), targets_at(0));
  used.show(picture(1));
  for (const std::uint64_t id : {1, 2, 3, 4, 5}) used.remove(id);
  const std::vector<MotionTarget> added = {{9, boxes_at(2)[1]}, {7, boxes_at(2)[0]}};
  EXPECT_TRUE(used.show(picture(2), added).empty());
  EXPECT_TRUE(fresh.show(picture(2), added).empty());
  for (int i = 3; i < 6; ++i) EXPECT_EQ(used.show(picture(i)), fresh.show(picture(i))) << i;
}

// Where the ones that stay are is nothing to those that come and go.
TEST_P(CorrelationFilterTargets, StayWhileOthersComeAndGo) {
  FilterRun alone(queue_), among(queue_);
  const MotionTarget first = targets_at(0)[1];
  alone.show(picture(0), {&first, 1});
  among.show(picture(0), targets_at(0));
  for (int i = 1; i < 8; ++i) {
    const auto expected = alone.show(picture(i))[0];
    std::vector<MotionTarget> added;
    for (int k = 0; k < i; ++k)
      added.push_back({static_cast<std::uint64_t>(10 * i + k), kBoxes[0]});
    const auto asked = among.all();
    const Answers moved = among.show(picture(i), added);
    for (std::size_t k = 0; k < asked.size(); ++k) {
      if (asked[k].id != first.id) continue;
      EXPECT_EQ(moved[k], expected) << i;
    }
    if (i % 2 == 0) {
      for (const MotionTarget& target : asked) {
        if (target.id != first.id) among.remove(target.id);
      }
    }
  }
}

TEST_P(CorrelationFilterTargets, BeginAnewWhenStartedAgain) {
  FilterRun again(queue_), fresh(queue_);
  again.show(picture(0), targets_at(0));
  again.show(picture(1));
  again.boxes.clear();
  again.show(picture(2), targets_at(2));
  fresh.show(picture(2), targets_at(2));
  for (int i = 3; i < 5; ++i) EXPECT_EQ(again.show(picture(i)), fresh.show(picture(i))) << i;
}

// A tracker asks a second time for other places, to see which of them is the target.
TEST_P(CorrelationFilterTargets, MayBeAskedForTwice) {
  FilterRun run(queue_);
  run.show(picture(0), targets_at(0));
  const FilterPicture next = picture(1);
  const Frame frame = next.frame();
  const std::vector<MotionTarget> here = targets_at(0);
  std::vector<MotionTarget> elsewhere = {here[3], here[0]};
  for (MotionTarget& target : elsewhere) target.box.x += 5;
  const auto ask = [&](const std::vector<MotionTarget>& targets) {
    run.filter.estimate(targets);
    return run.filter.collect(*host_);
  };
  run.luma.borrow(frame.luma);
  run.filter.begin(frame, run.luma, here);
  const Answers first = ask(here);
  const Answers others = ask(elsewhere);
  ASSERT_EQ(others.size(), 2u);
  EXPECT_TRUE(ask({}).empty());
  EXPECT_EQ(ask(elsewhere), others);
  EXPECT_EQ(ask(here), first);
  EXPECT_NE(others[1], first[0]);
  ASSERT_TRUE(others[1]);
  EXPECT_NEAR(others[1]->box.center_x(), boxes_at(1)[0].center_x(), 1) << "the same target";
  run.filter.learn(targets_at(1));
  run.filter.end();
  run.luma.release();

  FilterRun once(queue_);
  once.show(picture(0), targets_at(0));
  once.luma.borrow(frame.luma);
  once.filter.begin(frame, once.luma, here);
  once.filter.learn(targets_at(1));
  once.filter.end();
  once.luma.release();
  EXPECT_EQ(run.show(picture(2)), once.show(picture(2))) << "asking teaches nothing";
}

TEST_P(CorrelationFilterTargets, MayBeginAFrameTwice) {
  FilterRun twice(queue_), once(queue_);
  for (int i = 0; i < 4; ++i) {
    const ColorSpace space = i % 2 == 0 ? ColorSpace::yuv : ColorSpace::none;
    const FilterPicture shown = picture(i, space);
    const auto added = i == 0 ? targets_at(0) : std::vector<MotionTarget>();
    {
      // Begun, asked for, and not ended: another picture, too, which is gone then.
      const FilterPicture other = picture(i + 1, ColorSpace::rgb);
      const Frame frame = other.frame();
      Plane luma;
      luma.borrow(frame.luma);
      twice.filter.begin(frame, luma, twice.all());
      twice.filter.estimate(twice.all());
      twice.filter.begin(shown.frame(), luma, twice.all());
      luma.release();
    }
    EXPECT_EQ(twice.show(shown, added), once.show(shown, added)) << i;
  }
}

TEST_P(CorrelationFilterTargets, HaveTheHostsBits) {
  for (const ColorSpace space : {ColorSpace::none, ColorSpace::yuv, ColorSpace::rgb}) {
    FilterRun expected(host_), run(queue_);
    for (int i = 0; i < 6; ++i) {
      const auto added = i == 0 ? targets_at(0) : std::vector<MotionTarget>();
      EXPECT_EQ(run.show(picture(i, space), added), expected.show(picture(i, space), added)) << i;
    }
  }
}

// Fewer targets than threads, as many, and more.
TEST(CorrelationFilterThreads, GiveTheSameBits) {
  for (const ColorSpace space : {ColorSpace::none, ColorSpace::yuv, ColorSpace::rgb}) {
    for (const std::size_t targets : {1, 2, 5}) {
      const auto all = targets_at(0);
      std::vector<Answers> expected;
      for (const int threads : {1, 2, 3, 8}) {
        FilterRun run(Device::host()->make_queue(threads));
        run.show(picture(0, space), std::span(all).first(targets));
        std::vector<Answers> answers;
        for (int i = 1; i < 4; ++i) answers.push_back(run.show(picture(i, space)));
        if (threads == 1) expected = answers;
        EXPECT_EQ(answers, expected) << targets << " targets, " << threads << " threads";
      }
    }
  }
}

// Between any two frames, from the host, to the host, twice, and back.
TEST_P(CorrelationFilterTargets, GoOnElsewhere) {
  FilterRun stays(host_), moves(host_);
  for (int i = 0; i < 7; ++i) {
    const auto added = i == 0 ? targets_at(0) : std::vector<MotionTarget>();
    EXPECT_EQ(moves.show(picture(i), added), stays.show(picture(i), added)) << i;
    moves.filter.place(i % 3 == 0 ? queue_ : host_, true);
    if (i == 4) moves.filter.place(queue_, true);
  }
}

// A frame that has been asked for and is not ended, when the work is moved.
TEST_P(CorrelationFilterTargets, GoOnElsewhereInTheMiddleOfAFrame) {
  FilterRun stays(host_), moves(queue_);
  for (int i = 0; i < 4; ++i) {
    const auto added = i == 0 ? targets_at(0) : std::vector<MotionTarget>();
    const FilterPicture shown = picture(i);
    if (i > 0) {
      const Frame frame = shown.frame();
      moves.luma.borrow(frame.luma);
      moves.filter.begin(frame, moves.luma, moves.all());
      moves.filter.estimate(moves.all());
      moves.luma.release();  // as a tracker does, first
      moves.filter.place(i % 2 == 1 ? host_ : queue_, true);
    }
    EXPECT_EQ(moves.show(shown, added), stays.show(shown, added)) << i;
  }
}

CLTRACK_ON_EVERY_DEVICE(CorrelationFilterTargets);

}  // namespace
}  // namespace cltrack
