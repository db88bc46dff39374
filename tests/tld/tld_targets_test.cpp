// SPDX-License-Identifier: LGPL-2.1-or-later
// The targets of a TLD tracker: adding, moving, removing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "cltrack/log.h"
#include "cltrack/tld_tracker.h"
#include "support/scene.h"
#include "tld/moving_target.h"

namespace cltrack {
namespace {

using test::kHeight;
using test::kOutside;
using test::kWidth;
using test::PaddedImage;
using test::path;
using test::Scene;
using test::single_threaded;
using test::Texture;

TEST(TldTargets, TargetsDoNotInfluenceEachOther) {
  Scene scene(kWidth, kHeight);
  const auto alone = make_tld_tracker(single_threaded());
  const auto both = make_tld_tracker(single_threaded());
  alone->add(path(0));
  both->add(path(0));
  both->add({180, 120, 40, 40});
  for (int i = 0; i < 40; ++i) {
    const Frame frame = scene.draw(path(i));
    if (i == 20) {
      EXPECT_TRUE(both->remove(2));
    }
    const BoundingBox expected = alone->process(frame)[0].box;
    EXPECT_EQ(both->process(frame)[0].box, expected) << i;
  }
}

// Of two equal things one leaves the picture: what is left is the other one's.
TEST(TldTargets, TwoNeverShareAnObject) {
  const Texture background(1), thing(2);
  PaddedImage image(kWidth, kHeight, 5);
  const auto tracker = make_tld_tracker(single_threaded());
  for (int i = 0; i < 90; ++i) {
    const auto n = static_cast<float>(i);
    const BoundingBox leaves{80 - 3 * n, 20, 40, 40}, stays{120 + 0.3f * n, 110, 40, 40};
    image.fill([&](int x, int y) {
      const float px = static_cast<float>(x) + 0.5f, py = static_cast<float>(y) + 0.5f;
      for (const BoundingBox& box : {leaves, stays}) {
        if (px >= box.x && px < box.right() && py >= box.y && py < box.bottom()) {
          return std::lround(thing.at(px - box.x, py - box.y));
        }
      }
      return std::lround(60 + 0.5f * background.at(0.6f * px, 0.6f * py));
    });
    if (i == 0) {
      tracker->add(leaves);
      tracker->add(stays);
    }
    const auto tracks = tracker->process({.luma = image.view()});
    EXPECT_GT(overlap(tracks[1].box, stays), 0.5f) << i;
    EXPECT_EQ(tracks[1].state, TrackState::tracking) << i;
    if (i > 45) {
      EXPECT_EQ(tracks[0].state, TrackState::lost) << i;
    }
  }
}

// Who wants two targets on one thing gets them.
TEST(TldTargets, TwoThatStartTogetherStay) {
  Scene scene(kWidth, kHeight);
  const auto tracker = make_tld_tracker(single_threaded());
  tracker->add(path(0));
  tracker->add(path(0));
  for (int i = 0; i < 40; ++i) {
    for (const Track& track : tracker->process(scene.draw(path(i)))) {
      EXPECT_EQ(track.state, TrackState::tracking) << i;
    }
  }
}

TEST(TldTargets, ABoxOutsideTheFrameIsLostAndTheOthersGoOn) {
  std::vector<std::string> warnings;
  set_log_handler([&](LogLevel level, std::string_view message) {
    if (level == LogLevel::warning) warnings.emplace_back(message);
  });
  Scene scene(kWidth, kHeight);
  const auto tracker = make_tld_tracker(single_threaded());
  tracker->add({1000, 1000, 40, 40});
  tracker->add(path(0));
  for (int i = 0; i < 5; ++i) {
    const auto tracks = tracker->process(scene.draw(path(i)));
    EXPECT_EQ(tracks[0].state, TrackState::lost);
    EXPECT_EQ(tracks[1].state, TrackState::tracking);
  }
  set_log_handler({});
  ASSERT_EQ(warnings.size(), 1u) << "said once";
  EXPECT_THAT(warnings[0], testing::HasSubstr("x=1000"));
}

// A jump that flow cannot follow, while nothing is learnt: the box is where it was said to be, and
// is followed from there under the same id, by what was learnt before.
TEST(TldTargets, AMovedTargetGoesOnFromThere) {
  Scene scene(kWidth, kHeight);
  const auto tracker = make_tld_tracker(single_threaded());
  tracker->add(path(0), "ball");
  for (int i = 0; i < 20; ++i) tracker->process(scene.draw(path(i)));
  const TargetStats learnt = tracker->stats().targets.at(0);
  EXPECT_TRUE(tracker->move(1, path(60)));
  EXPECT_FALSE(tracker->move(2, path(60)));
  EXPECT_GT(overlap(tracker->process(scene.draw(path(60)))[0].box, path(60)), 0.9999f);
  EXPECT_EQ(tracker->stats().targets.at(0).positive_patches, learnt.positive_patches);
  for (int i = 61; i < 80; ++i) {
    const Track track = tracker->process(scene.draw(path(i)))[0];
    EXPECT_EQ(track.id, 1u);
    EXPECT_EQ(track.label, "ball");
    EXPECT_EQ(track.age, static_cast<std::uint64_t>(i - 60 + 21));
    EXPECT_GT(overlap(track.box, path(i)), 0.5f) << i;
  }
}

// Onto the background, where the detector sees nothing: only flow can follow.
TEST(TldTargets, FlowStartsWhereATargetWasMovedTo) {
  Scene scene(kWidth, kHeight);
  TldConfig config = single_threaded();
  config.motion = kMedianFlow;
  const auto tracker = make_tld_tracker(config);
  tracker->set_learning(false);
  tracker->add(path(0));
  for (int i = 0; i < 5; ++i) tracker->process(scene.draw(path(i)));
  const BoundingBox there = {10, 10, 40, 40};
  tracker->move(1, there);
  for (int i = 0; i < 3; ++i) {
    const Track track = tracker->process(scene.draw(std::nullopt))[0];
    EXPECT_GT(overlap(track.box, there), 0.9f) << i;
    EXPECT_EQ(track.state == TrackState::tracking, i == 0) << "nothing speaks for it there";
  }
}

// The old place still shows what was learnt, and the detector is surer of that.
TEST(TldTargets, FlowLearnsThePlaceThatATargetWasMovedTo) {
  Scene scene(kWidth, kHeight);
  TldConfig config = single_threaded();
  config.motion = kMedianFlow;
  const auto tracker = make_tld_tracker(config);
  tracker->add(path(0));
  for (int i = 0; i < 20; ++i) tracker->process(scene.draw(path(0)));
  BoundingBox there = path(0);
  there.y -= 20;
  tracker->move(1, there);
  for (int i = 0; i < 40; ++i) {
    const Track track = tracker->process(scene.draw(path(0)))[0];
    EXPECT_GT(overlap(track.box, there), 0.8f) << i;
  }
}

// On the frame of the move and after it, whichever of the two is moved.
TEST(TldTargets, AMoveLeavesTheOtherTargetAlone) {
  TldConfig config = single_threaded();
  config.placement.device = "host";
  // Or else the largest box decides how many levels the pyramid has that both are followed in.
  config.flow_window_min = config.flow_window_max = 13;
  const BoundingBox still = {10, 130, 40, 40};
  for (const std::size_t moved : {0u, 1u}) {
    const auto run = [&](bool moves) {
      Scene scene(kWidth, kHeight);
      const auto tracker = make_tld_tracker(config);
      for (const BoundingBox& box : {path(0), still}) tracker->add(box);
      std::vector<BoundingBox> boxes;  // of the other one
      for (int i = 0; i < 30; ++i) {
        const bool now = moves && (i == 10 || i == 17 || i == 18);
        if (now) tracker->move(moved + 1, {150, 60, 40, 40});
        const auto tracks = tracker->process(scene.draw(path(i)));
        if (now) {
          EXPECT_EQ(tracks[moved].box, (BoundingBox{150, 60, 40, 40}));
        }
        boxes.push_back(tracks[1 - moved].box);
      }
      return boxes;
    };
    const auto expected = run(false);
    EXPECT_EQ(run(true), expected) << "target " << moved + 1 << " is moved";
    EXPECT_GT(overlap(expected.back(), moved == 0 ? still : path(29)), 0.5f);
  }
}

TEST(TldTargets, AMoveOutOfTheFrameIsNone) {
  Scene scene(kWidth, kHeight);
  const auto tracker = make_tld_tracker(single_threaded());
  tracker->add(path(0));
  for (int i = 0; i < 5; ++i) tracker->process(scene.draw(path(i)));
  std::vector<std::string> warnings;
  set_log_handler([&](LogLevel level, std::string_view message) {
    if (level == LogLevel::warning) warnings.emplace_back(message);
  });
  tracker->move(1, {1000, 10, 40, 40});
  EXPECT_GT(overlap(tracker->process(scene.draw(path(5)))[0].box, path(5)), 0.5f);
  set_log_handler({});
  EXPECT_THAT(warnings, testing::ElementsAre(testing::HasSubstr("x=1000")));
}

TEST(TldTargets, ATargetOutsideTheFrameBeginsWhereItIsMovedTo) {
  Scene scene(kWidth, kHeight);
  const auto tracker = make_tld_tracker(single_threaded()),
             expected = make_tld_tracker(single_threaded());
  tracker->add(kOutside);
  tracker->process(scene.draw(path(0)));
  tracker->move(1, path(0));
  expected->add(path(0));
  for (int i = 0; i < 20; ++i) {
    const Frame frame = scene.draw(path(i));
    EXPECT_EQ(tracker->process(frame)[0].box, expected->process(frame)[0].box) << i;
  }
}

TEST(TldTargets, AreFoundAgainWithinTheSearchRegionAlone) {
  constexpr BoundingBox box = {150, 60, 40, 40};
  const Polygon left_half = {{0, 0}, {0.5f, 0}, {0.5f, 1}, {0, 1}};
  for (const SearchRegion& region :
       {SearchRegion{.within = {left_half}, .ignored = {}},
        {.within = {}, .ignored = {{{0.5f, 0}, {1, 0}, {1, 1}, {0.5f, 1}}}}}) {
    Scene scene(kWidth, kHeight);
    const auto tracker = make_tld_tracker(single_threaded());
    tracker->add(path(0));
    for (int i = 0; i < 40; ++i) tracker->process(scene.draw(path(i)));
    Track track;
    for (int i = 0; i < 30; ++i) track = tracker->process(scene.draw({}))[0];
    ASSERT_EQ(track.state, TrackState::lost);
    tracker->set_search_region(region);
    for (int i = 0; i < 10; ++i) {
      EXPECT_FALSE(tracker->process(scene.draw(box))[0].has_box()) << i;
    }
    tracker->set_search_region({});
    bool found = false;
    for (int i = 0; i < 10; ++i) found = tracker->process(scene.draw(box))[0].has_box();
    EXPECT_TRUE(found);
  }
}

TEST(TldTargets, MayLeaveTheSearchRegionWhileTheyAreFollowed) {
  Scene scene(kWidth, kHeight);
  const auto tracker = make_tld_tracker(single_threaded());
  tracker->set_search_region({.within = {{{0, 0}, {0.1f, 0}, {0, 0.1f}}}, .ignored = {}});
  tracker->add(path(0));
  for (int i = 0; i < 40; ++i) {
    EXPECT_GT(overlap(tracker->process(scene.draw(path(i)))[0].box, path(i)), 0.5f) << i;
  }
}

BoundingBox place(std::uint64_t i) {
  return {10 + static_cast<float>(i % 50), 20 + static_cast<float>(i % 30), 24, 20};
}

// What an application does: it asks for targets, and uses the ids that it gets at once.
std::vector<std::uint64_t> interfere(Tracker& tracker, const std::atomic<bool>& done) {
  std::vector<std::uint64_t> ids;
  for (std::uint64_t round = 0; !done; ++round) {
    if (ids.size() < 3) {
      ids.push_back(tracker.add(place(round)));
      EXPECT_TRUE(tracker.move(ids.back(), place(round + 1))) << "the id is known at once";
    } else if (round % 5 == 0) {
      EXPECT_TRUE(tracker.remove(ids.front()));
      EXPECT_FALSE(tracker.move(ids.front(), place(round)));
      ids.erase(ids.begin());
    } else {
      EXPECT_TRUE(tracker.move(ids.back(), place(round)));
    }
    std::this_thread::yield();
  }
  return ids;
}

TEST(TldThreads, TargetsChangeWhileFramesAreProcessed) {
  const auto tracker = make_tld_tracker({.threads = 2});
  Scene scene(120, 90);
  const std::uint64_t own = tracker->add(place(0));
  std::atomic<bool> done = false;
  std::vector<std::vector<std::uint64_t>> theirs(2);
  std::vector<std::thread> threads;
  for (auto& ids : theirs) {
    threads.emplace_back([&] { ids = interfere(*tracker, done); });
  }
  for (std::uint64_t i = 0; i < 40; ++i) {
    const auto tracks = tracker->process(scene.draw(place(i)));
    EXPECT_TRUE(std::ranges::is_sorted(tracks, {}, &Track::id)) << i;
    ASSERT_FALSE(tracks.empty());
    EXPECT_EQ(tracks[0].id, own);
    EXPECT_EQ(tracks[0].age, i + 1);
    EXPECT_LE(tracks.size(), 7u);
  }
  done = true;
  for (std::thread& thread : threads) thread.join();

  std::vector<std::uint64_t> expected = {own};
  for (const auto& ids : theirs) expected.insert(expected.end(), ids.begin(), ids.end());
  std::ranges::sort(expected);
  std::vector<std::uint64_t> ids;
  for (const Track& track : tracker->process(scene.draw(place(0)))) ids.push_back(track.id);
  EXPECT_EQ(ids, expected);
}

TEST(TldThreads, ClearFromAnotherThread) {
  const auto tracker = make_tld_tracker({.threads = 2});
  Scene scene(120, 90);
  std::atomic<bool> done = false;
  std::thread other([&] {
    while (!done) {
      tracker->add(place(0));
      tracker->clear();
      std::this_thread::yield();
    }
  });
  for (std::uint64_t i = 0; i < 20; ++i)
    EXPECT_LE(tracker->process(scene.draw(place(i))).size(), 1u);
  done = true;
  other.join();
  EXPECT_TRUE(tracker->process(scene.draw(place(0))).empty());
}

}  // namespace
}  // namespace cltrack
