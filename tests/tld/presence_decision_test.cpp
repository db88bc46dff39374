// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/presence_decision.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/box_sizes.h"
#include "tld/drawn_people.h"

namespace cltrack {
namespace {

using test::kHere;
using test::kThere;

constexpr FilterQuality kGood = {.filter = 0.44f, .filter_psr = 20};
constexpr FilterQuality kBad = {.filter = 0.02f, .filter_psr = 4};
const std::vector<Detection> kNothing;

// A target that was learnt at kHere, and is not what kThere shows.
class PresenceDecisionTest : public test::DrawnTarget {
 protected:
  PresenceDecisionTest() {
    learn_here();
    put(kHere);
  }

  PresenceDecision& decision() {
    if (!decision_) {
      decision_ = std::make_unique<PresenceDecision>(config_, state_, view_, identity_);
    }
    return *decision_;
  }
  // Returns where motion leads.
  const Hypothesis& find(const BoundingBox& box, const FilterQuality& quality,
                         std::optional<std::vector<Detection>> detections = kNothing) {
    state_.begin_frame();
    view_.begin_frame(people_.planes, std::move(detections));
    const Motion motion{box, quality};
    decision().find(&motion, "");
    return *decision().hypotheses().here;
  }
  const Hypothesis& verify(const BoundingBox& box, bool is_owned = false) {
    decision().verify(box, {box, kGood}, is_owned, {});
    return decision().hypotheses().elsewhere.back();
  }
  Outcome decide(bool learning = true) {
    decision().propose();
    const Outcome outcome = decision().decide(learning);
    state_.transition(outcome.evidence);
    return outcome;
  }
  void lose(int frames) {
    for (int i = 0; i < frames; ++i) {
      find(kThere, kBad);
      decide();
      EXPECT_FALSE(state_.is_seen());
    }
  }

