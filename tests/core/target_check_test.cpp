// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/target_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "support/errors.h"

namespace cltrack {
namespace {

using testing::HasSubstr;

TEST(TargetLimit, OfAConfigNamesItsFieldAndWhatToDo) {
  const TargetLimit limit = TargetLimit::of_config(3);
  EXPECT_NO_THROW(limit.check(2));
  const Error error = test::error_of([&] { limit.check(3); });
  EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
  EXPECT_THAT(error.what(), testing::AllOf(HasSubstr("3 targets"), HasSubstr("max_targets is 3"),
                                           HasSubstr("remove one first")));
}

TEST(CheckBox, RefusesBoxesThatNoFrameCouldHold) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  for (const BoundingBox& box :
       {BoundingBox{10, 10, 0, 0}, {10, 10, 30, 7.9f}, {nan, 10, 30, 30}, {10, 10, -30, 30}}) {
    EXPECT_EQ(test::error_of([&] { check_box(box); }).code(), ErrorCode::invalid_argument);
  }
  EXPECT_NO_THROW(check_box({-1000, 5000, 30, 30})) << "a frame may be large";
  const std::string message = test::error_of([] { check_box({10, 10, 5, 60}); }).what();
  EXPECT_THAT(message,
              testing::AllOf(testing::HasSubstr("width=5"), testing::HasSubstr("too small")));
  EXPECT_THAT(message, testing::Not(testing::HasSubstr("frame"))) << "none is known yet";
}

TEST(RefuseSeed, NamesWhatWasGivenAndWhatIsAllowed) {
  const std::uint8_t pixel = 0;
  const auto message_for = [](const Seed& seed) {
    const Error error = test::error_of([&] { refuse_seed(seed, "TLD", "a box"); });
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    return std::string(error.what());
  };
  EXPECT_THAT(message_for(ImageView{&pixel, 1, 1, 1}),
              testing::AllOf(HasSubstr("TLD"), HasSubstr("as a picture"), HasSubstr("give a box")));
  EXPECT_THAT(message_for(ColorModel::nothing()), HasSubstr("as a colour"));
  EXPECT_THAT(message_for(BoundingBox{10, 20, 30, 40}), HasSubstr("as a box"));
}

}  // namespace
}  // namespace cltrack
