// SPDX-License-Identifier: LGPL-2.1-or-later
// Template matching on synthetic videos with a known answer.
#include "cltrack/template_tracker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "support/errors.h"
#include "support/scene.h"

namespace cltrack {
namespace {

using test::expect_rejected;
using test::Scene;
using testing::AllOf;
using testing::HasSubstr;
using testing::SizeIs;

constexpr int kWidth = 320;
constexpr int kHeight = 240;
constexpr BoundingBox kStart = {100, 80, 48, 40};

BoundingBox moved(float x, float y, float size = 1) {
  return {kStart.x + x, kStart.y + y, kStart.width * size, kStart.height * size};
}

class TemplateTrackerTest : public testing::Test {
 protected:
  Track follow(const std::optional<BoundingBox>& target) {
    return tracker_->process(scene_.draw(target, pts_++)).front();
  }
  void start(const TemplateConfig& config = {}) {
    tracker_ = make_template_tracker(config);
    tracker_->add(kStart, "it");
    const Track first = follow(kStart);
    EXPECT_EQ(first.state, TrackState::tracking);
    EXPECT_EQ(first.box, kStart);
  }

  Scene scene_{kWidth, kHeight, 3};
  std::unique_ptr<Tracker> tracker_ = make_template_tracker();
  std::int64_t pts_ = 0;
};

TEST_F(TemplateTrackerTest, FollowsMotionInPartsOfPixels) {
  start();
  for (int i = 1; i < 40; ++i) {
    const BoundingBox target = moved(2.3f * static_cast<float>(i), 1.6f * static_cast<float>(i));
    const Track track = follow(target);
    EXPECT_EQ(track.state, TrackState::tracking) << i;
    EXPECT_GT(overlap(track.box, target), 0.85f) << i;
    EXPECT_NEAR(track.box.center_x(), target.center_x(), 1.0f) << i;
    EXPECT_EQ(track.id, 1u);
    EXPECT_EQ(track.label, "it");
    EXPECT_EQ(track.last_seen, i);
  }
}

TEST_F(TemplateTrackerTest, FollowsFastMotion) {
  start();
  for (int i = 1; i < 5; ++i) {
    const BoundingBox target = moved(30.0f * static_cast<float>(i), 0);
    EXPECT_GT(overlap(follow(target).box, target), 0.7f) << i;
  }
}

TEST_F(TemplateTrackerTest, FollowsChangesOfSize) {
  start();
  for (int i = 1; i <= 60; ++i) {
    const BoundingBox target = moved(0, 0, 1 + 0.01f * static_cast<float>(i));
    EXPECT_GT(overlap(follow(target).box, target), 0.7f) << i;
  }
}

TEST_F(TemplateTrackerTest, FramesHaveALargestSide) {
  const test::PaddedImage wide(32768, 2), tall(2, 32768);
  for (const test::PaddedImage* image : {&wide, &tall}) {
    Frame frame;
    frame.luma = image->view();
    expect_rejected([&] { tracker_->process(frame); }, {"32768", "at most 32767"});
  }
}

TEST_F(TemplateTrackerTest, WithoutSizesTheBoxKeepsItsOwn) {
  start({.scale_step = 1});
  const Track track = follow(moved(5, 3, 1.05f));
  EXPECT_EQ(track.box.width, kStart.width);
  EXPECT_EQ(track.box.height, kStart.height);
}

TEST_F(TemplateTrackerTest, IsLostWhileHiddenAndFoundAgainElsewhere) {
  start();
  follow(moved(2, 0));
  for (int i = 0; i < 10; ++i) {
    const Track track = follow(std::nullopt);
    if (i < 2) continue;  // a frame or two of doubt
    EXPECT_EQ(track.state, TrackState::lost) << i;
    EXPECT_EQ(track.box, BoundingBox{}) << i;
    EXPECT_EQ(track.confidence, 0) << i;
  }
  const BoundingBox back = {230, 170, kStart.width, kStart.height};
  const Track track = follow(back);
  EXPECT_TRUE(track.has_box());
  EXPECT_GT(overlap(track.box, back), 0.8f);
  EXPECT_EQ(track.id, 1u);
}

// The scene with the target at `box`, and a copy of it at each of `places`.
test::PaddedImage with_copies(Scene& scene, const BoundingBox& box,
                              const std::vector<std::pair<int, int>>& places) {
  const Frame frame = scene.draw(box);
  test::PaddedImage picture(kWidth, kHeight);
  picture.fill([&](int x, int y) { return frame.luma.at(x, y); });
  for (const auto& [left, top] : places) {
    for (int y = 0; y < static_cast<int>(box.height); ++y) {
      for (int x = 0; x < static_cast<int>(box.width); ++x) {
        picture.at(left + x, top + y) =
            frame.luma.at(static_cast<int>(box.x) + x, static_cast<int>(box.y) + y);
      }
    }
  }
  return picture;
}

TEST_F(TemplateTrackerTest, ALookAlikeDoesNotTakeTheTarget) {
  start();
  for (int i = 1; i < 10; ++i) {
    const BoundingBox target = moved(3.0f * static_cast<float>(i), 0);
    const auto picture = with_copies(scene_, target, {{100, 170}});
    const Track track = tracker_->process({.luma = picture.view()}).front();
    EXPECT_GT(overlap(track.box, target), 0.85f) << i;
  }
}

TEST_F(TemplateTrackerTest, OfTwoThatLookAlikeNoneIsFoundAgain) {
  start();
  for (int i = 0; i < 20; ++i) follow(std::nullopt);
  const BoundingBox one = {20, 20, kStart.width, kStart.height};
  const auto both = with_copies(scene_, one, {{230, 170}});
  EXPECT_EQ(tracker_->process({.luma = both.view()}).front().state, TrackState::lost);
  EXPECT_GT(overlap(follow(one).box, one), 0.85f) << "alone it is";
}

// The second of two equal pieces is taken away, and put back.
TEST_F(TemplateTrackerTest, APlaceHasOneOwner) {
  start();
  const BoundingBox second = moved(60, 0);
  const auto both = with_copies(scene_, kStart, {{160, 80}});
  const std::uint64_t id = tracker_->add(second, "second");
  for (int i = 0; i < 3; ++i) {
    const auto tracks = tracker_->process({.luma = both.view()});
    ASSERT_THAT(tracks, SizeIs(2));
    EXPECT_EQ(tracks[1].id, id);
    EXPECT_GT(overlap(tracks[1].box, second), 0.9f);
  }
  std::string reason;
  for (int i = 0; i < 30; ++i) {
    const auto tracks = tracker_->process(scene_.draw(kStart));
    EXPECT_EQ(tracks[0].state, TrackState::tracking) << i;
    EXPECT_GT(overlap(tracks[0].box, kStart), 0.9f) << i;
    EXPECT_LT(overlap(tracks[1].box, kStart), 0.5f) << i;
    if (i >= 2) {  // a frame or two of doubt
      EXPECT_EQ(tracks[1].state, TrackState::lost) << i;
    }
    reason = tracks[1].reason;
  }
  EXPECT_EQ(reason, "other-target");
}

TEST_F(TemplateTrackerTest, TargetsThatSomebodyPutTogetherStay) {
  start();
  tracker_->add(moved(4, 4), "part of it");
  for (int i = 0; i < 5; ++i) {
    for (const Track& track : tracker_->process(scene_.draw(kStart))) {
      EXPECT_EQ(track.state, TrackState::tracking) << i;
    }
  }
}

TEST_F(TemplateTrackerTest, ADiscontinuityIsNoMotion) {
  start();
  const BoundingBox target = {230, 20, kStart.width, kStart.height};
  Frame frame = scene_.draw(target);
  frame.discontinuity = true;
  EXPECT_GT(overlap(tracker_->process(frame).front().box, target), 0.8f);
}

TEST_F(TemplateTrackerTest, SeveralTargetsDoNotDisturbEachOther) {
  start();
  tracker_->add({20, 150, 60, 50}, "background");
  for (int i = 0; i < 5; ++i) {
    const auto tracks =
        tracker_->process(scene_.draw(i < 2 ? std::optional(kStart) : std::nullopt));
    ASSERT_THAT(tracks, SizeIs(2));
    EXPECT_EQ(tracks[1].id, 2u);
    EXPECT_EQ(tracks[1].state, TrackState::tracking) << i;
    EXPECT_GT(overlap(tracks[1].box, {20, 150, 60, 50}), 0.9f) << i;
  }
}

TEST_F(TemplateTrackerTest, LearningMakesASecondTemplateUnlessItIsOff) {
  const auto templates = [&] { return tracker_->stats().targets.front().positive_patches; };
  start();
  EXPECT_EQ(templates(), 1u);
  follow(moved(1, 0));
  EXPECT_EQ(templates(), 2u);
  start({.learning = false});
  follow(moved(1, 0));
  EXPECT_EQ(templates(), 1u);
  tracker_->set_learning(true);
  follow(moved(2, 0));
  EXPECT_EQ(templates(), 2u);
  start({.update_rate = 0});
  follow(moved(1, 0));
  EXPECT_EQ(templates(), 1u);
}

TEST_F(TemplateTrackerTest, AnotherFrameSizeIsTheSameSceneResized) {
  for (const auto search : {TemplateSearch::window, TemplateSearch::frame}) {
    start({.search = search});
    follow(kStart);
    test::PaddedImage half(kWidth / 2, kHeight / 2);
    const Frame full = scene_.draw(kStart);
    half.fill([&](int x, int y) {
      return (full.luma.at(2 * x, 2 * y) + full.luma.at(2 * x + 1, 2 * y) +
              full.luma.at(2 * x, 2 * y + 1) + full.luma.at(2 * x + 1, 2 * y + 1)) /
             4;
    });
    const Track track = tracker_->process({.luma = half.view()}).front();
    EXPECT_GT(overlap(track.box, {50, 40, 24, 20}), 0.85f);
  }
}

// The frame has room for it, and the search of whole frames has not.
TEST_F(TemplateTrackerTest, ATemplateThatGrowsTooLargeIsLostAndSaysWhy) {
  TemplateConfig config;
  config.search = TemplateSearch::frame;
  start(config);
  const std::uint64_t large = tracker_->add({20, 20, 280, 200});
  follow(kStart);
  const test::PaddedImage image = test::noise_image(8000, 6000, 1);
  Frame frame;
  frame.luma = image.view();
  for (int i = 0; i < 2; ++i) {
    frame.pts = pts_++;
    const auto tracks = tracker_->process(frame);
    EXPECT_EQ(tracks[large - 1].state, TrackState::lost);
    EXPECT_STREQ(tracks[large - 1].reason, "refused");
    EXPECT_THAT(tracker_->take_warnings(), SizeIs(i == 0 ? 1 : 0));
  }
}

TEST_F(TemplateTrackerTest, TheSameWithAnyNumberOfThreads) {
  std::vector<std::vector<BoundingBox>> all;
  for (const int threads : {1, 2, 5}) {
    Scene scene(kWidth, kHeight, 3);
    const auto tracker = make_template_tracker({.threads = threads});
    tracker->add(kStart);
    tracker->add({20, 150, 60, 50});
    auto& boxes = all.emplace_back();
    for (int i = 0; i < 25; ++i) {
      std::optional<BoundingBox> target = moved(3.1f * static_cast<float>(i), 0);
      if (i > 10 && i < 15) target.reset();
      for (const Track& track : tracker->process(scene.draw(target))) boxes.push_back(track.box);
    }
  }
  EXPECT_EQ(all[0], all[1]);
  EXPECT_EQ(all[0], all[2]);
}

TEST_F(TemplateTrackerTest, WholeFramesAlwaysHaveABoxAtAWholePixel) {
  for (const auto similarity : {Similarity::ncc, Similarity::cosine}) {
    start({.similarity = similarity, .search = TemplateSearch::frame});
    const BoundingBox target = {200, 150, kStart.width, kStart.height};
    EXPECT_EQ(follow(target).box, target);
    const Track track = follow(std::nullopt);
    EXPECT_TRUE(track.has_box());
    EXPECT_LT(track.confidence, 0.9f);
    EXPECT_EQ(track.box.width, kStart.width);
  }
}

TEST_F(TemplateTrackerTest, APictureIsLookedForInTheWholeFrame) {
  Scene scene(kWidth, kHeight, 3);
  const Frame shown = scene.draw(kStart);
  for (const auto search : {TemplateSearch::window, TemplateSearch::frame}) {
    tracker_ = make_template_tracker({.search = search});
    tracker_->add(ImageView{shown.luma.row(80) + 100, 48, 40, shown.luma.stride}, "picture");
    const BoundingBox target = {30, 160, 48, 40};
    const Track track = follow(target);
    EXPECT_GT(overlap(track.box, target), 0.9f);
    EXPECT_EQ(track.label, "picture");
    EXPECT_EQ(track.age, 1u);
  }
}

TEST_F(TemplateTrackerTest, AFlatTemplateStaysLostAndSaysWhy) {
  test::PaddedImage grey(kWidth, kHeight);
  grey.fill([](int, int) { return 90; });
  for (const auto search : {TemplateSearch::window, TemplateSearch::frame}) {
    tracker_ = make_template_tracker({.search = search});
    tracker_->add(kStart);
    const Track track = tracker_->process({.luma = grey.view()}).front();
    EXPECT_EQ(track.state, TrackState::lost);
    EXPECT_STREQ(track.reason, "refused");
    const auto warnings = tracker_->take_warnings();
    ASSERT_THAT(warnings, SizeIs(1));
    EXPECT_THAT(warnings[0], AllOf(HasSubstr("flat"), HasSubstr("x=100"), HasSubstr("at least 1")));
    EXPECT_EQ(follow(kStart).state, TrackState::lost) << "forever";
    EXPECT_THAT(tracker_->take_warnings(), SizeIs(0));
    expect_rejected([&] { tracker_->add(grey.view()); });
  }
}

TEST_F(TemplateTrackerTest, AFlatFrameIsALoss) {
  start();
  test::PaddedImage grey(kWidth, kHeight);
  grey.fill([](int, int) { return 90; });
  const Track track = tracker_->process({.luma = grey.view()}).front();
  EXPECT_EQ(track.state, TrackState::lost);
  EXPECT_STREQ(track.reason, "score");
}

TEST_F(TemplateTrackerTest, PicturesOfTheWrongSizeAreRefused) {
  const test::PaddedImage noise = test::noise_image(400, 300, 1);
  expect_rejected(
      [&] {
        tracker_->add(ImageView{noise.view().data, 40, 7, 400});
      },
      {"40x7", "at least 8x8"});
  expect_rejected([&] { tracker_->add(ImageView{}); });
  tracker_->add(noise.view());
  EXPECT_EQ(follow(kStart).state, TrackState::lost);
  const auto warnings = tracker_->take_warnings();
  ASSERT_THAT(warnings, SizeIs(1));
  EXPECT_THAT(warnings[0], AllOf(HasSubstr("400x300"), HasSubstr("320x240")));
}

TEST_F(TemplateTrackerTest, AMovedTargetGoesOnFromThere) {
  start();
  for (int i = 1; i < 5; ++i) follow(moved(2.0f * static_cast<float>(i), 0));
  // Too far for the window.
  const BoundingBox there = {240, 20, 48, 40};
  EXPECT_TRUE(tracker_->move(1, there));
  EXPECT_FALSE(tracker_->move(2, there));
  const Track first = follow(there);
  EXPECT_EQ(first.box, there);
  EXPECT_EQ(first.state, TrackState::tracking);
  EXPECT_EQ(first.age, 6u);
  EXPECT_EQ(first.label, "it");
  for (int i = 1; i < 8; ++i) {
    const BoundingBox target = {240 - 3 * static_cast<float>(i), 20, 48, 40};
    const Track track = follow(target);
    EXPECT_EQ(track.state, TrackState::tracking) << "what was learnt is known: " << i;
    EXPECT_GT(overlap(track.box, target), 0.85f) << i;
  }
}

// Nothing in the picture moves, so that the old template would lead back.
TEST_F(TemplateTrackerTest, AMoveIsNotUndone) {
  for (const float shift : {15.0f, 30.0f, 60.0f}) {
    tracker_->reset();
    start();
    const BoundingBox there = moved(shift, 0);
    tracker_->move(1, there);
    for (int i = 0; i < 6; ++i) {
      const Track track = follow(kStart);
      EXPECT_EQ(track.state, TrackState::tracking) << shift;
      EXPECT_GT(overlap(track.box, there), 0.85f) << shift << ", " << i;
    }
  }
}

TEST_F(TemplateTrackerTest, AMoveOutOfTheFrameIsNone) {
  start();
  EXPECT_TRUE(tracker_->move(1, {1000, 80, 48, 40}));
  EXPECT_GT(overlap(follow(kStart).box, kStart), 0.85f);
  const auto warnings = tracker_->take_warnings();
  ASSERT_THAT(warnings, SizeIs(1));
  EXPECT_THAT(warnings[0], AllOf(HasSubstr("target 1 is not moved"), HasSubstr("x=1000")));
}

TEST_F(TemplateTrackerTest, ATargetThatCouldNotBeLearntBeginsWhereItIsMovedTo) {
  tracker_->add({1000, 80, 48, 40});
  EXPECT_EQ(follow(kStart).state, TrackState::lost);
  tracker_->move(1, kStart);
  EXPECT_EQ(follow(kStart).box, kStart);
  EXPECT_GT(overlap(follow(moved(3, 2)).box, moved(3, 2)), 0.85f);
}

TEST_F(TemplateTrackerTest, APictureMayBeSaidToBeSomewhere) {
  Scene scene(kWidth, kHeight, 3);
  const Frame shown = scene.draw(kStart);
  tracker_->add(ImageView{shown.luma.row(80) + 100, 48, 40, shown.luma.stride});
  tracker_->move(1, moved(50, 30));
  EXPECT_EQ(follow(kStart).box, moved(50, 30));
  EXPECT_GT(overlap(follow(kStart).box, kStart), 0.85f);
}

TEST_F(TemplateTrackerTest, WholeFramesTakeNoMoves) {
  start({.search = TemplateSearch::frame});
  expect_rejected([&] { tracker_->move(1, kStart); }, {"search=frame", "search=window"});
}
}  // namespace
}  // namespace cltrack