  TargetIdentity identity_{config_, state_, view_};
  std::unique_ptr<PresenceDecision> decision_;
};

TEST_F(PresenceDecisionTest, FollowsMotionThatIsSure) {
  find(kHere, kGood);
  const Outcome outcome = decide();
  EXPECT_EQ(outcome.evidence.estimate->box, kHere);
  EXPECT_EQ(outcome.evidence.presence, decision().hypotheses().here->presence);
  EXPECT_EQ(outcome.evidence.place, outcome.evidence.here);
  EXPECT_TRUE(outcome.evidence.is_right);
  EXPECT_EQ(state_.report().state, TrackState::tracking);
}

TEST_F(PresenceDecisionTest, MotionMayLeadNowhere) {
  view_.begin_frame(people_.planes, kNothing);
  find(kHere, kGood);
  decision().find(nullptr, "motion");
  EXPECT_FALSE(decision().is_sure());
  const Outcome outcome = decide();
  EXPECT_EQ(outcome.evidence.here, nullptr);
  EXPECT_EQ(state_.phase(), Phase::lost);
  EXPECT_EQ(state_.report().reason, std::string("motion"));
  EXPECT_EQ(state_.box(), kHere) << "where it was";
}

TEST_F(PresenceDecisionTest, TheEvidenceForAPlace) {
  const std::vector<Detection> detections = {test::detection({102, 101, 40, 80}, 0.5f),
                                             test::detection({110, 100, 40, 80}, 0.1f),
                                             test::detection({120, 100, 40, 80}, 0.9f)};
  const Evidence here = find(kHere, {.filter = 0.22f, .filter_psr = 12}, detections).evidence;
  EXPECT_FLOAT_EQ(here.filter_ratio, 0.5f);
  EXPECT_EQ(here.filter_psr, 12);
  EXPECT_EQ(here.support, 2) << "windows that overlap it by half, however similar";
  EXPECT_GT(here.conservative, 0.9f);
  EXPECT_EQ(here.inside, 1);
  EXPECT_EQ(here.age, 1) << "it was put there on the frame before";
  const Evidence there = verify({-10, 100, 40, 80}).evidence;
  EXPECT_EQ(there.inside, 0.75f);
  EXPECT_EQ(there.age, Evidence::kWarmupFrames) << "nobody has put it there";
  EXPECT_EQ(there.support, 0);
  EXPECT_LT(there.conservative, 0.7f);
}

// Of a place right of kHere; motion has led to kHere.
TEST_F(PresenceDecisionTest, ANetworkDrawsTheBoxTowardsItsOwn) {
  BoundingBox beside = kHere;
  beside.x += 8, beside.width += 4;
  const auto found = [&](const BoundingBox& box, float score) {
    state_.begin_frame();
    view_.begin_frame(people_.planes, kNothing,
                      NetworkFindings{.window = {0, 0, 400, 300}, .places = {{box, score}}});
    const Motion motion{kHere, kGood};
    decision().find(&motion, "");
    return *decision().hypotheses().here;
  };
  const Hypothesis here = found(beside, 0.9f);
  EXPECT_NEAR(here.box.center_x(), kHere.center_x() + 0.3f * 10, 1e-4f);
  EXPECT_NEAR(here.box.width, kHere.width + 0.1f * 4, 1e-4f);
  EXPECT_EQ(here.box.y, kHere.y);
  EXPECT_EQ(here.evidence.network_score, 0.9f);
  const Hypothesis unsure = found(beside, 0.4f);
  EXPECT_EQ(unsure.box, kHere);
  EXPECT_EQ(unsure.evidence.network_score, 0.4f);
  const Hypothesis other = found(kThere, 0.9f);
  EXPECT_EQ(other.box, kHere);
  EXPECT_EQ(other.evidence.network_score, 0) << "it means another place";
  EXPECT_FALSE(find(kHere, kGood).evidence.network_score) << "it was not asked";
}

// The filter has not followed a change of its size.
TEST_F(PresenceDecisionTest, ANetworkThatMeansAnotherSizeByFarCountsMore) {
  const auto width_at = [&](float scale) {
    BoundingBox other = scaled(kHere, scale);
    state_.begin_frame();
    view_.begin_frame(people_.planes, kNothing,
                      NetworkFindings{.window = {0, 0, 400, 300}, .places = {{other, 0.9f}}});
    const Motion motion{kHere, kGood};
    decision().find(&motion, "");
    return decision().hypotheses().here->box.width / kHere.width;
  };
  EXPECT_NEAR(width_at(1.04f), 1 + 0.1f * 0.04f, 1e-4f);
  EXPECT_NEAR(width_at(1.2f), 1 + 0.5f * 0.2f, 1e-4f);
  EXPECT_NEAR(width_at(0.8f), 1 - 0.5f * 0.2f, 1e-4f);
}

// On each third frame at least, and as long as nothing is unsure.
TEST_F(PresenceDecisionTest, ANetworkNeedNotBeAskedOnEachFrame) {
  config_.network_interval = 3;
  BoundingBox beside = kHere;
  beside.x += 10;
  const auto frame = [&](std::optional<float> score, const FilterQuality& quality = kGood) {
    state_.begin_frame();
    std::optional<NetworkFindings> findings;
    if (score) findings = {.window = {0, 0, 400, 300}, .places = {{beside, *score}}};
    view_.begin_frame(people_.planes, kNothing, findings);
    const Motion motion{kHere, quality};
    decision().find(&motion, "");
    const Hypothesis here = *decision().hypotheses().here;
    decide(false);
    return here;
  };
  constexpr float kSure = 0.9999f;
  EXPECT_TRUE(decision().needs_network());
  EXPECT_NEAR(frame(kSure).box.x, kHere.x + 0.3f * 10, 1e-4f);
  EXPECT_FALSE(decision().needs_network());
  for (int i = 0; i < 2; ++i) {
    const Hypothesis here = frame(std::nullopt);
    EXPECT_EQ(here.box, kHere);
    EXPECT_EQ(here.evidence.network_score, kSure) << "what it has said last";
    EXPECT_FALSE(decision().needs_network());
  }
  const float of_three = 1 - 0.7f * 0.7f * 0.7f;
  EXPECT_NEAR(frame(kSure).box.x, kHere.x + of_three * 10, 1e-4f) << "as on three frames";
  for (int i = 0; i < 3; ++i) frame(std::nullopt);
  EXPECT_TRUE(decision().needs_network()) << "there was no time to ask it";
  EXPECT_FALSE(frame(std::nullopt).evidence.network_score);
  EXPECT_NEAR(frame(kSure).box.x, kHere.x + 0.3f * 10, 1e-4f) << "nothing was known in between";
  EXPECT_FALSE(decision().needs_network());
  frame(kSure, kBad);
  EXPECT_TRUE(decision().needs_network()) << "the filter is not sure";
  for (int i = 0; i < 20; ++i) frame(kSure);
  EXPECT_FALSE(decision().needs_network());
  frame(0.99f);
  EXPECT_TRUE(decision().needs_network()) << "the network is not";
}

TEST_F(PresenceDecisionTest, ANetworkIsAskedOfPlaces) {
  find(kHere, kGood);
  const auto asked = [&](std::optional<NetworkFindings> findings) {
    decision().verify(kThere, {kThere, kGood}, false, findings);
    return decision().hypotheses().elsewhere.back();
  };
  const Hypothesis there =
      asked(NetworkFindings{.window = {0, 0, 400, 300}, .places = {{kThere, 0.8f}}});
  EXPECT_EQ(there.box, kThere);
  EXPECT_EQ(there.evidence.network_score, 0.8f);
  EXPECT_FALSE(asked(std::nullopt).evidence.network_score);
}

// Motion has led to kThere, where the target is not, and the network goes to kHere.
TEST_F(PresenceDecisionTest, ANetworkThatMeansAnotherPlaceIsAskedThere) {
  const auto found_at = [](const BoundingBox& box, float score) {
    return NetworkFindings{.window = {0, 0, 400, 300}, .places = {{box, score}}};
  };
  for (int i = 0; i < 12; ++i) state_.begin_frame();
  const auto lead = [&](const FilterQuality& quality) {
    state_.begin_frame();
    view_.begin_frame(people_.planes, kNothing, found_at(kHere, 0.9999f));
    const Motion motion{kThere, quality};
    decision().find(&motion, "");
    return decision().propose();
  };
  constexpr FilterQuality kWeak = {.filter = 0.25f, .filter_psr = 6};
  EXPECT_EQ(lead(kBad), std::vector{kHere});
  decision().verify(kHere, {kThere, kWeak}, false, found_at(kHere, 0.9999f));
  const Hypothesis& there = decision().hypotheses().elsewhere.back();
  EXPECT_EQ(there.box, kHere) << "the filter has gone elsewhere";
  EXPECT_EQ(there.evidence.network_score, 0.9999f);
  EXPECT_GT(there.presence, 0.6f);
  Outcome outcome = decision().decide(true);
  EXPECT_FALSE(outcome.evidence.has_jumped) << "not on one frame";
  state_.transition(outcome.evidence);

  EXPECT_EQ(lead(kBad), std::vector{kHere});
  decision().verify(kHere, {kHere, kWeak}, false, found_at(kHere, 0.9999f));
  outcome = decision().decide(true);
  EXPECT_TRUE(outcome.evidence.has_jumped);
  EXPECT_EQ(outcome.evidence.estimate->box, kHere);
  EXPECT_TRUE(outcome.reinitialises_motion) << "it has learnt what it followed";
  state_.transition(outcome.evidence);

  lead(kGood);
  decision().verify(kHere, {kHere, kGood}, false, found_at(kHere, 0.2f));
  outcome = decision().decide(true);
  EXPECT_FALSE(outcome.reinitialises_motion);
  state_.transition(outcome.evidence);
  find(kThere, kGood);
  EXPECT_THAT(decision().propose(), testing::Not(testing::Contains(kHere))) << "it was not asked";
}

TEST_F(PresenceDecisionTest, WithoutAScanTheSupportIsThatOfTheLatest) {
  find(kHere, kGood, std::vector{test::detection(kHere, 0.9f)});
  decide();
  EXPECT_EQ(find(kHere, kGood, std::nullopt).evidence.support, 1);
  EXPECT_TRUE(decision().is_sure());
  EXPECT_TRUE(decision().propose().empty());
  decide();
  EXPECT_EQ(find(kHere, kGood, std::nullopt).evidence.support, 1);
  find(kHere, kGood, kNothing);
  decide();
  EXPECT_EQ(find(kHere, kGood, std::nullopt).evidence.support, 0);
  EXPECT_FALSE(decision().is_sure());
  for (int i = 0; i < 12; ++i) state_.begin_frame();
  const Hypothesis& weak = find(kThere, kBad, std::vector{test::detection(kThere, 0.9f)});
  EXPECT_EQ(weak.evidence.support, 1);
  EXPECT_FALSE(decision().is_sure()) << "not probable";
}

TEST_F(PresenceDecisionTest, FramesOnWhichTheBoxLooksLikeAnotherAreCounted) {
  for (int i = 1; i < 5; ++i) {
    EXPECT_EQ(find(kThere, kGood).evidence.negative_frames, i);
    EXPECT_EQ(verify(kThere).evidence.negative_frames, 1) << "was not there before";
    decide();
  }
  EXPECT_EQ(find(kHere, kGood).evidence.negative_frames, 0);
  decide();
  EXPECT_EQ(find(kThere, kGood).evidence.negative_frames, 1);
  decide();
  decision().reset();
  EXPECT_EQ(find(kThere, kGood).evidence.negative_frames, 1) << "it was moved";
}

// Where the target was a moment ago, its colours are changed by light alone.
TEST_F(PresenceDecisionTest, HowHighColorsAnswerCountsWhereTheTargetIsNotSure) {
  const auto with_color = [](FilterQuality quality, float color) {
    quality.color = color;
    return quality;
  };
  find(kHere, with_color(kGood, 0.8f));
  decide();
  EXPECT_EQ(find(kHere, with_color(kGood, 0.4f)).evidence.color_level, 1);
  decision().verify(kThere, {kThere, with_color(kGood, 0.4f)}, false, {});
  EXPECT_FLOAT_EQ(decision().hypotheses().elsewhere.back().evidence.color_level, 0.5f);
  lose(1);
  EXPECT_FLOAT_EQ(find(kHere, with_color(kGood, 0.4f)).evidence.color_level, 0.5f);
}

TEST_F(PresenceDecisionTest, AnswersAreComparedWithThoseOfTrustedFrames) {
  const FilterQuality strong = {.filter = 0.8f, .filter_psr = 20};
  const FilterQuality weak = {.filter = 0.04f, .filter_psr = 4};
  find(kHere, strong);
  decide();
  find(kThere, weak);
  decide();
  ASSERT_FALSE(state_.is_seen());
  EXPECT_FLOAT_EQ(find(kHere, strong).evidence.filter_ratio, 1);
  decision().reset();
  EXPECT_FLOAT_EQ(find(kHere, strong).evidence.filter_ratio, 0.8f / 0.44f) << "a new filter";
}

TEST_F(PresenceDecisionTest, TheLargestDropOfTheAnswerIsRememberedAndFades) {
  const auto drop = [&](const BoundingBox& box, float filter) {
    return find(box, {.filter = filter, .filter_psr = 20}).evidence.response_drop;
  };
  EXPECT_EQ(drop(kHere, 0.5f), 0) << "more than most filters answer";
  EXPECT_FLOAT_EQ(drop(kHere, 0.22f), std::log(2.0f));
  EXPECT_EQ(drop(kHere, 0.5f), 0) << "the same frame, begun again";
  EXPECT_FLOAT_EQ(drop(kHere, 0.22f), std::log(2.0f));
  EXPECT_EQ(verify(kThere).evidence.response_drop, 0) << "motion has not led there";
  decide();
  EXPECT_FLOAT_EQ(drop(kHere, 0.5f), 0.99f * std::log(2.0f));
  decide();
  EXPECT_FLOAT_EQ(drop(kHere, 0.5f), 0.99f * 0.99f * std::log(2.0f));
  EXPECT_EQ(drop(kHere, 0.001f), 2);
  EXPECT_EQ(drop(kHere, -0.1f), 2);
  decision().reset();
  EXPECT_EQ(drop(kHere, 0.5f), 0) << "it was moved";
}

TEST_F(PresenceDecisionTest, AfterAJumpItMayBeSomebodyElse) {
  for (int i = 0; i < Evidence::kWarmupFrames; ++i) {
    find(kHere, kGood);
    decide();
  }
  find(kThere, {.filter = 0.2f, .filter_psr = 1}, std::vector{test::detection(kHere, 0.9f, 0.9f)});
  ASSERT_EQ(decision().propose().size(), 1u);
  verify(kHere);
  ASSERT_TRUE(decide().evidence.has_jumped);
  EXPECT_FLOAT_EQ(find(kHere, kGood).evidence.response_drop, 0.99f);
}

TEST_F(PresenceDecisionTest, APlaceMayBeAnotherOnceTheTargetMayBeAnywhere) {
  for (int i = 0; i <= 10; ++i) {
    EXPECT_FALSE(find(kHere, kBad).evidence.is_elsewhere) << i;
    EXPECT_TRUE(verify(kHere).evidence.is_elsewhere);
    lose(1);
  }
  EXPECT_TRUE(find(kHere, kBad).evidence.is_elsewhere);
}

TEST_F(PresenceDecisionTest, MotionThatIsLetGoIsNotBelieved) {
  state_.lets_motion_go(true);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(find(kHere, kGood).presence, 0) << i;
  EXPECT_GT(find(kHere, kGood).presence, 0.9f);
}

TEST_F(PresenceDecisionTest, APlaceThatAnotherTargetOwnsIsNone) {
  find(kHere, kBad);
  EXPECT_GT(verify(kHere).presence, 0.5f);
  EXPECT_EQ(verify(kHere, true).presence, 0);
  decision().refuse_motion();
  EXPECT_EQ(decision().hypotheses().here->presence, 0);
}

TEST_F(PresenceDecisionTest, PlacesToLookAt) {
  const float threshold = model_.nn_threshold;
  const BoundingBox next = {400, 100, 40, 80}, third = {500, 100, 40, 80};
  std::vector<Detection> detections = {
      test::detection(kThere, threshold + 0.01f, 0.5f), test::detection(next, threshold, 0.6f),
      test::detection(third, threshold - 0.29f, 0.7f),
      test::detection({600, 100, 40, 80}, threshold - 0.31f, 0.8f),
      test::detection({700, 100, 40, 80}, threshold + 0.01f, 0.9f)};
  detections.back().counts = false;  // outside of the search region
  const auto places = [&] {
    view_.begin_frame(people_.planes, detections);
    decision().find(nullptr, "motion");
    return decision().propose();
  };
  for (int i = 0; i < 5; ++i) {
    EXPECT_THAT(places(), testing::ElementsAre(kThere)) << i;
    decide();
  }
  EXPECT_THAT(places(), testing::ElementsAre(third, next, kThere)) << "a lower threshold";
  state_.put(kHere);
  EXPECT_TRUE(places().empty()) << "motion cannot be asked";
}

// Where the detector is surest, that is: motion cannot say anything.
TEST_F(PresenceDecisionTest, WhatWasLearntBeforeIsFoundByTheDetectorAlone) {
  const float sure = model_.nn_valid_threshold;
  const auto found = [&](std::vector<Detection> detections) {
    state_ = TargetState(config_);
    view_.begin_frame(people_.planes, std::move(detections));
    decision().find(nullptr, "motion");
    const Outcome outcome = decide();
    EXPECT_FALSE(outcome.updates_motion || outcome.learns);
    return state_.box();
  };
  EXPECT_EQ(found({test::detection(kThere, 0.9f, sure - 0.01f)}), std::nullopt);
  EXPECT_EQ(found({test::detection(kThere, 0.6f, sure)}), std::nullopt);
  EXPECT_EQ(found({test::detection(kHere, 0.9f, sure), test::detection(kThere, 0.9f, 0.9f)}),
            kThere);
  EXPECT_EQ(state_.report().state, TrackState::uncertain);
  EXPECT_EQ(state_.report().confidence, config_.lost_presence);
  view_.begin_frame(people_.planes, kNothing);
  decide();
  EXPECT_EQ(state_.box(), kThere) << "until motion begins there";
}

TEST_F(PresenceDecisionTest, WhatMayBeLearnt) {
  const float presence = find(kHere, kGood).presence;
  const float more = std::nextafter(presence, 1.0f);
  struct Row {
    const char* what;
    float tracking, update;
    bool learning, learns, updates_motion;
  };
  for (const Row& row : {Row{"sure", presence, 0, true, true, true},
                         {"less sure", more, presence, true, false, true},
                         {"not right", more, more, true, false, false},
                         {"paused", 0, 0, false, false, false}}) {
    SCOPED_TRACE(row.what);
    config_.tracking_presence = row.tracking;
    config_.update_presence = row.update;
    decision_.reset();
    put(kHere);
    ASSERT_EQ(find(kHere, kGood).presence, presence);
    const Outcome outcome = decide(row.learning);
    EXPECT_EQ(outcome.learns, row.learns);
    EXPECT_EQ(outcome.updates_motion, row.updates_motion);
    EXPECT_EQ(outcome.evidence.is_right, presence >= row.update);
  }
  config_.tracking_presence = 0;
  decision_.reset();
  put(kHere);
  find(kThere, kGood);
  const Outcome outcome = decide();
  EXPECT_TRUE(outcome.evidence.estimate->valid);
  EXPECT_FALSE(outcome.learns) << "it is not like the target";
}

TEST_F(PresenceDecisionTest, NothingIsLearntOfAPlaceToWhichItHasJumped) {
  find(kThere, kBad,
       std::vector{test::detection(kHere, 0.9f, 0.9f), test::detection(kThere, 0.1f)});
  EXPECT_THAT(decision().propose(), testing::ElementsAre(kHere));
  const Hypothesis place = verify(kHere);
  ASSERT_GT(place.presence, 0.9f);
  const Outcome outcome = decide();
  EXPECT_TRUE(outcome.evidence.has_jumped);
  EXPECT_EQ(outcome.evidence.place->box, kHere);
  EXPECT_FALSE(outcome.evidence.is_right || outcome.learns || outcome.updates_motion);
  EXPECT_EQ(find(kHere, kGood, std::nullopt).evidence.support, 0) << "not known of this place";
}

// A target in red, and a distractor in blue. While it is ambiguous who is who, motion leads to
// somebody in blue.
class PresenceOfPeople : public PresenceDecisionTest {
 protected:
  PresenceOfPeople() {
    people_.draw(kHere, test::kRed);
    people_.draw(kThere, test::kBlue);
    identity_.start(Appearance::of(people_.planes.picture, kHere));
    find(kHere, kGood, std::vector{test::detection(kThere, 0.9f)});
    EXPECT_TRUE(decide().updates_motion);
    lose(1);
    people_.draw(kHere, test::kBlue);
    EXPECT_TRUE(resembles_distractor(find(kHere, kGood).evidence.identity));
  }
};

TEST_F(PresenceOfPeople, MotionDoesNotLearnADistractor) {
  const Outcome outcome = decide();
  EXPECT_TRUE(outcome.evidence.is_right);
  EXPECT_TRUE(outcome.evidence.is_ambiguous);
  EXPECT_FALSE(outcome.updates_motion);
  lose(1);
  people_.draw(kHere, test::kRed);
  find(kHere, kGood);
  EXPECT_TRUE(decide().updates_motion);
}

TEST_F(PresenceOfPeople, ADistractorThatIsFollowedForSomeFramesIsASwitch) {
  for (int i = 0; i < 12; ++i) {
    EXPECT_FALSE(decide().evidence.has_switched) << i;
    EXPECT_TRUE(state_.is_seen());
    find(kHere, kGood);
  }
  EXPECT_EQ(decision().hypotheses().here->presence, 0);
  EXPECT_TRUE(decide().evidence.has_switched);
  EXPECT_EQ(state_.report().reason, std::string("appearance"));
  view_.begin_frame(people_.planes, kNothing);
  decision().find(nullptr, "motion");
  EXPECT_FALSE(decide().evidence.has_switched) << "said once";
}

// While it is ambiguous who is who, and after an answer of the filter.
class SwitchTest : public PresenceDecisionTest, public testing::WithParamInterface<float> {};

TEST_P(SwitchTest, WhatTheFilterHasHeldIsNobodyElse) {
  const bool has_let_go = std::log(kGood.filter / GetParam()) > 0.5f;
  people_.draw(kHere, test::kRed);
  people_.draw(kThere, test::kBlue);
  identity_.start(Appearance::of(people_.planes.picture, kHere));
  find(kHere, kGood, std::vector{test::detection(kThere, 0.9f)});
  decide();
  find(kHere, {.filter = GetParam(), .filter_psr = 20}, std::nullopt);
  const float tracking = std::exchange(config_.tracking_presence, 1.1f);
  decide();
  config_.tracking_presence = tracking;
  people_.draw(kHere, test::kBlue);
  int others = 0;  // frames on which it looks like the other: what it looks like is smoothed
  while (others < 20 && state_.is_seen()) {
    others += resembles_distractor(find(kHere, kGood, std::nullopt).evidence.identity) ? 1 : 0;
    EXPECT_EQ(decide().updates_motion, others == 0 || !has_let_go) << others;
  }
  EXPECT_EQ(state_.is_seen(), !has_let_go);
}
INSTANTIATE_TEST_SUITE_P(Answers, SwitchTest,
                         testing::Values(kGood.filter, kGood.filter / 1.6f, kGood.filter / 1.8f));

TEST_F(PresenceDecisionTest, AFilterThatHasDriftedOffBeginsAnew) {
  const std::vector<Detection> there = {test::detection(kThere, 0.9f, 0.99f)};
  const auto frame = [&](bool learning = true) {
    find({500, 100, 40, 80}, {.filter = 0.8f, .filter_psr = 40}, there);
    EXPECT_GE(decision().hypotheses().here->presence, config_.verify_presence);
    return decide(learning);
  };
  for (int i = 0; i < 9; ++i) EXPECT_FALSE(frame().evidence.has_jumped) << i;
  decision().reset();
  for (int i = 0; i < 9; ++i) EXPECT_FALSE(frame().evidence.has_jumped) << "it was moved";
  EXPECT_TRUE(frame().reinitialises_motion);
  EXPECT_EQ(state_.box(), kThere);
  EXPECT_FLOAT_EQ(find(kThere, kGood).evidence.filter_ratio, 1) << "nothing is known of it";
  decision().reset();
  for (int i = 0; i < 9; ++i) frame();
  const Outcome paused = frame(false);
  EXPECT_TRUE(paused.evidence.has_jumped);
  EXPECT_FALSE(paused.reinitialises_motion);
}

}  // namespace
}  // namespace cltrack
