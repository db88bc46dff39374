// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/presence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "cltrack/tld_config.h"

namespace cltrack {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr int kMost = std::numeric_limits<int>::max();

// Where a change of each piece can be seen.
constexpr Evidence kMiddle = {.filter_ratio = 0.7f,
                              .filter_psr = 15,
                              .color_ratio = 0.7f,
                              .color_weight = 0.7f,
                              .color_level = 0.7f,
                              .conservative = 0.4f,
                              .support = 2,
                              .negative_frames = 3,
                              .inside = 0.9f};

float changed(const std::function<void(Evidence&)>& change) {
  Evidence evidence = kMiddle;
  change(evidence);
  return presence(evidence);
}

// Of identity, where nothing bounds what appearance says.
constexpr IdentityEvidence kDistractor = {.dissimilarity = 0.5f,
                                          .ratio = 0.3f,
                                          .distractor_distance = 0.05f,
                                          .distinctness = 1,
                                          .baseline_ratio = 1,
                                          .has_distractor = true};

// Of each term, its reason, its weight, and a change of the evidence that changes this term alone,
// by so much. What recency loses is no reason: it falls on each frame, whatever is seen.
struct Change {
  std::string term;
  std::string reason;
  double weight;
  double value;
  std::function<void(Evidence&)> apply;
};
const std::vector<Change>& changes() {
  static const std::vector<Change> all = {
      {"filter_ratio", "filter", 1.02, std::log(0.5), [](Evidence& e) { e.filter_ratio /= 2; }},
      {"filter_psr", "filter", 1.18, std::log(2), [](Evidence& e) { e.filter_psr *= 2; }},
      {"color_ratio", "colors", 1.7, 0.7 * std::log(0.5), [](Evidence& e) { e.color_ratio /= 2; }},
      {"color_level", "colors", 0.7, 0.7 * std::log(0.5), [](Evidence& e) { e.color_level /= 2; }},
      {"conservative", "object-model", 2.55, 0.25, [](Evidence& e) { e.conservative += 0.25f; }},
      {"support", "detector", 0.5, std::log(2), [](Evidence& e) { e.support = 5; }},
      {"negative_frames", "background", -0.12, std::log(2),
       [](Evidence& e) { e.negative_frames = 7; }},
      {"unlike_elsewhere", "appearance", -0.75, 0.7,
       [](Evidence& e) {
         e.identity.dissimilarity = 1.5f;
         e.identity.has_distractor = false;
         e.is_elsewhere = true;
       }},
      {"distractor", "appearance", 1, -5 * 0.5, [](Evidence& e) { e.identity.ratio -= 0.5f; }},
      {"no_distractor", "appearance", 1, 0.5, [](Evidence& e) { e.identity.ratio += 0.5f; }},
      {"inside", "outside", 1.3, -0.5, [](Evidence& e) { e.inside -= 0.5f; }},
      {"recency", "", 4, 0.75, [](Evidence& e) { e.age = 3; }},
      {"network_odds", "network", 0.2, std::log(4), [](Evidence& e) { e.network_score = 0.8f; }},
  };
  return all;
}

Evidence with_identity(const std::string& term) {
  Evidence evidence = kMiddle;
  if (term.ends_with("distractor")) {
    evidence.identity = kDistractor;
    evidence.response_drop = 0.7f;  // from which on a distractor counts as far as it can
  }
  return evidence;
}

const PresenceTerm& term_of(std::string_view name) {
  return *std::ranges::find(presence_terms(), name, &PresenceTerm::name);
}

TEST(PresenceTerms, EachAddsItsWeightTimesItsValue) {
  for (const Change& change : changes()) {
    SCOPED_TRACE(change.term);
    const Evidence before = with_identity(change.term);
    Evidence after = before;
    change.apply(after);
    EXPECT_NEAR(log_odds(after) - log_odds(before), change.weight * change.value, 1e-6);
    const PresenceTerm& term = term_of(change.term);
    EXPECT_EQ(term.weight, change.weight);
    EXPECT_NEAR(term.value(after) - term.value(before), change.value, 1e-6);
    for (const PresenceTerm& other : presence_terms()) {
      if (change.term == other.name) continue;
      EXPECT_NEAR(other.value(after), other.value(before), 1e-6) << other.name;
    }
  }
}

TEST(PresenceTerms, AreTheseAndTheConstant) {
  EXPECT_EQ(presence_terms().size(), changes().size() + 2) << "network_sure never changes alone";
  EXPECT_EQ(presence_terms()[0].name, std::string("constant"));
  const Evidence nothing = {.filter_psr = 4.5f, .color_weight = 0, .inside = 0};
  EXPECT_NEAR(log_odds(nothing), -3.77 + 1.18 * std::log(4.5), 1e-6);
}

TEST(PresenceTerms, ANetworkIsSureBeyondWhatItSaysOfOthers) {
  const auto value = [](float odds) {
    Evidence evidence = kMiddle;
    evidence.network_score = 1 / (1 + std::exp(-odds));
    return term_of("network_sure").value(evidence);
  };
  EXPECT_EQ(value(-3), 0);
  EXPECT_EQ(value(4.9f), 0);
  EXPECT_NEAR(value(7), 2, 1e-3);
  EXPECT_EQ(value(20), 4) << "odds of e^9 at most";
  EXPECT_EQ(term_of("network_sure").value(kMiddle), 0) << "it was not asked";
}

double sum_of(double PresenceTerm::*weight, const Evidence& evidence) {
  double sum = 0;
  for (const PresenceTerm& term : presence_terms()) sum += term.*weight * term.value(evidence);
  return sum;
}

// The filter says little of these, and colours, what looks alike and the network much.
TEST(PresenceTerms, WithANetworkOtherPlacesHaveWeightsOfTheirOwn) {
  Evidence evidence = kMiddle;
  evidence.is_elsewhere = true;
  evidence.is_here = false;
  EXPECT_NEAR(log_odds(evidence), sum_of(&PresenceTerm::weight, evidence), 1e-9);
  evidence.network_score = 0.999f;
  EXPECT_NEAR(log_odds(evidence), sum_of(&PresenceTerm::other_weight, evidence), 1e-9);
  const float with_filter = presence(evidence);
  evidence.filter_psr = 5;
  EXPECT_EQ(presence(evidence), with_filter);
  evidence.is_here = true;
  EXPECT_NEAR(log_odds(evidence), sum_of(&PresenceTerm::weight, evidence), 1e-9);
}

TEST(PresenceTerms, WithANetworkWhereMotionHasLedIsComparedByWeightsOfItsOwn) {
  Evidence evidence = kMiddle;
  const auto compared = [&] {
    return compared_presence({.box = {}, .presence = presence(evidence), .evidence = evidence});
  };
  EXPECT_EQ(compared(), presence(evidence));
  evidence.network_score = 0.01f;
  const double odds = sum_of(&PresenceTerm::compared_weight, evidence);
  EXPECT_NEAR(compared(), 1 / (1 + std::exp(-odds)), 1e-6);
  EXPECT_LT(compared(), presence(evidence));
  // The filter is sure of what it follows.
  evidence.filter_ratio = 1.5f, evidence.filter_psr = 40;
  EXPECT_GT(presence(evidence), 0.75f);
  EXPECT_LT(compared(), 0.4f);
  evidence.network_score = 1;
  evidence.filter_ratio = 0.1f, evidence.filter_psr = 5;
  EXPECT_EQ(compared(), presence(evidence)) << "not more";
  EXPECT_EQ(compared_presence({.box = {}, .presence = 0, .evidence = evidence}), 0)
      << "another target is there";
}

TEST(PresenceTerms, TheReasonOfEachIsNamedWhenItFalls) {
  for (const Change& change : changes()) {
    SCOPED_TRACE(change.term);
    const char* const reason = term_of(change.term).reason;
    EXPECT_EQ(reason != nullptr ? reason : "", change.reason);
    const Evidence one = with_identity(change.term);
    Evidence other = one;
    change.apply(other);
    const bool falls = change.weight * change.value < 0;
    const char* const fallen = falls ? fallen_evidence(one, other) : fallen_evidence(other, one);
    if (reason != nullptr) {
      EXPECT_EQ(fallen, change.reason);
    }
  }
}

TEST(PresenceTerms, WhatWasFittedAndWhatWasSetByHand) {
  std::vector<std::string> by_hand;
  for (const PresenceTerm& term : presence_terms()) {
    if (!term.is_fitted) by_hand.push_back(term.name);
  }
  EXPECT_THAT(by_hand,
              testing::ElementsAre("color_level", "unlike_elsewhere", "distractor", "no_distractor",
                                   "recency", "network_odds", "network_sure"));
}

TEST(Presence, TellsGoodAnswersFromBad) {
  EXPECT_GT(presence({.conservative = 0.7f, .support = 20}), 0.95f);
  EXPECT_LT(presence({.filter_ratio = 0.3f,
                      .filter_psr = 10,
                      .color_ratio = 0.5f,
                      .conservative = 0.3f,
                      .negative_frames = 10}),
            0.2f);
}

TEST(Presence, RisesWithEachPieceOfEvidence) {
  const float before = presence(kMiddle);
  EXPECT_GT(changed([](Evidence& e) { e.filter_ratio = 0.9f; }), before);
  EXPECT_LT(changed([](Evidence& e) { e.filter_ratio = 0.5f; }), before);
  EXPECT_GT(changed([](Evidence& e) { e.filter_psr = 20; }), before);
  EXPECT_LT(changed([](Evidence& e) { e.filter_psr = 10; }), before);
  EXPECT_GT(changed([](Evidence& e) { e.color_ratio = 0.9f; }), before);
  EXPECT_LT(changed([](Evidence& e) { e.color_ratio = 0.5f; }), before);
  EXPECT_GT(changed([](Evidence& e) { e.color_level = 0.9f; }), before);
  EXPECT_LT(changed([](Evidence& e) { e.color_level = 0.5f; }), before);
  EXPECT_GT(changed([](Evidence& e) { e.conservative = 0.6f; }), before);
  EXPECT_LT(changed([](Evidence& e) { e.conservative = 0.2f; }), before);
  EXPECT_GT(changed([](Evidence& e) { e.support = 10; }), before);
  EXPECT_LT(changed([](Evidence& e) { e.support = 0; }), before);
  EXPECT_GT(changed([](Evidence& e) { e.negative_frames = 0; }), before);
  EXPECT_LT(changed([](Evidence& e) { e.negative_frames = 8; }), before);
  EXPECT_GT(changed([](Evidence& e) { e.inside = 1; }), before);
  EXPECT_LT(changed([](Evidence& e) { e.inside = 0.5f; }), before);
}

// A response far above the baseline must not outweigh all else.
TEST(Presence, RatiosCountWithinLimits) {
  struct Limits {
    float Evidence::*piece;
    float above, most, under_most, least, below;
  };
  for (const Limits& limits : {Limits{&Evidence::filter_ratio, 1.7f, 1.6f, 1.5f, 0.06f, 0.04f},
                               Limits{&Evidence::filter_psr, 41, 40, 39, 5, 4},
                               Limits{&Evidence::color_ratio, 1.7f, 1.6f, 1.5f, 0.15f, 0.13f},
                               Limits{&Evidence::color_level, 1.4f, 1.3f, 1.2f, 0.06f, 0.04f}}) {
    const auto with = [&](float value) {
      return changed([&](Evidence& e) { e.*limits.piece = value; });
    };
    EXPECT_EQ(with(limits.above), with(kInfinity)) << limits.above;
    EXPECT_GT(with(limits.most), with(limits.under_most)) << limits.most;
    EXPECT_EQ(with(limits.below), with(-kInfinity)) << limits.below;
    EXPECT_GT(with(limits.least), with(limits.below)) << limits.least;
  }
}

// It is known to have been there a moment ago.
TEST(Presence, OfATargetThatWasJustGivenIsHigher) {
  const auto young = [](int age) { return changed([age](Evidence& e) { e.age = age; }); };
  EXPECT_GT(young(1), 0.95f);
  EXPECT_GT(young(1), young(2));
  EXPECT_GT(young(11), young(12));
  EXPECT_EQ(young(12), presence(kMiddle));
  EXPECT_EQ(young(kMost), presence(kMiddle));
}

// Those of a target that looks like its background.
TEST(Presence, ColorsWithoutWeightSayNothing) {
  for (float Evidence::*piece : {&Evidence::color_ratio, &Evidence::color_level}) {
    const auto color = [piece](float ratio, float weight) {
      return changed([=](Evidence& e) {
        e.color_ratio = e.color_level = 1;
        e.*piece = ratio;
        e.color_weight = weight;
      });
    };
    EXPECT_EQ(color(0.1f, 0), color(1, 1));
    EXPECT_LT(color(0.1f, 0.5f), color(1, 0.5f));
    EXPECT_LT(color(0.1f, 1), color(0.1f, 0.5f));
  }
}

// A filter that responds as ever, but to all around as well, does not make a target of a box that
// nothing else speaks for.
TEST(Presence, AUsualAnswerAloneIsNotEnough) {
  const TldConfig config;
  EXPECT_LT(presence({.filter_psr = 8, .conservative = 0.2f, .negative_frames = 20}),
            config.verify_presence);
  EXPECT_LT(presence({.filter_ratio = 2, .filter_psr = 4, .color_ratio = 2, .negative_frames = 20}),
            config.verify_presence);
}

TEST(Presence, WhatIsStrangeForLongIsAllAlike) {
  const auto negative_frames = [](int frames) {
    return changed([frames](Evidence& e) { e.negative_frames = frames; });
  };
  EXPECT_LT(negative_frames(50), negative_frames(49));
  EXPECT_EQ(negative_frames(kMost), negative_frames(50));
}

TEST(Presence, IsAProbabilityOfAnything) {
  for (const float value : {-1e9f, -kInfinity, 0.0f, 1e9f, kInfinity}) {
    for (const int count : {0, kMost}) {
      const float probability = presence({.filter_ratio = value,
                                          .filter_psr = value,
                                          .color_ratio = value,
                                          .color_level = value,
                                          .conservative = 1,
                                          .support = count,
                                          .negative_frames = count});
      EXPECT_GT(probability, 0) << value;
      EXPECT_LE(probability, 1) << value;
    }
  }
}

// Of a box that is surely the target for all else.
TEST(Presence, AppearanceCountsAsFarAsItCanTell) {
  const auto with = [](const IdentityEvidence& identity, bool is_elsewhere = false) {
    Evidence evidence = kMiddle;
    evidence.identity = identity;
    evidence.is_elsewhere = is_elsewhere;
    evidence.response_drop = 1;
    return presence(evidence);
  };
  const IdentityEvidence other{.dissimilarity = 2,
                               .ratio = -1,
                               .distractor_distance = 0.05f,
                               .distinctness = 1,
                               .baseline_ratio = 1,
                               .has_distractor = true};
  const float unknown = with({});
  EXPECT_LT(with(other), 0.11f * unknown);
  EXPECT_LT(with(other, true), 0.1f * with({}, true));
  const auto but = [&](auto IdentityEvidence::*piece, auto value) {
    IdentityEvidence changed = other;
    changed.*piece = value;
    return with(changed);
  };
  EXPECT_EQ(but(&IdentityEvidence::distinctness, 0.0f), unknown) << "equal clothes";
  EXPECT_EQ(but(&IdentityEvidence::distractor_distance, 0.3f), unknown) << "nobody looks like it";
  EXPECT_EQ(but(&IdentityEvidence::baseline_ratio, 0.0f), unknown) << "colours say nothing";
  EXPECT_EQ(but(&IdentityEvidence::has_distractor, false), unknown);
  EXPECT_GT(but(&IdentityEvidence::ratio, 1.0f), but(&IdentityEvidence::ratio, 0.0f));
  EXPECT_LT(with({.dissimilarity = 2}, true), unknown) << "another place, and unlike the target";
  EXPECT_EQ(with({.dissimilarity = 0.5f}, true), unknown);
}

// Motion that the filter has held all the time has not gone over to anybody.
TEST(Presence, ADistractorCountsAsFarAsMotionMayHaveSwitched) {
  struct Row {
    float drop;
    double share;
    bool may_have_switched;
  };
  constexpr Row kRows[] = {{0, 0, false},           {0.35f, 0.5, false}, {0.48f, 0.48 / 0.7, false},
                           {0.5f, 0.5 / 0.7, true}, {0.7f, 1, true},     {2, 1, true}};
  const auto against = [](float drop, bool is_elsewhere) {
    Evidence evidence = kMiddle;
    evidence.is_elsewhere = is_elsewhere;
    evidence.response_drop = drop;
    const double without = log_odds(evidence);
    evidence.identity = kDistractor;
    evidence.identity.ratio = -0.2f;
    return log_odds(evidence) - without;
  };
  const double most = against(2, false);
  EXPECT_LT(most, -2);
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.drop);
    EXPECT_NEAR(against(row.drop, false), row.share * most, 1e-5);
    EXPECT_NEAR(against(row.drop, true), most, 1e-5) << "another place may be anybody";
    EXPECT_EQ(may_have_switched({.response_drop = row.drop}), row.may_have_switched);
    EXPECT_TRUE(may_have_switched({.response_drop = row.drop, .is_elsewhere = true}));
  }
}

