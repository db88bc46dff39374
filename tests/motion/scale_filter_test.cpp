// SPDX-License-Identifier: LGPL-2.1-or-later
#include "motion/scale_filter.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "support/devices.h"
#include "support/test_image.h"

namespace cltrack {
namespace {

using test::PaddedImage;

constexpr int kWidth = 200, kHeight = 160;

// A texture, scaled about (100, 80).
PaddedImage picture(float scale, std::uint64_t seed = 5) {
  const test::Texture texture(seed);
  return PaddedImage(kWidth, kHeight, 3).fill([&](int x, int y) {
    return std::lround(texture.at((static_cast<float>(x) + 0.5f - 100) / scale,
                                  (static_cast<float>(y) + 0.5f - 80) / scale));
  });
}

BoundingBox around_middle(float width, float height) {
  return {100 - width / 2, 80 - height / 2, width, height};
}

// With what it has learnt.
struct Taught {
  explicit Taught(std::size_t slots = 1) {
    learnt.numerators.assign(std::vector<float>(slots * kScaleNumerators));
    learnt.denominators.assign(std::vector<float>(slots * kScaleDenominators));
  }

  ScaleFilter filter;
  ScaleArrays learnt;
};

class ScaleFilterTest : public test::DeviceTest {
 protected:
  using Estimates = std::vector<ScaleFilter::ScaleEstimate>;

  void learn(Taught& taught, const PaddedImage& image,
             const std::vector<ScaleFilter::ScaleQuery>& queries) {
    Plane luma;
    luma.borrow(image.view());
    taught.filter.learn(*queue_, luma, queries, taught.learnt);
    luma.release();
  }

