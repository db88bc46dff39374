// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cltrack/tracker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "cltrack/error.h"
#include "support/errors.h"

namespace cltrack {
namespace {

using testing::HasSubstr;

TEST(ClipTarget, KeepsWhatIsInside) {
  EXPECT_EQ(clip_target({10, 20, 30, 40}, 320, 240), (BoundingBox{10, 20, 30, 40}));
  EXPECT_EQ(clip_target({-10, 20, 30, 40}, 320, 240), (BoundingBox{0, 20, 20, 40}));
  EXPECT_EQ(clip_target({-10, -10, 4000, 4000}, 320, 240), (BoundingBox{0, 0, 320, 240}));
  EXPECT_EQ(clip_target({312, 232, 8, 8}, 320, 240), (BoundingBox{312, 232, 8, 8}));
}

TEST(ClipTarget, SaysWhyABoxCannotBeTracked) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  const struct {
    BoundingBox box;
    const char* reason;
  } kCases[] = {
      {{10, 20, 0, 0}, "width and height more than 0"},
      {{10, 20, -30, 40}, "width and height more than 0"},
      {{nan, 20, 30, 40}, "finite"},
      {{10, 20, 30, nan}, "finite"},
      {{10, 20, 1, 1}, "too small, a target must have at least 8x8"},
      {{10, 20, 5, 60}, "too small, a target must have at least 8x8"},
      {{400, 20, 30, 40}, "outside of the frame, which has 320x240 pixels"},
      {{-30, 20, 30, 40}, "outside of the frame, which has 320x240 pixels"},
      {{313, 20, 30, 40}, "only 7x40 pixels of it lie inside the frame of 320x240, at least 8x8"},
  };
  for (const auto& wanted : kCases) {
    const Error error = test::error_of([&] { clip_target(wanted.box, 320, 240); });
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    EXPECT_THAT(error.what(), HasSubstr(wanted.reason));
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