// What is reported, that is: decisions go by the same presence.
TEST(Presence, LessIsReportedAfterTheAnswerHasFallen) {
  const auto lost = [](float drop) {
    Evidence evidence = kMiddle;
    evidence.response_drop = drop;
    const auto odds = [](float p) { return std::log(p / (1 - p)); };
    EXPECT_EQ(presence(evidence), presence(kMiddle));
    return odds(presence(evidence)) - odds(reported_presence(evidence));
  };
  EXPECT_EQ(lost(0), 0);
  EXPECT_NEAR(lost(0.4f), 0.3f, 1e-4);
  EXPECT_NEAR(lost(1), 0.75f, 1e-4);
  EXPECT_NEAR(lost(2), 0.75f, 1e-4);
}

TEST(Presence, ANetworkCountsWithinLimits) {
  const auto with = [](std::optional<float> score) {
    return changed([=](Evidence& e) { e.network_score = score; });
  };
  EXPECT_EQ(with(0.5f), with(std::nullopt)) << "it does not know";
  EXPECT_GT(with(0.6f), with(0.5f));
  EXPECT_LT(with(0.4f), with(0.5f));
  EXPECT_EQ(with(1), with(1 - 1e-4f)) << "odds of e^9 are 8,100 to 1";
  EXPECT_GT(with(1), with(1 - 2e-4f));
  EXPECT_EQ(with(0), with(3.3e-4f)) << "of e^-8, 1 to 2,981";
  EXPECT_LT(with(0), with(4e-4f));
}

