// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/target_identity.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tld/drawn_people.h"

namespace cltrack {
namespace {

using test::kBlue;
using test::kGreen;
using test::kHere;
using test::kRed;
using test::kThere;

constexpr BoundingBox kElsewhere = {600, 100, 40, 80};

// A target in red on frames that are drawn, with what a detector found on each.
class TargetIdentityTest : public test::DrawnTarget {
 protected:
  TargetIdentityTest() {
    draw(kHere, kRed);
    put(kHere);
    identity_.start(sample_at(kHere));
  }

  void draw(const BoundingBox& box, std::uint32_t shirt) { people_.draw(box, shirt); }
  std::optional<Appearance> sample_at(const BoundingBox& box) const {
    return Appearance::of(people_.planes.picture, box);
  }
  Detection found(const BoundingBox& box) const {
    return test::detection(box, model_.nn_threshold);
  }
  // Motion leads to `here` with this presence; the detector finds those, if it looks.
  Phase frame(float presence, std::optional<std::vector<Detection>> detections,
              const BoundingBox& here = kHere) {
    view_.begin_frame(people_.planes, std::move(detections));
    here_ = {here, presence, {}};
    here_.evidence.identity = identity_.compare(here, true);
    StateEvidence now = {.estimate = Estimate{here, presence, presence >= 0.8f},
                         .presence = presence,
                         .here = &here_,
                         .place = &here_,
                         .has_jumped = jumps_,
                         .has_switched = switches_};
    identity_.update(now, learning_);
    now.is_ambiguous = identity_.is_ambiguous();
    identity_.end_frame();
    return state_.transition(now);
  }
  void frames(int count, float presence = 0.9f) {
    for (int i = 0; i < count; ++i) frame(presence, std::vector<Detection>());
  }
  IdentityEvidence at(const BoundingBox& box) {
    view_.begin_frame(people_.planes, {});
    return identity_.compare(box, false);
  }
  bool knows_distractors() { return at(kHere).has_distractor; }

