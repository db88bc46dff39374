// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/target_state.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>

#include "cltrack/tld_config.h"

namespace cltrack {
namespace {

constexpr BoundingBox kHere = {100, 100, 40, 40};
constexpr Evidence kSure = {.conservative = 0.7f, .support = 20};
constexpr IdentityEvidence kAnother = {
    .dissimilarity = 1, .ratio = -0.3f, .has_distractor = true, .is_ambiguous = true};

class TargetStateTest : public testing::Test {
 protected:
  TargetStateTest() { put(); }

  void put() {
    state_.put(kHere);
    state_.begin();
  }
  // Motion leads to a place of this presence, of which `evidence` is reported.
  StateEvidence at(float presence, const Evidence& evidence = kSure) {
    here_ = {kHere, presence, evidence};
    return {.estimate = Estimate{kHere, presence, presence >= config_.tracking_presence},
            .presence = presence,
            .here = &here_,
            .place = &here_,
            .is_right = presence >= config_.update_presence};
  }
  // The target is found at another place.
  StateEvidence jump(const IdentityEvidence& identity = {}) {
    place_ = {kHere, 0.9f, kSure};
    place_.evidence.identity = identity;
    StateEvidence found = at(0.1f);
    found.estimate = Estimate{kHere, 0.9f, false};
    found.presence = 0.9f;
    found.place = &place_;
    found.has_jumped = true;
    found.is_right = false;
    return found;
  }
  void lose(int frames) {
    for (int i = 0; i < frames; ++i) EXPECT_EQ(state_.transition(at(0.1f)), Phase::lost);
  }
  static StateEvidence ambiguous(StateEvidence evidence) {
    evidence.is_ambiguous = true;
    return evidence;
  }
  std::string reason() const { return state_.report().reason; }