// What is reported is less, unless it is as sure as of most targets.
TEST(Presence, ANetworkThatIsNotSureMakesItUncertain) {
  const auto lost = [](float odds) {
    Evidence evidence = kMiddle;
    evidence.network_score = 1 / (1 + std::exp(-odds));
    const auto log_odds_of = [](float p) { return std::log(p / (1 - p)); };
    return log_odds_of(presence(evidence)) - log_odds_of(reported_presence(evidence));
  };
  EXPECT_NEAR(lost(8), 0, 1e-3);
  EXPECT_NEAR(lost(7.1f), 0, 1e-3);
  EXPECT_NEAR(lost(5), 0.6f * 2, 1e-3);
  EXPECT_NEAR(lost(-3), 0.6f * 10, 1e-3);
  EXPECT_NEAR(lost(-20), 0.6f * 15, 1e-2);
}

TEST(Presence, AmbiguityMakesItUncertain) {
  Evidence evidence = kMiddle;
  evidence.identity = {.dissimilarity = 0.5f, .ratio = 0.5f, .baseline_ratio = 1};
  evidence.identity.has_distractor = true;
  EXPECT_EQ(reported_presence(evidence), presence(evidence));
  const float clear = presence(evidence);
  evidence.identity.is_ambiguous = true;
  EXPECT_EQ(presence(evidence), clear);
  EXPECT_EQ(reported_presence(evidence), clear) << "motion has not let go of it";
  evidence.is_elsewhere = true;
  const float ambiguous = reported_presence(evidence);
  EXPECT_LT(ambiguous, clear - 0.2f);
  evidence.identity.dissimilarity = 1.5f;
  EXPECT_LT(reported_presence(evidence), ambiguous - 0.05f) << "and unlike the target";
  evidence.identity.baseline_ratio = 0;
  EXPECT_EQ(reported_presence(evidence), presence(evidence)) << "colours say nothing";
}

