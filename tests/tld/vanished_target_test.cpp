// SPDX-License-Identifier: LGPL-2.1-or-later
// Targets that are gone at once, while the background stands: there is nothing but the background
// to learn, and nothing says that it is another thing but what is known of the target.
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "cltrack/tld_tracker.h"
#include "support/scene.h"
#include "tld/moving_target.h"

namespace cltrack {
namespace {

using test::kHeight;
using test::kWidth;
using test::Scene;
using test::single_threaded;

constexpr int kShown = 80;  // frames
constexpr int kGone = 120;
constexpr BoundingBox kBefore = {120, 40, 60, 60};  // large, so that the filter sees little else
constexpr BoundingBox kElsewhere = {30, 110, 60, 60};

struct Story {
  std::vector<TrackState> gone;  // states while it is not there
  int found = -1;                // frames after it is there again
};

Story run(std::uint64_t scene_seed, const TldConfig& config, bool learning = true) {
  Scene scene(kWidth, kHeight, scene_seed);
  const auto tracker = make_tld_tracker(config);
  tracker->add(kBefore);
  Story result;
  for (int i = 0; i < kShown; ++i) {
    const Track& track = tracker->process(scene.draw(kBefore))[0];
    EXPECT_GT(overlap(track.box, kBefore), 0.5f) << i;
    tracker->set_learning(learning);
  }
  for (int i = 0; i < kGone; ++i) {
    result.gone.push_back(tracker->process(scene.draw(std::nullopt))[0].state);
  }
  for (int i = 0; i < 100 && result.found < 0; ++i) {
    const Track& track = tracker->process(scene.draw(kElsewhere))[0];
    if (track.has_box() && overlap(track.box, kElsewhere) > 0.5f) result.found = i;
  }
  return result;
}

void expect_lost(const Story& story) {
  for (int i = 20; i < kGone; ++i) {
    ASSERT_EQ(story.gone[static_cast<std::size_t>(i)], TrackState::lost) << i << " frames gone";
  }
}

TEST(VanishedTarget, IsLostUntilItComesBack) {
  for (std::uint64_t seed = 1; seed < 21; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Story story = run(seed, single_threaded(seed));
    expect_lost(story);
    EXPECT_GE(story.found, 0);
    EXPECT_LT(story.found, 10) << story.found;
  }
}

// What is usual is known of a filter that does not learn, too.
TEST(VanishedTarget, IsLostWithoutLearning) {
  for (const std::uint64_t seed : {1u, 5u, 6u, 7u}) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    expect_lost(run(seed, single_threaded(seed), false));
  }
}

}  // namespace
}  // namespace cltrack
