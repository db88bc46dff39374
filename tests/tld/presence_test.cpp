// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/presence.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>

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

// An answer far above the usual one must not outweigh all else.
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
TEST(Presence, OfAYoungTargetIsMoreProbable) {
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

// A filter that answers as ever, but to all around as well, does not make a target of a box that
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
}

}  // namespace
}  // namespace cltrack