TEST(Presence, NamesWhatHasFallenMost) {
  const auto fallen = [](const std::function<void(Evidence&)>& change) {
    Evidence now = kMiddle;
    change(now);
    return std::string(fallen_evidence(kMiddle, now));
  };
  EXPECT_EQ(fallen([](Evidence& e) { e.filter_ratio = 0.1f; }), "filter");
  EXPECT_EQ(fallen([](Evidence& e) { e.filter_psr = 5; }), "filter");
  EXPECT_EQ(fallen([](Evidence& e) { e.color_ratio = 0.1f; }), "colors");
  EXPECT_EQ(fallen([](Evidence& e) { e.conservative = 0; }), "object-model");
  EXPECT_EQ(fallen([](Evidence& e) { e.support = 0; }), "detector");
  EXPECT_EQ(fallen([](Evidence& e) { e.negative_frames = 50; }), "background");
  EXPECT_EQ(fallen([](Evidence& e) { e.inside = 0; }), "outside");
  EXPECT_EQ(
      fallen([](Evidence& e) {
        e.response_drop = 1;
        e.identity = {
            .ratio = -1, .distractor_distance = 0.05f, .distinctness = 1, .has_distractor = true};
      }),
      "appearance");
}

// Of a target that vanishes on its second frame, nothing else is known.
TEST(ResponseBaseline, TheFirstAnswerIsComparedWithThatOfMostFilters) {
  const ResponseBaseline::Ratios ratios =
      ResponseBaseline().compare({.filter = 0.11f, .color_psr = 6.0f});
  EXPECT_FLOAT_EQ(ratios.filter, 0.25f);
  EXPECT_FLOAT_EQ(ratios.color_psr, 1.5f);
  EXPECT_EQ(ratios.color_weight, 1);
}

