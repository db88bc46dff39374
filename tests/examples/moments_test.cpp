// SPDX-License-Identifier: LGPL-2.1-or-later
#include "examples/track_video/moments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace track_video {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::IsSupersetOf;
using testing::Le;
using testing::SizeIs;

// Takes pictures that say which frame they are of, and counts those that are alive.
class Video {
 public:
  // Frames 0 to count - 1; `turns` has those on which a target changes.
  void play(std::uint64_t count, const std::map<std::uint64_t, std::size_t>& turns = {}) {
    for (std::uint64_t frame = 0; frame < count; ++frame) {
      const auto turn = turns.find(frame);
      const bool changes = turn != turns.end();
      moments_.add({.frame = frame,
                    .change = changes ? Change::lost : Change::none,
                    .turn = changes ? turn->second : 0,
                    .text = {}},
                   [this, frame] { return take(frame); });
      most_alive_ = std::max(most_alive_, alive_);
    }
  }

  std::vector<std::uint64_t> chosen() {
    std::vector<std::uint64_t> frames;
    for (const Moment& moment : moments_.chosen()) {
      frames.push_back(moment.frame);
      EXPECT_NE(moment.picture, nullptr);
      EXPECT_EQ(of_.at(moment.picture.get()), moment.frame);
    }
    return frames;
  }

  std::size_t most_alive() const { return most_alive_; }
  std::size_t taken() const { return taken_; }

 private:
  Picture take(std::uint64_t frame) {
    ++taken_;
    ++alive_;
    cairo_surface_t* surface = cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1);
    of_[surface] = frame;
    return {surface, [this](cairo_surface_t* gone) {
              --alive_;
              of_.erase(gone);
              cairo_surface_destroy(gone);
            }};
  }

  std::map<cairo_surface_t*, std::uint64_t> of_;
  std::size_t alive_ = 0;
  std::size_t most_alive_ = 0;
  std::size_t taken_ = 0;
  Moments moments_;  // last: its pictures go first
};

TEST(MomentsTest, NothingOfNothing) { EXPECT_THAT(Moments().chosen(), testing::IsEmpty()); }

TEST(MomentsTest, OneFrameIsShownOnce) {
  Video video;
  video.play(1);
  EXPECT_THAT(video.chosen(), ElementsAre(0));
}

TEST(MomentsTest, AFewFramesAreAllShown) {
  Video video;
  video.play(5, {{0, 1}, {4, 2}});
  EXPECT_THAT(video.chosen(), ElementsAre(0, 1, 2, 3, 4));
}

TEST(MomentsTest, WithoutALossTheyLieEvenly) {
  for (const std::uint64_t count : {12, 13, 24, 25, 60, 1000, 10007}) {
    Video video;
    video.play(count);
    const auto frames = video.chosen();
    ASSERT_THAT(frames, SizeIs(Moments::kUsual)) << count;
    EXPECT_EQ(frames.front(), 0u);
    EXPECT_EQ(frames.back(), count - 1);
    for (std::size_t i = 1; i < frames.size(); ++i) {
      EXPECT_LE(frames[i] - frames[i - 1], 2 * count / Moments::kUsual + 1) << count;
    }
  }
}

TEST(MomentsTest, ChangesAreThereWhereverTheyAre) {
  Video video;
  video.play(10000, {{1, 1}, {17, 2}, {5003, 1}, {5004, 2}, {9998, 3}});
  const auto frames = video.chosen();
  EXPECT_THAT(frames, SizeIs(Moments::kUsual));
  EXPECT_THAT(frames, IsSupersetOf({0, 1, 17, 5003, 5004, 9998, 9999}));
}

TEST(MomentsTest, TheSheetGrowsWithTheChanges) {
  Video video;
  std::map<std::uint64_t, std::size_t> turns;
  for (std::size_t turn = 1; turn <= 16; ++turn) turns[turn * 100] = turn;
  video.play(3000, turns);
  EXPECT_THAT(video.chosen(), SizeIs(22));
}

TEST(MomentsTest, OfTooManyChangesTheFirstOfEachTargetStay) {
  Video video;
  std::map<std::uint64_t, std::size_t> turns;
  // One target flickers all the time; ten others are lost once, late.
  for (std::uint64_t frame = 1; frame < 5000; ++frame) turns[frame] = frame;
  for (std::uint64_t frame = 5000; frame < 5100; frame += 10) turns[frame] = 1;
  video.play(6000, turns);
  const auto frames = video.chosen();
  EXPECT_THAT(frames, SizeIs(Moments::kMost));
  for (std::uint64_t frame = 5000; frame < 5100; frame += 10) {
    EXPECT_THAT(frames, testing::Contains(frame));
  }
  // Then the flickering one's first ones.
  EXPECT_THAT(frames, IsSupersetOf({1, 2, 3, 8}));
}

TEST(MomentsTest, KeepsFewPicturesOfALongVideo) {
  Video video;
  std::map<std::uint64_t, std::size_t> turns;
  for (std::uint64_t frame = 0; frame < 200000; frame += 3) turns[frame] = 1 + frame / 30;
  video.play(200000, turns);
  EXPECT_LE(video.most_alive(), 2 * Moments::kUsual + Moments::kMost + 2);
  // Nor does it take many in vain, which would cost time.
  EXPECT_LE(video.taken(), 1000u);
  EXPECT_THAT(video.chosen(), SizeIs(Moments::kMost));
  EXPECT_THAT(video.chosen(), Each(Le(199999u)));
}

}  // namespace
}  // namespace track_video
