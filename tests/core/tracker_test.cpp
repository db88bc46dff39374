// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cltrack/tracker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "cltrack/error.h"

namespace cltrack {
namespace {

using testing::HasSubstr;

TEST(ClipTarget, KeepsWhatIsInside) {
  EXPECT_EQ(clip_target({10, 20, 30, 40}, 320, 240), (BoundingBox{10, 20, 30, 40}));
  EXPECT_EQ(clip_target({-10, 20, 30, 40}, 320, 240), (BoundingBox{0, 20, 20, 40}));
  EXPECT_EQ(clip_target({-10, -10, 4000, 4000}, 320, 240), (BoundingBox{0, 0, 320, 240}));
  EXPECT_EQ(clip_target({312, 232, 8, 8}, 320, 240), (BoundingBox{312, 232, 8, 8}));
}

TEST(ClipTarget, RefusesWhatCannotBeTracked) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  for (const BoundingBox& box : {BoundingBox{400, 20, 30, 40},
                                 {-30, 20, 30, 40},
                                 {10, 20, 1, 1},
                                 {10, 20, 0, 0},
                                 {10, 20, -30, 40},
                                 {nan, 20, 30, 40},
                                 {10, 20, 30, nan},
                                 {313, 20, 30, 40}}) {
    try {
      clip_target(box, 320, 240);
      FAIL() << box.x << " " << box.y << " " << box.width << " " << box.height;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
      EXPECT_THAT(error.what(), HasSubstr("320x240"));
      EXPECT_THAT(error.what(), HasSubstr("at least 8x8"));
    }
  }
}

TEST(ClipTarget, NamesTheBox) {
  try {
    clip_target({400, 21, 32, 43}, 320, 240);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("x=400 y=21 width=32 height=43"));
  }
}

}  // namespace
}  // namespace cltrack
