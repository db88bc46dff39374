// SPDX-License-Identifier: LGPL-2.1-or-later
// The TLD parameters of the element against those of the library.
#include "tld_settings.h"

#include <gtest/gtest.h>

#include <string>

#include "tracker_harness.h"

namespace cltrack {
namespace {

class TldProperty : public ::testing::TestWithParam<const char*> {};

// Whatever the property allows, the library takes: the element starts and passes a frame.
TEST_P(TldProperty, WorksAtBothEndsOfItsRange) {
  for (const bool maximum : {false, true}) {
    test::TrackerHarness harness{{"targets", "<<100,80,48,40>>"}};
    GParamSpec* spec =
        g_object_class_find_property(G_OBJECT_GET_CLASS(harness.object()), GetParam());
    ASSERT_NE(spec, nullptr);
    if (G_IS_PARAM_SPEC_INT(spec)) {
      const int end = maximum ? G_PARAM_SPEC_INT(spec)->maximum : G_PARAM_SPEC_INT(spec)->minimum;
      g_object_set(harness.object(), GetParam(), end, nullptr);
      int value = -1;
      g_object_get(harness.object(), GetParam(), &value, nullptr);
      EXPECT_EQ(value, end);
    } else {
      ASSERT_TRUE(G_IS_PARAM_SPEC_FLOAT(spec));
      const float end =
          maximum ? G_PARAM_SPEC_FLOAT(spec)->maximum : G_PARAM_SPEC_FLOAT(spec)->minimum;
      g_object_set(harness.object(), GetParam(), static_cast<double>(end), nullptr);
      float value = -1;
      g_object_get(harness.object(), GetParam(), &value, nullptr);
      EXPECT_EQ(value, end);
    }
    harness.set_caps(160, 120);
    const Image picture = test::draw_scene(160, 120, {100, 80, 48, 40});
    EXPECT_NE(harness.pass(picture), nullptr);
    EXPECT_NE(harness.pass(picture), nullptr);
    EXPECT_TRUE(harness.texts(GST_MESSAGE_ERROR).empty());
  }
}

INSTANTIATE_TEST_SUITE_P(ClTracker, TldProperty,
                         ::testing::Values("threads", "scan-step", "scales", "variance-ratio",
                                           "fern-threshold", "max-candidates", "nn-threshold",
                                           "nn-valid-threshold", "max-positive-patches",
                                           "max-negative-patches"),
                         [](const auto& tested) {
                           std::string name = tested.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(TldSettings, DefaultsAreThoseOfTheLibrary) {
  const TldConfig defaults;
  test::TrackerHarness harness;
  guint64 seed = 99;
  gboolean learning = !defaults.learning;
  int threads = 0, scales = 0, candidates = 0, positives = 0, negatives = 0;
  float step = 0, variance = 0, fern = 0, nn = 0, valid = 0;
  g_object_get(harness.object(), "seed", &seed, "learning", &learning, "threads", &threads,
               "scales", &scales, "max-candidates", &candidates, "max-positive-patches", &positives,
               "max-negative-patches", &negatives, "scan-step", &step, "variance-ratio", &variance,
               "fern-threshold", &fern, "nn-threshold", &nn, "nn-valid-threshold", &valid, nullptr);
  EXPECT_EQ(seed, defaults.seed);
  EXPECT_EQ(learning != FALSE, defaults.learning);
  EXPECT_EQ(threads, defaults.threads);
  EXPECT_EQ(scales, defaults.scales_each_way);
  EXPECT_EQ(candidates, defaults.max_candidates);
  EXPECT_EQ(positives, defaults.max_positive_patches);
  EXPECT_EQ(negatives, defaults.max_negative_patches);
  EXPECT_EQ(step, defaults.shift);
  EXPECT_EQ(variance, defaults.variance_ratio);
  EXPECT_EQ(fern, defaults.fern_threshold);
  EXPECT_EQ(nn, defaults.nn_threshold);
  EXPECT_EQ(valid, defaults.nn_valid_threshold);
}

}  // namespace
}  // namespace cltrack
