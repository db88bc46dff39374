// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/planes/area_resample.h"

#include <gtest/gtest.h>

#include "support/test_image.h"

namespace cltrack {
namespace {

TEST(AreaResample, TheSameSizeIsTheSamePicture) {
  const test::PaddedImage picture = test::noise_image(17, 11, 1, 3);
  Image copy(17, 11);
  resample_area(picture.view(), {0, 0, 17, 11}, copy);
  for (int y = 0; y < 11; ++y) {
    for (int x = 0; x < 17; ++x) ASSERT_EQ(copy.view().at(x, y), picture.view().at(x, y));
  }
}

TEST(AreaResample, ReducedPixelsAreMeans) {
  test::PaddedImage picture(6, 4, 5);
  picture.fill([](int x, int y) { return 10 * x + y; });
  Image reduced(2, 2);
  resample_area(picture.view(), {0, 0, 6, 4}, reduced);
  // Columns 0 to 2 have the mean 10, rows 0 and 1 that of 0.5: halves are rounded up.
  EXPECT_EQ(reduced.view().at(0, 0), 11);
  EXPECT_EQ(reduced.view().at(1, 0), 41);
  EXPECT_EQ(reduced.view().at(0, 1), 13);
}

TEST(AreaResample, PartsOfPixelsCountInPart) {
  test::PaddedImage picture(4, 1);
  picture.fill([](int x, int) { return 100 * (x % 2); });
  Image shifted(2, 1);
  resample_area(picture.view(), {0.25f, 0, 2, 1}, shifted);
  EXPECT_EQ(shifted.view().at(0, 0), 25);
  EXPECT_EQ(shifted.view().at(1, 0), 75);
}

TEST(AreaResample, BeyondItsEdgesThePictureGoesOn) {
  const test::PaddedImage picture = test::noise_image(8, 8, 2);
  Image around(12, 12);
  resample_area(picture.view(), {-2, -2, 12, 12}, around);
  EXPECT_EQ(around.view().at(0, 0), picture.view().at(0, 0));
  EXPECT_EQ(around.view().at(11, 5), picture.view().at(7, 3));
  Image far(3, 3);
  resample_area(picture.view(), {100, 100, 3, 3}, far);
  EXPECT_EQ(far.view().at(1, 1), picture.view().at(7, 7));
}

TEST(AreaResample, AFlatPictureStaysAsItIs) {
  test::PaddedImage picture(50, 37);
  picture.fill([](int, int) { return 255; });
  for (const float side : {3.0f, 17.3f, 49.9f}) {
    Image reduced(7, 5);
    resample_area(picture.view(), {0.7f, -3.1f, side, side}, reduced);
    for (int y = 0; y < 5; ++y) {
      for (int x = 0; x < 7; ++x) EXPECT_EQ(reduced.view().at(x, y), 255) << side;
    }
  }
}

}  // namespace
}  // namespace cltrack