  Estimates ask(Taught& taught, const PaddedImage& image,
                const std::vector<ScaleFilter::ScaleQuery>& queries) {
    Plane luma;
    luma.borrow(image.view());
    taught.filter.estimate(*queue_, luma, queries, taught.learnt);
    const Estimates estimates = taught.filter.collect();
    luma.release();
    return estimates;
  }
};

void expect_equal(const ScaleFilter::ScaleEstimate& a, const ScaleFilter::ScaleEstimate& b) {
  EXPECT_EQ(a.factor, b.factor);
  EXPECT_EQ(a.response, b.response);
}

TEST_P(ScaleFilterTest, TellsHowMuchLargerATargetIs) {
  Taught filter;
  const std::vector<ScaleFilter::ScaleQuery> queries = {{around_middle(60, 48), 0, 1}};
  learn(filter, picture(1), queries);
  EXPECT_NEAR(ask(filter, picture(1), queries)[0].factor, 1, 1e-3);
  for (const float scale : {0.88f, 0.94f, 1.02f, 1.07f, 1.13f}) {
    EXPECT_NEAR(ask(filter, picture(scale), queries)[0].factor, scale, 0.02) << scale;
  }
}

TEST_P(ScaleFilterTest, IsLessSureOfSomethingElse) {
  Taught filter;
  const std::vector<ScaleFilter::ScaleQuery> queries = {{around_middle(60, 48), 0, 1}};
  learn(filter, picture(1), queries);
  const float known = ask(filter, picture(1), queries)[0].response;
  EXPECT_GT(known, 0.8f);
  EXPECT_LT(ask(filter, picture(1, 99), queries)[0].response, known / 2);
}

// What says nothing about the size leaves it as it is.
TEST_P(ScaleFilterTest, LeavesTheSizeWhereNothingIsToBeSeen) {
  Taught filter(2);
  const std::vector<ScaleFilter::ScaleQuery> taught = {{around_middle(60, 48), 0, 1}};
  learn(filter, picture(1), taught);
  // Grey cells are the one feature of a flat picture: 127.5 would be 0.
  for (const int grey : {0, 127, 128, 255}) {
    const auto flat = PaddedImage(kWidth, kHeight).fill([&](int, int) { return grey; });
    const auto estimates = ask(filter, flat, {{around_middle(60, 48), 1, 0}});
    EXPECT_EQ(estimates[0].factor, 1) << "an empty filter, " << grey;
    EXPECT_EQ(estimates[0].response, 0);
  }
}

TEST_P(ScaleFilterTest, FollowsAtItsRate) {
  Taught slow, fast, fixed;
  const BoundingBox box = around_middle(60, 48);
  for (Taught* filter : {&slow, &fast, &fixed}) {
    learn(*filter, picture(1), {{box, 0, 1}});
  }
  learn(slow, picture(1, 99), {{box, 0, 0.1f}});
  learn(fast, picture(1, 99), {{box, 0, 0.6f}});
  learn(fixed, picture(1, 99), {{box, 0, 1}});
  const auto response = [&](Taught& filter) {
    return ask(filter, picture(1, 99), {{box, 0, 0}})[0].response;
  };
  EXPECT_LT(response(slow), response(fast));
  EXPECT_LT(response(fast), response(fixed));
}

// A filter that has learnt from boxes of a wrong size for a while still estimates the right
// one.
TEST_P(ScaleFilterTest, ErrorsDoNotAddUp) {
  constexpr int kFrames = 100;
  constexpr float kTooLarge = 1.05f;
  Taught filter;
  const auto box = [](float factor) { return around_middle(factor * 60, factor * 48); };
  learn(filter, picture(1), {{box(1), 0, 1}});
  for (int i = 0; i < kFrames; ++i) learn(filter, picture(1), {{box(kTooLarge), 0, 0.025f}});
  const float factor = ask(filter, picture(1), {{box(kTooLarge), 0, 0}})[0].factor;
  EXPECT_LT(factor, 0.99f);
  EXPECT_GT(factor, 1 / kTooLarge - 0.01f);
}

TEST_P(ScaleFilterTest, BeginsASlotAnew) {
  Taught used, fresh;
  const BoundingBox box = around_middle(60, 48);
  learn(used, picture(1, 99), {{box, 0, 1}});
  learn(used, picture(1), {{box, 0, 1}});
  learn(fresh, picture(1), {{box, 0, 1}});
  expect_equal(ask(used, picture(1.05f), {{box, 0, 0}})[0],
               ask(fresh, picture(1.05f), {{box, 0, 0}})[0]);
}

// Any slots, in any order, also one target twice; sizes of their own, and beyond the picture.
TEST_P(ScaleFilterTest, SeveralTargetsAreAnsweredAsEachAlone) {
  const std::vector<BoundingBox> boxes = {around_middle(60, 48),
                                          around_middle(8, 8),
                                          {-20, -10, 60, 50},
                                          {180, 150, 40, 30},
                                          around_middle(16, 120)};
  std::vector<ScaleFilter::ScaleQuery> queries;
  for (const int slot : {3, 0, 4, 1, 5}) queries.push_back({boxes[queries.size()], slot, 1});
  Taught together(6);
  learn(together, picture(1), queries);
  std::vector<ScaleFilter::ScaleQuery> twice = queries;
  twice.push_back({around_middle(66, 50), 3, 0});
  const auto estimates = ask(together, picture(1.04f), twice);
  ASSERT_EQ(estimates.size(), twice.size());
  for (std::size_t i = 0; i < twice.size(); ++i) {
    Taught alone;
    const ScaleFilter::ScaleQuery& taught = queries[i % queries.size()];
    learn(alone, picture(1), {{taught.box, 0, 1}});
    expect_equal(estimates[i], ask(alone, picture(1.04f), {{twice[i].box, 0, 0}})[0]);
  }
}

TEST_P(ScaleFilterTest, KeepsNothingOfItsOwn) {
  Taught filter;
  const std::vector<ScaleFilter::ScaleQuery> queries = {{around_middle(60, 48), 0, 1}};
  learn(filter, picture(1), queries);
  const auto before = ask(filter, picture(1.05f), queries);
  filter.filter.release();
  expect_equal(ask(filter, picture(1.05f), queries)[0], before[0]);
}

CLTRACK_ON_EVERY_DEVICE(ScaleFilterTest);

}  // namespace
}  // namespace cltrack
