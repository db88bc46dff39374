// SPDX-License-Identifier: LGPL-2.1-or-later
#include "identity/identity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace cltrack {
namespace {

constexpr int kSide = 64;
constexpr BoundingBox kHere{100, 100, 40, 80}, kNextToIt{150, 100, 40, 80},
    kFarAway{500, 100, 40, 80};

// Somebody in a shirt and trousers of these colours, somewhat noisy.
Appearance person(std::uint32_t shirt, std::uint32_t trousers, unsigned seed = 1) {
  std::vector<std::uint8_t> pixels(3 * kSide * kSide);
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    const std::uint32_t color = i < pixels.size() / 2 ? shirt : trousers;
    seed = seed * 1664525u + 1013904223u;
    const int value =
        static_cast<int>(color >> (16 - 8 * (i % 3)) & 255) + static_cast<int>(seed >> 28) - 8;
    pixels[i] = static_cast<std::uint8_t>(std::clamp(value, 0, 255));
  }
  ColorPicture picture;
  picture.space = ColorSpace::rgb;
  picture.width = picture.height = kSide;
  for (std::size_t c = 0; c < 3; ++c) {
    picture.components[c] = {.data = pixels.data() + c, .stride = 3 * kSide, .step = 3};
  }
  return Appearance::of(picture, {0, 0, kSide, kSide}).value();
}

Appearance red(unsigned seed = 1) { return person(0xc03030, 0x303060, seed); }
Appearance blue(unsigned seed = 1) { return person(0x3050c0, 0x303060, seed); }

class IdentityTest : public ::testing::Test {
 protected:
  IdentityTest() { identity_.start(red()); }
  void end_frames(int count) {
    for (int i = 0; i < count; ++i) identity_.end_frame();
  }
  // The target is surely there for some frames, and looks like that.
  void confirm(const Appearance& sample, int frames) {
    for (int i = 0; i < frames; ++i) {
      identity_.confirm(kHere, sample, identity_.compare(sample, kHere), true);
      identity_.end_frame();
    }
  }

  Identity identity_;
};

TEST_F(IdentityTest, NothingIsKnownWithoutAGallery) {
  Identity none;
  none.observe_distractor(kNextToIt, blue(), true);
  EXPECT_FALSE(none.has_gallery());
  EXPECT_EQ(none.compare(blue(), kHere), IdentityEvidence());
  none.start(std::nullopt);
  EXPECT_FALSE(none.has_gallery());
}

TEST_F(IdentityTest, TellsTheTargetFromADistractor) {
  EXPECT_FALSE(identity_.compare(red(7), kHere).has_distractor);
  identity_.observe_distractor(kNextToIt, blue(), true);
  const IdentityEvidence own = identity_.compare(red(7), kHere);
  const IdentityEvidence other = identity_.compare(blue(7), kNextToIt);
  EXPECT_TRUE(own.has_distractor);
  EXPECT_GT(own.ratio, 1);
  EXPECT_LT(other.ratio, -1);
  EXPECT_LT(own.dissimilarity, 0.5f);
  EXPECT_GT(other.dissimilarity, 1);
  EXPECT_GT(other.distinctness, 0.7f);
  EXPECT_LT(other.distractor_distance, own.distractor_distance);
}

TEST_F(IdentityTest, KnowsThatEqualClothesCannotBeToldApart) {
  identity_.observe_distractor(kNextToIt, red(9), true);
  EXPECT_LT(identity_.compare(red(7), kHere).distinctness, 0.1f);
}

TEST_F(IdentityTest, ADistractorThatIsElsewhereCountsAsFurtherAway) {
  identity_.observe_distractor(kFarAway, blue(), true);
  const float there = identity_.compare(blue(7), kFarAway).distractor_distance;
  const float here = identity_.compare(blue(7), kHere).distractor_distance;
  EXPECT_GT(here, there);
  end_frames(60);  // by now it may have come
  EXPECT_LT(identity_.compare(blue(7), kHere).distractor_distance, here);
}