TEST(ResponseBaseline, ComparesWithTheMeanOfTheFirstHundred) {
  ResponseBaseline baseline;
  for (int i = 1; i <= 100; ++i) {
    baseline.add(
        {.filter = 0.01f * static_cast<float>(i), .color_psr = 0.005f * static_cast<float>(i)});
    const float mean = 0.005f * static_cast<float>(i + 1);
    const ResponseBaseline::Ratios ratios =
        baseline.compare({.filter = mean / 2, .color_psr = mean / 2});
    EXPECT_NEAR(ratios.filter, 0.5f, 1e-4f) << i;
    EXPECT_NEAR(ratios.color_psr, 1, 1e-4f) << i;
  }
}

TEST(ResponseBaseline, ThenFollowsByAHundredth) {
  ResponseBaseline baseline;
  for (int i = 0; i < 200; ++i) baseline.add({.filter = 0.5f});
  baseline.add({.filter = 1});
  EXPECT_NEAR(baseline.compare({.filter = 0.505f}).filter, 1, 1e-5f);
  baseline.add({.filter = 0.005f});
  EXPECT_NEAR(baseline.compare({.filter = 0.5f}).filter, 1, 1e-5f);
}

// Colours respond to some targets with 0.9, and to others with 0.2.
TEST(ResponseBaseline, OfHowHighColorsAnswerNothingIsKnownBefore) {
  ResponseBaseline baseline;
  EXPECT_EQ(baseline.compare({.color = 0.2f}).color, 1);
  baseline.add({.color = 0.8f});
  EXPECT_FLOAT_EQ(baseline.compare({.color = 0.2f}).color, 0.25f);
  baseline.add({.color = 0.4f});
  EXPECT_FLOAT_EQ(baseline.compare({.color = 0.3f}).color, 0.5f);
  baseline.add({.filter = 0.5f});
  EXPECT_FLOAT_EQ(baseline.compare({.color = 0.3f}).color, 0.5f) << "a frame without colours";
  EXPECT_EQ(baseline.compare({.filter = 0.5f}).color, 1);
}

