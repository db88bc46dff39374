// SPDX-License-Identifier: LGPL-2.1-or-later
#include "properties/target_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../support/refusal.h"

namespace cltrack {
namespace {

using gst::parse_targets_json;
using gst::Target;
using gst::targets_json;
using test::refusal;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(TargetsJson, ReadsListsAndSingleTargets) {
  const auto targets = parse_targets_json(
      R"([{"x": 10, "y": -2.5, "width": 3e1, "height": 40, "label": "a \"car\""},
          {"height": 8, "width": 8, "y": 0, "x": 0}])");
  ASSERT_THAT(targets, SizeIs(2));
  EXPECT_EQ(targets[0].box, (BoundingBox{10, -2.5f, 30, 40}));
  EXPECT_EQ(targets[0].label, "a \"car\"");
  EXPECT_EQ(targets[1].label, "");
  EXPECT_THAT(parse_targets_json(R"({"x": 1, "y": 2, "width": 30, "height": 40})"), SizeIs(1));
  EXPECT_THAT(parse_targets_json("[]"), IsEmpty());
  EXPECT_THAT(parse_targets_json(""), IsEmpty());
}

TEST(TargetsJson, WritesWhatItReads) {
  const std::vector<Target> targets = {{{0.1f, 2, 30, 40}, "\u00e4"}, {{1, 2, 3.25f, 4}, ""}};
  const auto again = parse_targets_json(targets_json(targets));
  ASSERT_THAT(again, SizeIs(2));
  EXPECT_EQ(again[0].box, targets[0].box);
  EXPECT_EQ(again[0].label, targets[0].label);
  EXPECT_EQ(again[1].box, targets[1].box);
  EXPECT_EQ(targets_json({}), "[]");
}

TEST(TargetsJson, RefusesWhatIsNoTargetAndSaysWhy) {
  const auto expect = [](const char* text, const char* why) {
    EXPECT_THAT(refusal([&] { parse_targets_json(text); }),
                AllOf(HasSubstr(why), HasSubstr("Write [{")))
        << text;
  };
  expect("nonsense", "not JSON");
  expect("[{]", "not JSON");
  expect("\xff", "not JSON");
  expect("3", "not a list");
  expect("[[1,2,3,4]]", "not an object");
  expect(R"([{"x": 1, "y": 2, "width": 30}])", "has no height");
  expect(R"([{"x": "1", "y": 2, "width": 30, "height": 40}])", "x is not a number");
  expect(R"([{"x": 1e300, "y": 2, "width": 30, "height": 40}])", "x is not finite");
  expect(R"([{"x": 1, "y": 2, "width": 0, "height": 40}])", "greater than 0");
  expect(R"([{"x": 1, "y": 2, "width": 3, "height": 4, "label": 5}])", "label is not a string");
  expect(R"([{"x": 1, "y": 2, "width": 3, "height": 4, "lable": ""}])", "a field");
  // It must not take the stack.
  const std::size_t depth = 1'000'000;
  expect(std::string(depth, '[').c_str(), "nested");
  expect((std::string(depth, '[') + std::string(depth, ']')).c_str(), "nested");
}

}  // namespace
}  // namespace cltrack