  TldConfig config_;
  TargetState state_{config_};
  Hypothesis here_, place_;
};

TEST_F(TargetStateTest, WhatIsReportedOfAPresence) {
  struct Row {
    float presence;
    Phase phase;
    TrackState state;
  };
  for (const Row& row : {Row{1, Phase::followed, TrackState::tracking},
                         {0.8f, Phase::followed, TrackState::tracking},
                         {0.79f, Phase::followed, TrackState::uncertain},
                         {0.4f, Phase::followed, TrackState::uncertain},
                         {0.39f, Phase::lost, TrackState::lost},
                         {0, Phase::lost, TrackState::lost}}) {
    SCOPED_TRACE(row.presence);
    put();
    EXPECT_EQ(state_.transition(at(row.presence)), row.phase);
    EXPECT_EQ(state_.phase(), row.phase);
    EXPECT_EQ(state_.is_seen(), row.phase != Phase::lost);
    EXPECT_EQ(state_.estimate()->box, kHere) << "where it is, or was";
    const Sighting report = state_.report();
    EXPECT_EQ(report.state, row.state);
    const bool is_lost = row.state == TrackState::lost;
    EXPECT_EQ(report.box, is_lost ? BoundingBox() : kHere);
    EXPECT_EQ(report.confidence, is_lost ? 0 : std::min(row.presence, presence(kSure)));
    EXPECT_EQ(reason().empty(), !is_lost);
  }
  EXPECT_EQ(state_.transition({}), Phase::lost) << "it is nowhere";
  EXPECT_FALSE(state_.estimate());
}

// Kalal's integrator knows no presence: its confidence is a similarity.
TEST_F(TargetStateTest, WithoutPresenceABoxIsEnough) {
  EXPECT_EQ(state_.transition({.estimate = Estimate{kHere, 0.3f, true}}), Phase::followed);
  EXPECT_EQ(state_.report().state, TrackState::tracking);
  EXPECT_EQ(state_.report().confidence, 0.3f);
  state_.transition({.estimate = Estimate{kHere, 0.9f, false}});
  EXPECT_EQ(state_.report().state, TrackState::uncertain);
}

// It is less than what decisions go by, but never so little that the target is lost.
TEST_F(TargetStateTest, AmbiguityMakesWhatIsReportedUncertain) {
  Evidence evidence = kSure;
  evidence.response_drop = 1;
  evidence.identity = {.ratio = 0.5f, .has_distractor = true};
  state_.transition(at(0.95f, evidence));
  EXPECT_EQ(state_.report().state, TrackState::tracking);
  evidence.conservative = 0;
  evidence.identity.is_ambiguous = true;
  EXPECT_EQ(state_.transition(ambiguous(at(0.95f, evidence))), Phase::followed);
  EXPECT_EQ(state_.report().state, TrackState::uncertain);
  EXPECT_EQ(state_.report().confidence, reported_presence(evidence));
  EXPECT_EQ(state_.estimate()->confidence, 0.95f);
  evidence.filter_ratio = 0.1f;
  ASSERT_LT(reported_presence(evidence), config_.lost_presence);
  EXPECT_EQ(state_.transition(ambiguous(at(0.95f, evidence))), Phase::followed);
  EXPECT_EQ(state_.report().state, TrackState::uncertain);
  EXPECT_EQ(state_.report().confidence, config_.lost_presence);
}

TEST_F(TargetStateTest, WhyItIsLost) {
  Evidence changed = kSure;
  changed.conservative = 0;
  const auto lost = [&](auto... change) {
    put();
    state_.transition(at(0.9f));
    StateEvidence now = at(0.1f, changed);
    (change(now), ...);
    EXPECT_EQ(state_.transition(now), Phase::lost);
    return reason();
  };
  const auto yields = [](StateEvidence& now) { now.yields = true; };
  const auto switched = [](StateEvidence& now) { now.has_switched = true; };
  const auto nowhere = [](StateEvidence& now) {
    now.here = now.place = nullptr;
    now.no_motion = "size";
  };
  EXPECT_EQ(lost(), "object-model") << "what has fallen since motion was right";
  EXPECT_EQ(lost(yields), "other-target");
  EXPECT_EQ(lost(switched), "appearance");
  EXPECT_EQ(lost(nowhere), "size");
  EXPECT_EQ(lost(yields, switched, nowhere), "other-target");
  EXPECT_EQ(lost(switched, nowhere), "appearance");
}

TEST_F(TargetStateTest, WhatHasFallenIsSinceMotionWasRight) {
  Evidence unlike = kSure, weak = kSure;
  unlike.conservative = 0.2f;
  weak.conservative = 0.2f;
  weak.filter_ratio = 0.4f;
  state_.transition(at(0.9f));
  state_.transition(at(0.5f, unlike));  // not sure
  state_.transition(at(0.1f, weak));
  EXPECT_EQ(reason(), "object-model");
  put();
  state_.transition(at(0.7f, unlike));
  state_.transition(at(0.1f, weak));
  EXPECT_EQ(reason(), "filter");
}

TEST_F(TargetStateTest, TheReasonIsThatOfTheFirstFrame) {
  StateEvidence now = at(0.1f);
  now.yields = true;
  state_.transition(now);
  now.yields = false;
  now.has_switched = true;
  state_.transition(now);
  EXPECT_EQ(reason(), "other-target");
  state_.transition(at(0.9f));
  EXPECT_EQ(reason(), "");
  state_.transition(now);
  EXPECT_EQ(reason(), "appearance");
}

// It may be another that was found.
TEST_F(TargetStateTest, AfterALongLossItHasToBeProven) {
  struct Row {
    const char* what;
    int lost_frames;
    StateEvidence found;
    Phase phase;
  };
  const IdentityEvidence nearly = {.ratio = -0.09f, .has_distractor = true, .is_ambiguous = true};
  const auto check = [&](const Row& row) {
    SCOPED_TRACE(row.what);
    put();
    lose(row.lost_frames);
    EXPECT_EQ(state_.transition(row.found), row.phase);
    EXPECT_TRUE(state_.is_seen());
    const bool is_withheld = row.phase == Phase::withheld;
    EXPECT_EQ(state_.report().state, is_withheld ? TrackState::lost : TrackState::uncertain);
    EXPECT_EQ(reason(), is_withheld ? "appearance" : "");
  };
  check({"found", 10, ambiguous(jump()), Phase::found_again});
  check({"like another", 10, ambiguous(jump(kAnother)), Phase::withheld});
  check({"hardly like another", 10, ambiguous(jump(nearly)), Phase::found_again});
  check({"lost for some frames", 9, ambiguous(jump(kAnother)), Phase::followed});
  check({"it is clear who is who", 10, jump(kAnother), Phase::followed});
  check({"motion has found it", 10, ambiguous(at(0.7f)), Phase::followed});
}

TEST_F(TargetStateTest, WhatIsNotProvenStaysSoUntilNothingIsAmbiguous) {
  Evidence another = kSure;
  another.identity = kAnother;
  lose(10);
  EXPECT_EQ(state_.transition(ambiguous(jump())), Phase::found_again);
  EXPECT_EQ(state_.transition(ambiguous(at(0.9f, another))), Phase::withheld);
  EXPECT_EQ(state_.transition(ambiguous(at(0.9f))), Phase::found_again);
  EXPECT_EQ(state_.transition(ambiguous(at(0.1f))), Phase::lost);
  EXPECT_EQ(state_.transition(ambiguous(at(0.9f))), Phase::found_again) << "a short loss";
  EXPECT_EQ(state_.transition(at(0.9f)), Phase::followed);
  EXPECT_EQ(state_.transition(ambiguous(at(0.9f, another))), Phase::followed);
  lose(10);
  EXPECT_EQ(state_.transition(ambiguous(jump())), Phase::found_again);
  put();
  EXPECT_EQ(state_.transition(ambiguous(at(0.9f, another))), Phase::followed);
}

TEST_F(TargetStateTest, MotionThatHasSwitchedIsLetGoUntilTheTargetMayBeAnywhere) {
  EXPECT_FALSE(state_.lets_motion_go(false));
  EXPECT_TRUE(state_.lets_motion_go(true));
  lose(1);
  for (int i = 0; i < 10; ++i) {
    EXPECT_FALSE(state_.may_be_anywhere());
    EXPECT_TRUE(state_.lets_motion_go(false)) << i;
    lose(1);
  }
  EXPECT_TRUE(state_.may_be_anywhere());
  EXPECT_FALSE(state_.lets_motion_go(false));
  EXPECT_TRUE(state_.lets_motion_go(true));
  put();
  EXPECT_FALSE(state_.lets_motion_go(false));
}

TEST_F(TargetStateTest, LossesAreCounted) {
  for (int i = 1; i <= 12; ++i) {
    lose(1);
    EXPECT_EQ(state_.is_long_lost(), i >= 5) << i;
    EXPECT_EQ(state_.may_be_anywhere(), i >= 11) << i;
  }
  state_.transition(at(0.5f));
  EXPECT_FALSE(state_.is_long_lost());
  lose(5);
  EXPECT_TRUE(state_.is_long_lost());
  put();
  EXPECT_FALSE(state_.is_long_lost());
}

TEST_F(TargetStateTest, ItIsSettledSomeFramesAfterALossOrAJump) {
  EXPECT_TRUE(state_.is_settled());
  const auto settle = [&] {
    for (int i = 0; i < 19; ++i) {
      EXPECT_EQ(state_.settled_frames(), i);
      EXPECT_FALSE(state_.is_settled());
      state_.transition(at(0.5f));
    }
    EXPECT_TRUE(state_.is_settled()) << "with this frame";
    for (int i = 0; i < 5; ++i) state_.transition(at(0.5f));
    EXPECT_EQ(state_.settled_frames(), 20);
  };
  lose(1);
  settle();
  state_.transition(jump());
  settle();
  StateEvidence elsewhere = at(0.5f);
  elsewhere.here = nullptr;
  state_.transition(elsewhere);
  settle();
  lose(1);
  put();
  EXPECT_TRUE(state_.is_settled());
}

TEST_F(TargetStateTest, AgeIsCountedFromWhereItWasPut) {
  EXPECT_EQ(state_.age(), 0);
  for (int i = 1; i < 20; ++i) {
    state_.begin_frame();
    EXPECT_EQ(state_.age(), std::min(i, 12));
  }
  EXPECT_EQ(TargetState(config_).age(), 12) << "nobody has put it anywhere";
}

TEST_F(TargetStateTest, WhatWasLearntBeforeIsLostUntilItIsFound) {
  state_ = TargetState(config_);
  for (int i = 0; i < 12; ++i) EXPECT_EQ(state_.transition({}), Phase::starting);
  EXPECT_FALSE(state_.is_seen());
  EXPECT_EQ(state_.report().state, TrackState::lost);
  EXPECT_EQ(reason(), "not-found");
  EXPECT_FALSE(state_.is_long_lost()) << "it has never been there";
  const Estimate found{kHere, config_.lost_presence, false};
  EXPECT_EQ(state_.transition({.estimate = found}), Phase::starting);
  EXPECT_TRUE(state_.is_seen());
  EXPECT_EQ(state_.report().state, TrackState::uncertain);
  EXPECT_TRUE(state_.is_settled());
  EXPECT_FALSE(state_.has_begun());
  state_.begin();
  EXPECT_TRUE(state_.has_begun());
  EXPECT_EQ(state_.transition(at(0.9f)), Phase::followed);
}

TEST_F(TargetStateTest, WhereItIsPutItIs) {
  lose(20);
  state_.put({1, 2, 30, 40});
  EXPECT_EQ(state_.phase(), Phase::starting);
  EXPECT_FALSE(state_.has_begun());
  const Sighting report = state_.report();
  EXPECT_EQ(report.box, (BoundingBox{1, 2, 30, 40}));
  EXPECT_EQ(report.state, TrackState::tracking);
  EXPECT_EQ(report.confidence, 1);
  state_.rescale(2, 0.5f);
  EXPECT_EQ(state_.report().box, (BoundingBox{2, 1, 60, 20}));
}

}  // namespace
}  // namespace cltrack