  TargetIdentity identity_{config_, state_, view_};
  Hypothesis here_;
  bool jumps_ = false, switches_ = false, learning_ = true;
};

TEST_F(TargetIdentityTest, TellsTheTargetFromWhatIsFoundElsewhere) {
  draw(kThere, kBlue);
  frame(0.9f, std::vector{found(kThere)});
  EXPECT_TRUE(at(kHere).has_distractor);
  EXPECT_GT(at(kHere).ratio, 0.5f);
  EXPECT_LT(at(kThere).ratio, -0.5f);
}

TEST_F(TargetIdentityTest, WhatIsADistractorOfATargetThatIsSurelyHere) {
  struct Row {
    const char* what;
    std::function<void(Detection&)> change;
    bool is_distractor;
  };
  const float least = config_.nn_threshold - 0.3f;
  for (const Row& row :
       {Row{"as large, and far away", [](Detection&) {}, true},
        {"hardly similar", [&](Detection& one) { one.similarity.relative = least + 0.001f; }, true},
        {"not similar", [&](Detection& one) { one.similarity.relative = least - 0.001f; }, false},
        {"nearly twice as large", [](Detection& one) { one.box.height = 159; }, true},
        {"more than twice", [](Detection& one) { one.box.height = 161; }, false},
        {"more than half as large", [](Detection& one) { one.box.height = 41; }, true},
        {"less than half", [](Detection& one) { one.box.height = 39; }, false},
        {"overlaps by less than a tenth", [](Detection& one) { one.box.x = 133; }, true},
        {"overlaps by more", [](Detection& one) { one.box.x = 132; }, false},
        {"outside of the picture", [](Detection& one) { one.box.x = 2000; }, false}}) {
    SCOPED_TRACE(row.what);
    identity_.forget_distractors();
    Detection detection = found(kThere);
    row.change(detection);
    frame(0.9f, std::vector{detection});
    EXPECT_EQ(knows_distractors(), row.is_distractor);
  }
}

// What is seen elsewhere while it may be elsewhere itself is perhaps the target.
TEST_F(TargetIdentityTest, WhenDistractorsAreSeen) {
  draw(kThere, kBlue);
  const std::vector<Detection> there = {found(kThere)};
  frame(0.79f, there);
  EXPECT_FALSE(knows_distractors()) << "not tracking";
  frame(0.1f, there);
  EXPECT_FALSE(knows_distractors()) << "lost";
  jumps_ = true;
  frame(0.9f, there);
  EXPECT_FALSE(knows_distractors()) << "has jumped";
  jumps_ = false;
  learning_ = false;
  frame(0.9f, there);
  EXPECT_FALSE(knows_distractors()) << "nothing is learnt";
  learning_ = true;
  frame(0.9f, {});
  EXPECT_FALSE(knows_distractors()) << "no scan";
  frame(0.9f, there);
  EXPECT_TRUE(knows_distractors());
}

TEST_F(TargetIdentityTest, WithoutAGalleryNothingIsKnown) {
  identity_.start(std::nullopt);
  frame(0.9f, std::vector{found(kThere)});
  frames(1, 0.5f);
  EXPECT_FALSE(knows_distractors());
  EXPECT_FALSE(identity_.is_ambiguous());
}

// What is followed looks like somebody else, and the target has been found.
TEST_F(TargetIdentityTest, WhatIsMoreLikeTheTargetThanWhatIsFollowedIsNone) {
  draw(kHere, 0xa84838);
  draw(kThere, kRed);
  draw(kElsewhere, kBlue);
  frame(0.9f, std::vector{found(kThere)});
  EXPECT_FALSE(knows_distractors());
  frame(0.9f, std::vector{found(kElsewhere)});
  EXPECT_TRUE(knows_distractors());
}

// Only by its looks, and where it may have gone: all else may be the target.
TEST_F(TargetIdentityTest, OneThatIsKnownIsSeenWhileTheTargetIsLost) {
  constexpr BoundingBox nearer = {320, 100, 40, 80}, probe = {440, 100, 40, 80};
  struct Row {
    const char* what;
    BoundingBox first, then;
    std::uint32_t color, color_then;
    int frames;
    BoundingBox probe;
    bool is_seen;
  };
  constexpr std::uint32_t kReddish = 0xa84838;
  constexpr BoundingBox over = {120, 100, 40, 80};
  for (const Row& row :
       {Row{"it has moved", kThere, nearer, kBlue, kBlue, 0, probe, true},
        {"another", kThere, nearer, kBlue, kGreen, 0, probe, false},
        {"as like the target", kThere, nearer, kReddish, kRed, 0, probe, false},
        {"where it cannot be", kThere, kElsewhere, kBlue, kBlue, 0, kElsewhere, false},
        {"has come back", kThere, kElsewhere, kBlue, kBlue, 31, kElsewhere, true},
        {"over the lost target", kElsewhere, over, kBlue, kBlue, 31, over, true}}) {
    SCOPED_TRACE(row.what);
    // How far what is known seems to be from there.
    const auto distance_after = [&](std::vector<Detection> detections) {
      identity_.forget_distractors();
      draw(kHere, kRed);
      draw(row.first, row.color);
      frame(0.9f, std::vector{found(row.first)});
      frames(row.frames, 0.1f);
      draw(row.then, row.color_then);
      frame(0.1f, std::move(detections));
      draw(row.probe, row.color);
      return at(row.probe).distractor_distance;
    };
    const float before = distance_after({});
    EXPECT_EQ(distance_after({found(row.then)}) < 0.99f * before, row.is_seen);
  }
}

TEST_F(TargetIdentityTest, EightAreSeenOnAFrame) {
  std::vector<Detection> detections;
  for (int i = 0; i < 10; ++i) {
    detections.push_back(found({200 + 50 * static_cast<float>(i), 100, 40, 80}));
    draw(detections.back().box, 0x1c0e00u * static_cast<std::uint32_t>(i));
  }
  frame(0.9f, detections);
  for (std::size_t i = 0; i < detections.size(); ++i) {
    EXPECT_EQ(at(detections[i].box).distractor_distance < 0.021f, i < 8) << i;
  }
}

TEST_F(TargetIdentityTest, WindowsOfOneObjectAreOneDistractor) {
  constexpr BoundingBox beside = {325, 100, 40, 80};  // overlaps kThere by more than a fifth
  draw(beside, kGreen);
  draw(kThere, kBlue);
  frame(0.9f, std::vector{found(kThere), found(beside)});
  const float beside_it = at(beside).distractor_distance;
  identity_.forget_distractors();
  frame(0.9f, std::vector{found(kThere)});
  EXPECT_EQ(at(beside).distractor_distance, beside_it);
}

TEST_F(TargetIdentityTest, IsAmbiguousAfterAFrameOnWhichItIsNotTracking) {
  frames(1);
  EXPECT_FALSE(identity_.is_ambiguous());
  frames(1, 0.79f);
  EXPECT_TRUE(identity_.is_ambiguous());
  frames(29);
  EXPECT_TRUE(identity_.is_ambiguous());
  frames(1);
  EXPECT_FALSE(identity_.is_ambiguous());
  learning_ = false;
  frames(1, 0.1f);
  EXPECT_FALSE(identity_.is_ambiguous()) << "nothing is learnt";
}

// Motion follows somebody else, and is as sure as ever.
TEST_F(TargetIdentityTest, AFollowedDistractorIsASwitchWhileItIsSeen) {
  const IdentityEvidence another = {
      .dissimilarity = 1, .ratio = -0.3f, .has_distractor = true, .is_ambiguous = true};
  for (int i = 0; i < 11; ++i) EXPECT_FALSE(identity_.has_switched(another));
  EXPECT_TRUE(identity_.has_switched(another));
  frames(1, 0.1f);
  for (int i = 0; i < 20; ++i) EXPECT_FALSE(identity_.has_switched(another)) << "lost";
}

TEST_F(TargetIdentityTest, WhatWasFollowedAfterASwitchIsADistractor) {
  draw(kThere, kBlue);
  switches_ = true;
  frame(0.1f, std::vector<Detection>(), kThere);
  EXPECT_LT(at(kThere).ratio, -0.5f);
}

TEST_F(TargetIdentityTest, WhereAnotherTargetSurelyIsItIsNot) {
  TargetState state(config_);
  TargetView view(config_, model_);
  TargetIdentity other(config_, state, view);
  const auto see = [&](const BoundingBox& box, float presence) {
    state.put(box);
    state.begin();
    identity_.forget_distractors();
    other.start(sample_at(box));
    view.begin_frame(people_.planes, {});
    const Hypothesis here = {box, presence, {}};
    const StateEvidence now = {
        .estimate = Estimate{box, presence, true}, .presence = presence, .here = &here};
    other.update(now, true);
    state.transition(now);
    identity_.observe(other);
    return knows_distractors();
  };
  draw(kThere, kBlue);
  EXPECT_FALSE(see(kThere, 0.9f)) << "this one is not surely here";
  frames(1);
  EXPECT_TRUE(see(kThere, 0.9f));
  EXPECT_FALSE(see(kThere, 0.79f));
  EXPECT_TRUE(see({133, 100, 40, 80}, 0.9f));
  EXPECT_FALSE(see({132, 100, 40, 80}, 0.9f)) << "it overlaps the box";
  frames(1, 0.79f);
  EXPECT_FALSE(see(kThere, 0.9f));
  frames(1);
  EXPECT_TRUE(see(kThere, 0.9f));
  identity_.reset();
  EXPECT_FALSE(see(kThere, 0.9f)) << "it was moved";
}

// A distractor may have gone further in the meantime.
TEST_F(TargetIdentityTest, AFrameOnWhichTheTargetIsMovedIsOne) {
  draw(kThere, kBlue);
  frame(0.9f, std::vector{found(kThere)});
  const BoundingBox aside = {360, 100, 40, 80};
  const float before = at(aside).distractor_distance;
  identity_.reset();
  EXPECT_LT(at(aside).distractor_distance, before);
}

// One frame may deceive. Of another place there is no other frame.
TEST_F(TargetIdentityTest, WhatIsFollowedIsSmoothed) {
  frames(10);
  const float before = here_.evidence.identity.dissimilarity;
  draw(kHere, kGreen);
  view_.begin_frame(people_.planes, {});
  const float now = identity_.compare(kHere, false).dissimilarity;
  EXPECT_NEAR(identity_.compare(kHere, true).dissimilarity, before + 0.2f * (now - before), 1e-5f);
  frames(1, 0.1f);
  EXPECT_EQ(identity_.compare(kHere, true).dissimilarity, now) << "it was lost";
  frames(1);
  EXPECT_EQ(here_.evidence.identity.dissimilarity, now);
  jumps_ = true;
  frames(1);
  draw(kHere, kRed);
  view_.begin_frame(people_.planes, {});
  const float red = identity_.compare(kHere, false).dissimilarity;
  EXPECT_NEAR(identity_.compare(kHere, true).dissimilarity, now + 0.2f * (red - now), 1e-5f)
      << "from where it was found";
  identity_.reset();
  EXPECT_NEAR(identity_.compare(kHere, true).dissimilarity, 0.2f * red, 1e-5f);
  EXPECT_FLOAT_EQ(identity_.compare(kHere, true).ratio, 0.2f) << "nobody else is known";
}

// As a sample of the gallery, that is.
TEST_F(TargetIdentityTest, WhatItsBoxTeaches) {
  struct Row {
    const char* what;
    int settled_frames;
    BoundingBox box;
    bool is_learnt;
  };
  for (const Row& row : {Row{"followed for long", 19, kThere, true},
                         {"not long enough", 18, kThere, false},
                         {"not all in the picture", 19, {-1, 100, 40, 80}, false},
                         {"nearly all", 19, {-0.3f, 100, 40, 80}, true}}) {
    SCOPED_TRACE(row.what);
    draw(kHere, kRed);
    identity_.start(sample_at(kHere));
    draw(row.box, kRed);
    frames(1, 0.1f);
    for (int i = 0; i < row.settled_frames; ++i) {
      frame(0.9f, std::vector<Detection>(), row.box);
    }
    identity_.start(sample_at(row.box));  // nothing is ambiguous
    for (int i = 0; i < 5; ++i) identity_.end_frame();
    draw(row.box, kGreen);
    frame(0.9f, std::vector<Detection>(), row.box);
    EXPECT_EQ(at(row.box).dissimilarity < 0, row.is_learnt);
  }
}

}  // namespace
}  // namespace cltrack
