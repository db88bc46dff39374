// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/presence.h"

#include <gtest/gtest.h>

#include <limits>

namespace cltrack {
namespace {

// As the filter answers to what it knows, and to what it does not.
constexpr FilterQuality kGood = {.peak = 0.6f, .filter = 0.5f, .apce = 50};
constexpr FilterQuality kBad = {.peak = 0.2f, .filter = 0.1f, .apce = 8};

TEST(Presence, TellsGoodAnswersFromBad) {
  EXPECT_GT(presence({.filter = kGood, .conservative = 0.7f, .support = 20}), 0.95f);
  EXPECT_LT(presence({.filter = kBad, .conservative = 0.3f, .unsupported = 10}), 0.2f);
}

TEST(Presence, RisesWithEachPieceOfEvidence) {
  const Evidence middle = {.filter = {.filter = 0.2f, .apce = 10}, .support = 2, .inside = 0.9f};
  const float before = presence(middle);
  Evidence more = middle;
  more.filter.filter = 0.3f;
  EXPECT_GT(presence(more), before);
  more = middle;
  more.filter.apce = 20;
  EXPECT_GT(presence(more), before);
  more = middle;
  more.support = 10;
  EXPECT_GT(presence(more), before);
  more = middle;
  more.conservative = 0.3f;
  EXPECT_GT(presence(more), before);
  more = middle;
  more.unsupported = 5;
  EXPECT_LT(presence(more), before);
  more = middle;
  more.inside = 0.5f;
  EXPECT_LT(presence(more), before);
}

TEST(Presence, WhatIsUnsupportedForLongIsAllAlike) {
  const Evidence long_ago = {.filter = kGood, .unsupported = 50};
  Evidence longer = long_ago;
  longer.unsupported = std::numeric_limits<int>::max();
  EXPECT_EQ(presence(longer), presence(long_ago));
}

TEST(Presence, IsAProbabilityOfAnything) {
  for (const float value : {-1e9f, 0.0f, 1e9f}) {
    const Evidence evidence = {.filter = {.filter = value, .apce = value}, .support = 0};
    EXPECT_GE(presence(evidence), 0);
    EXPECT_LE(presence(evidence), 1);
  }
}

TEST(Presence, FernsOrPatchesSupport) {
  EXPECT_FALSE(is_supported({.filter = {}, .conservative = 0.5f}));
  EXPECT_TRUE(is_supported({.filter = {}, .conservative = 0.51f}));
  EXPECT_TRUE(is_supported({.filter = {}, .support = 1}));
}

}  // namespace
}  // namespace cltrack