TEST_F(IdentityTest, FirstFramesAreSamples) {
  const Appearance turned = person(0xc03030, 0x808030);
  const float before = identity_.compare(turned, kHere).dissimilarity;
  confirm(red(), 5);
  confirm(turned, 1);
  EXPECT_LT(identity_.compare(turned, kHere).dissimilarity, before - 0.5f);
}

TEST_F(IdentityTest, CannotBeTaughtSomebodyElse) {
  confirm(red(), 70);
  identity_.observe_distractor(kNextToIt, blue(), true);
  confirm(blue(), 300);  // the filter follows somebody else, and is sure
  EXPECT_GT(identity_.compare(blue(), kHere).dissimilarity, 1);
  EXPECT_LT(identity_.compare(red(), kHere).dissimilarity, 0.5f);
}

TEST_F(IdentityTest, NoSamplesWhileSomebodyIsNear) {
  const Appearance turned = person(0xc03030, 0x808030);
  const float before = identity_.compare(turned, kHere).dissimilarity;
  ASSERT_GT(before, 0.5f);
  for (int i = 0; i < 20; ++i) {
    identity_.observe_distractor({120, 100, 40, 80}, blue(), true);
    confirm(turned, 1);
  }
  EXPECT_FLOAT_EQ(identity_.compare(turned, kHere).dissimilarity, before);
}

// After one that has walked through the box, red() is told from blue() as before, blue() never.
TEST_F(IdentityTest, AContactIsAmbiguousUntilAppearanceTells) {
  const auto pass = [&] {
    for (int i = 0; i < 20; ++i) {
      const float x = 220 - 6 * static_cast<float>(i);  // it overlaps the box by more than a fifth
      identity_.observe_distractor({x, 100, 40, 80}, blue(), true);
      confirm(red(7), 1);
    }
  };
  pass();
  EXPECT_TRUE(identity_.compare(red(), kHere).is_ambiguous);
  identity_.observe_distractor(kFarAway, blue(), true);
  end_frames(12);
  confirm(red(7), 29);
  EXPECT_TRUE(identity_.compare(red(), kHere).is_ambiguous);
  confirm(red(7), 1);
  EXPECT_FALSE(identity_.compare(red(), kHere).is_ambiguous);

  pass();
  identity_.observe_distractor(kFarAway, blue(), true);
  end_frames(12);
  confirm(blue(7), 200);  // the filter follows the other, and is sure
  EXPECT_TRUE(identity_.compare(blue(), kHere).is_ambiguous);
}

// After a contact the filter follows the other one, and is as sure as ever.
TEST_F(IdentityTest, ABoxThatLooksLikeTheOtherForSomeFramesHasSwitched) {
  confirm(red(), 70);
  identity_.observe_distractor(kNextToIt, blue(), true);
  const auto has_switched = [&](const Appearance& sample) {
    return identity_.has_switched(identity_.compare(sample, kHere));
  };
  for (int i = 0; i < 30; ++i) EXPECT_FALSE(has_switched(blue(7))) << "nobody came near";
  identity_.mark_ambiguous();
  for (int i = 0; i < 11; ++i) EXPECT_FALSE(has_switched(blue(7)));
  EXPECT_FALSE(has_switched(red(7))) << "one frame on which it is itself";
  for (int i = 0; i < 11; ++i) EXPECT_FALSE(has_switched(blue(7)));
  EXPECT_TRUE(has_switched(blue(7)));
  EXPECT_FALSE(has_switched(blue(7))) << "told once";
}

TEST_F(IdentityTest, WhatHasTurnedIsNoDistractor) {
  identity_.mark_ambiguous();
  IdentityEvidence evidence{.dissimilarity = 1, .ratio = -0.3f, .is_ambiguous = true};
  EXPECT_TRUE(resembles_distractor(evidence));
  evidence.dissimilarity = 2.5f;
  EXPECT_FALSE(resembles_distractor(evidence)) << "it looks like neither";
  evidence.distractor_distance = 0.05f;
  EXPECT_TRUE(resembles_distractor(evidence)) << "it looks just like the other";
  evidence.dissimilarity = 1;
  evidence.baseline_ratio = 0.2f;
  EXPECT_FALSE(resembles_distractor(evidence)) << "appearance never tells here";
}