// The stream has lost its colours, or has none.
TEST(ResponseBaseline, NothingIsSaidOfColorsThatAreNotThere) {
  ResponseBaseline baseline;
  baseline.add({.filter = 0.5f, .color_psr = 8.0f});
  baseline.add({.filter = 0.5f});
  EXPECT_EQ(baseline.compare({.filter = 0.5f}).color_psr, 1);
  EXPECT_FLOAT_EQ(baseline.compare({.filter = 0.5f, .color_psr = 4.0f}).color_psr, 0.5f);
  EXPECT_EQ(baseline.compare({.filter = 0.5f, .color_psr = 0.0f}).color_psr, 0) << "not there";
}

// A target with the colours of what is around it.
TEST(ResponseBaseline, ColorsThatNeverStoodOutCountLess) {
  ResponseBaseline baseline;
  baseline.add({.filter = 0.5f, .color_psr = 1.0f});
  EXPECT_FLOAT_EQ(baseline.compare({.filter = 0.5f, .color_psr = 2.0f}).color_weight, 0.25f);
  baseline.add({.filter = 0.5f, .color_psr = -3.0f});
  EXPECT_EQ(baseline.compare({.filter = 0.5f, .color_psr = 2.0f}).color_weight, 0);
}

TEST(ResponseBaseline, AUsualAnswerOfNothingSaysNothing) {
  for (const float value : {0.0f, -0.5f}) {
    ResponseBaseline baseline;
    baseline.add({.filter = value, .color_psr = value});
    const ResponseBaseline::Ratios ratios = baseline.compare({.filter = 0.3f, .color_psr = 0.3f});
    EXPECT_EQ(ratios.filter, 1) << value;
    EXPECT_EQ(ratios.color_psr, 1) << value;
  }
}

}  // namespace
}  // namespace cltrack
