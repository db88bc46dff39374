// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/flow_decision.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tld/drawn_people.h"

namespace cltrack {
namespace {

using test::kHere;
using test::kThere;

const std::vector<Detection> kNothing;

// A target that was learnt at kHere, and is not what kThere shows.
class FlowDecisionTest : public test::DrawnTarget {
 protected:
  FlowDecisionTest() {
    learn_here();
    put(kHere);
  }

  Outcome frame(const std::optional<BoundingBox>& box,
                std::optional<std::vector<Detection>> detections = kNothing, bool learning = true) {
    view_.begin_frame(people_.planes, std::move(detections));
    const Motion motion = {box.value_or(BoundingBox()), {}};
    decision_.find(box ? &motion : nullptr, box ? "" : "size");
    const Outcome outcome = decision_.decide(learning);
    state_.transition(outcome.evidence);
    return outcome;
  }
  std::string reason() const { return state_.report().reason; }

  FlowDecision decision_{config_, state_, view_};
};

TEST_F(FlowDecisionTest, LearnsWhatIsValid) {
  EXPECT_TRUE(frame(kHere).learns);
  EXPECT_TRUE(decision_.is_sure());
  EXPECT_TRUE(frame(kHere).updates_motion);
  EXPECT_EQ(state_.report().state, TrackState::tracking);
  const Outcome paused = frame(kHere, kNothing, false);
  EXPECT_TRUE(paused.evidence.estimate->valid);
  EXPECT_FALSE(paused.learns || paused.updates_motion);
}

// Median flow may go on for some time with what it does not know.
TEST_F(FlowDecisionTest, StaysValidUntilItMayNotBeLearnt) {
  const Outcome outcome = frame(kThere);
  EXPECT_TRUE(decision_.is_sure()) << "motion is, by what was valid before";
  EXPECT_FALSE(outcome.evidence.estimate->valid);
  EXPECT_FALSE(outcome.learns || outcome.updates_motion);
  EXPECT_EQ(state_.report().state, TrackState::uncertain);
  frame(kThere);
  EXPECT_FALSE(decision_.is_sure());
  frame(kHere);
  EXPECT_TRUE(decision_.is_sure()) << "by its similarity";
}

TEST_F(FlowDecisionTest, NowhereIsLost) {
  frame(std::nullopt);
  EXPECT_FALSE(decision_.is_sure());
  EXPECT_EQ(state_.phase(), Phase::lost);
  EXPECT_EQ(reason(), "size");
}

TEST_F(FlowDecisionTest, GivesUpWhatNothingSpeaksFor) {
  frame(kThere);  // motion is sure on this frame
  for (int i = 1; i < config_.lost_frames; ++i) EXPECT_TRUE(frame(kThere).evidence.estimate) << i;
  EXPECT_TRUE(frame(kThere, std::nullopt).evidence.estimate) << "no scan, nothing is known";
  EXPECT_FALSE(frame(kThere).evidence.estimate);
  EXPECT_EQ(reason(), "object-model");
}

TEST_F(FlowDecisionTest, CountsAnewOnceSomethingSpeaksForIt) {
  const auto lost_after = [&](int frames) {
    for (int i = 0; i < frames; ++i) EXPECT_TRUE(frame(kThere).evidence.estimate) << i;
    return !frame(kThere).evidence.estimate;
  };
  frame(kThere);
  lost_after(config_.lost_frames - 2);
  frame(kThere, std::vector{test::detection({310, 100, 40, 80}, 0.1f)});  // overlaps by half
  EXPECT_TRUE(lost_after(config_.lost_frames - 1)) << "a window";
  put(kThere);
  frame(kThere);
  lost_after(config_.lost_frames - 2);
  model_.nn_valid_threshold = 1.1f;
  frame(kHere);
  EXPECT_FALSE(decision_.is_sure());
  EXPECT_TRUE(lost_after(config_.lost_frames - 1)) << "it was more like the target";
  put(kThere);
  frame(kThere);
  lost_after(config_.lost_frames - 2);
  decision_.reset();
  EXPECT_TRUE(lost_after(config_.lost_frames - 1)) << "somebody has moved it";
}

// What was learnt before a move is surer of the old place.
TEST_F(FlowDecisionTest, StaysForSomeFramesWhereItWasMovedTo) {
  const std::vector<Detection> before = {test::detection(kHere, 0.9f, 0.9f),
                                         test::detection({102, 100, 40, 80}, 0.9f, 0.9f),
                                         test::detection({104, 100, 40, 80}, 0.9f, 0.9f)};
  put(kThere);
  decision_.reset();
  for (int i = 0; i < 12; ++i) {
    const Outcome outcome = frame(kThere, before);
    EXPECT_EQ(state_.box(), kThere) << i;
    EXPECT_FALSE(outcome.evidence.estimate->valid);
    EXPECT_TRUE(outcome.updates_motion && outcome.learns) << "it was said to be there";
  }
  frame(kThere, before);
  EXPECT_NE(state_.box(), kThere);
}

}  // namespace
}  // namespace cltrack
