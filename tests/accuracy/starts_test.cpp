// SPDX-License-Identifier: LGPL-2.1-or-later
#include "starts.h"

#include <gtest/gtest.h>

#include <map>

namespace cltrack::accuracy {
namespace {

const BoundingBox kBox{100, 200, 40, 20};

TEST(StartsTest, WithoutShiftsThereIsTheGivenBoxAlone) {
  const auto starts = starts_of(kBox, false);
  ASSERT_EQ(starts.size(), 1u);
  EXPECT_EQ(starts[0].name, kGivenStart);
  EXPECT_EQ(starts[0].box, kBox);
}

TEST(StartsTest, TwelveShiftsFollowTheGivenBox) {
  const std::map<std::string, BoundingBox> expected{
      {"left", {96, 200, 40, 20}},      {"right", {104, 200, 40, 20}},
      {"up", {100, 198, 40, 20}},       {"down", {100, 202, 40, 20}},
      {"left-up", {96, 198, 40, 20}},   {"right-up", {104, 198, 40, 20}},
      {"left-down", {96, 202, 40, 20}}, {"right-down", {104, 202, 40, 20}},
      {"x0.8", {104, 202, 32, 16}},     {"x0.9", {102, 201, 36, 18}},
      {"x1.1", {98, 199, 44, 22}},      {"x1.2", {96, 198, 48, 24}}};
  const auto starts = starts_of(kBox, true);
  ASSERT_EQ(starts.size(), 13u);
  EXPECT_EQ(starts[0].box, kBox);
  for (std::size_t i = 1; i < starts.size(); ++i) {
    SCOPED_TRACE(starts[i].name);
    ASSERT_TRUE(expected.contains(starts[i].name));
    const BoundingBox& box = expected.at(starts[i].name);
    EXPECT_NEAR(starts[i].box.x, box.x, 1e-4);
    EXPECT_NEAR(starts[i].box.y, box.y, 1e-4);
    EXPECT_NEAR(starts[i].box.width, box.width, 1e-4);
    EXPECT_NEAR(starts[i].box.height, box.height, 1e-4);
  }
}

}  // namespace
}  // namespace cltrack::accuracy