TEST_F(IdentityTest, ClutterThatJumpsTouchesNobody) {
  for (int i = 0; i < 20; ++i) {
    identity_.observe_distractor({105, i % 2 == 0 ? 80.0f : 120.0f, 40, 80}, blue(), true);
    confirm(red(7), 1);
  }
  EXPECT_FALSE(identity_.compare(red(), kHere).is_ambiguous);
}

TEST_F(IdentityTest, WhatWasLearntBeforeADoubtIsForgotten) {
  confirm(red(), 70);
  const Appearance changed = person(0xa83030, 0x303060);
  const float before = identity_.compare(changed, kHere).dissimilarity;
  ASSERT_LT(before, 0.7f);
  confirm(changed, 20);
  EXPECT_LT(identity_.compare(changed, kHere).dissimilarity, before - 0.2f);
  identity_.mark_ambiguous();
  EXPECT_FLOAT_EQ(identity_.compare(changed, kHere).dissimilarity, before);

  identity_.start(red());
  confirm(red(), 70);
  confirm(changed, 60);
  identity_.mark_ambiguous();
  EXPECT_LT(identity_.compare(changed, kHere).dissimilarity, before - 0.2f) << "long before it";
}

TEST_F(IdentityTest, DistractorsAreFollowed) {
  for (int i = 0; i < 10; ++i) {
    identity_.observe_distractor({300.0f + 5.0f * static_cast<float>(i), 100, 40, 80}, blue(),
                                 true);
    identity_.end_frame();
  }
  ASSERT_EQ(identity_.distractors().size(), 1u);
  const Distractor& one = identity_.distractors()[0];
  EXPECT_EQ(one.sightings, 10);
  EXPECT_NEAR(one.velocity_x, 5, 0.1f);
  EXPECT_NEAR(one.predicted(19).x, 345 + 5 * 10, 2);
}

TEST_F(IdentityTest, DistractorsGoWithTheCamera) {
  for (int i = 0; i < 10; ++i) {
    const float camera = i % 2 == 0 ? 0.0f : 60.0f;
    identity_.move_distractors(i == 0 ? 0 : 2 * camera - 60, 0);
    identity_.observe_distractor({300.0f + 2.0f * static_cast<float>(i) + camera, 100, 40, 80},
                                 blue(), true);
    identity_.end_frame();
  }
  ASSERT_EQ(identity_.distractors().size(), 1u);
  EXPECT_NEAR(identity_.distractors()[0].velocity_x, 2, 0.1f) << "in the scene";
  EXPECT_TRUE(identity_.distractors()[0].moves_steadily());
}

TEST_F(IdentityTest, OnlyKnownOnesAreSeenWhileTheTargetIsNotSurelyHere) {
  identity_.observe_distractor(kFarAway, blue(), false);
  EXPECT_TRUE(identity_.distractors().empty()) << "it may be the target";
  identity_.observe_distractor(kFarAway, blue(), true);
  identity_.end_frame();
  identity_.observe_distractor({510, 100, 40, 80}, blue(), false);
  ASSERT_EQ(identity_.distractors().size(), 1u);
  EXPECT_FLOAT_EQ(identity_.distractors()[0].box.x, 510);
}

TEST_F(IdentityTest, RemembersSoManyDistractorsAlone) {
  for (int i = 0; i < 40; ++i) {
    const auto x = static_cast<float>(100 * i);
    identity_.observe_distractor({x, 300, 40, 80}, person(0x010203u * static_cast<unsigned>(i), 0),
                                 true);
    identity_.end_frame();
  }
  EXPECT_EQ(identity_.distractors().size(), 16u);
  EXPECT_FLOAT_EQ(identity_.distractors().back().box.x, 3900);
  identity_.forget_distractors();
  EXPECT_FALSE(identity_.compare(blue(), kHere).has_distractor);
}

}  // namespace
}  // namespace cltrack
