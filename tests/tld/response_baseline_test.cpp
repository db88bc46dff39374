// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/presence.h"

#include <gtest/gtest.h>

namespace cltrack {
namespace {

// Of a target that vanishes on its second frame, nothing else is known.
TEST(ResponseBaseline, TheFirstAnswerIsComparedWithThatOfMostFilters) {
  const ResponseBaseline::Ratios ratios =
      ResponseBaseline().compare({.filter = 0.11f, .color_psr = 6.0f});
  EXPECT_FLOAT_EQ(ratios.filter, 0.25f);
  EXPECT_FLOAT_EQ(ratios.color_psr, 1.5f);
  EXPECT_EQ(ratios.color_weight, 1);
}

TEST(ResponseBaseline, ComparesWithTheMeanOfTheFirstHundred) {
  ResponseBaseline usual;
  for (int i = 1; i <= 100; ++i) {
    usual.add(
        {.filter = 0.01f * static_cast<float>(i), .color_psr = 0.005f * static_cast<float>(i)});
    const float mean = 0.005f * static_cast<float>(i + 1);
    const ResponseBaseline::Ratios ratios =
        usual.compare({.filter = mean / 2, .color_psr = mean / 2});
    EXPECT_NEAR(ratios.filter, 0.5f, 1e-4f) << i;
    EXPECT_NEAR(ratios.color_psr, 1, 1e-4f) << i;
  }
}

TEST(ResponseBaseline, ThenFollowsByAHundredth) {
  ResponseBaseline usual;
  for (int i = 0; i < 200; ++i) usual.add({.filter = 0.5f});
  usual.add({.filter = 1});
  EXPECT_NEAR(usual.compare({.filter = 0.505f}).filter, 1, 1e-5f);
  usual.add({.filter = 0.005f});
  EXPECT_NEAR(usual.compare({.filter = 0.5f}).filter, 1, 1e-5f);
}

// Colours answer to some targets with 0.9, and to others with 0.2.
TEST(ResponseBaseline, OfHowHighColorsAnswerNothingIsKnownBefore) {
  ResponseBaseline usual;
  EXPECT_EQ(usual.compare({.color = 0.2f}).color, 1);
  usual.add({.color = 0.8f});
  EXPECT_FLOAT_EQ(usual.compare({.color = 0.2f}).color, 0.25f);
  usual.add({.color = 0.4f});
  EXPECT_FLOAT_EQ(usual.compare({.color = 0.3f}).color, 0.5f);
  usual.add({.filter = 0.5f});
  EXPECT_FLOAT_EQ(usual.compare({.color = 0.3f}).color, 0.5f) << "a frame without colours";
  EXPECT_EQ(usual.compare({.filter = 0.5f}).color, 1);
}

// The stream has lost its colours, or has none.
TEST(ResponseBaseline, NothingIsSaidOfColorsThatAreNotThere) {
  ResponseBaseline usual;
  usual.add({.filter = 0.5f, .color_psr = 8.0f});
  usual.add({.filter = 0.5f});
  EXPECT_EQ(usual.compare({.filter = 0.5f}).color_psr, 1);
  EXPECT_FLOAT_EQ(usual.compare({.filter = 0.5f, .color_psr = 4.0f}).color_psr, 0.5f);
  EXPECT_EQ(usual.compare({.filter = 0.5f, .color_psr = 0.0f}).color_psr, 0) << "not there";
}

// A target with the colours of what is around it.
TEST(ResponseBaseline, ColorsThatNeverStoodOutCountLess) {
  ResponseBaseline usual;
  usual.add({.filter = 0.5f, .color_psr = 1.0f});
  EXPECT_FLOAT_EQ(usual.compare({.filter = 0.5f, .color_psr = 2.0f}).color_weight, 0.25f);
  usual.add({.filter = 0.5f, .color_psr = -3.0f});
  EXPECT_EQ(usual.compare({.filter = 0.5f, .color_psr = 2.0f}).color_weight, 0);
}

TEST(ResponseBaseline, AUsualAnswerOfNothingSaysNothing) {
  for (const float value : {0.0f, -0.5f}) {
    ResponseBaseline usual;
    usual.add({.filter = value, .color_psr = value});
    const ResponseBaseline::Ratios ratios = usual.compare({.filter = 0.3f, .color_psr = 0.3f});
    EXPECT_EQ(ratios.filter, 1) << value;
    EXPECT_EQ(ratios.color_psr, 1) << value;
  }
}

}  // namespace
}  // namespace cltrack
