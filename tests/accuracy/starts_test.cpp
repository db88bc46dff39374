// SPDX-License-Identifier: LGPL-2.1-or-later
#include "starts.h"

#include <gtest/gtest.h>

#include <map>

namespace cltrack::accuracy {
namespace {

const BoundingBox kBox{100, 200, 40, 20};

// The target goes a pixel to the right on each frame.
Sequence sequence_of(std::size_t frames) {
  Sequence sequence;
  sequence.first_box = kBox;
  for (std::size_t i = 0; i < frames; ++i) {
    sequence.truth.push_back(BoundingBox{100 + static_cast<float>(i), 200, 40, 20});
  }
  return sequence;
}

std::vector<std::size_t> frames_of(const std::vector<Start>& starts) {
  std::vector<std::size_t> frames;
  for (const Start& start : starts) frames.push_back(start.frame);
  return frames;
}

TEST(StartsTest, WithoutShiftsThereIsTheGivenBoxAlone) {
  const auto starts = starts_of(sequence_of(3), {});
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
  const auto starts = starts_of(sequence_of(3), {.shifted = true});
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
    EXPECT_EQ(starts[i].frame, 0u);
  }
}

TEST(StartsTest, LaterStartsHaveTheTrueBoxAndEnoughFramesToCome) {
  const auto starts = starts_of(sequence_of(14), {.every = 5});
  EXPECT_EQ(frames_of(starts), (std::vector<std::size_t>{0, 5}));  // 10 has four frames
  EXPECT_EQ(starts[1].name, kGivenStart);
  EXPECT_EQ(starts[1].box, (BoundingBox{105, 200, 40, 20}));
  EXPECT_EQ(frames_of(starts_of(sequence_of(15), {.every = 5})),
            (std::vector<std::size_t>{0, 5, 10}));
  EXPECT_EQ(frames_of(starts_of(sequence_of(3), {.every = 5})), (std::vector<std::size_t>{0}));
}

TEST(StartsTest, NoStartIsWhereTheTargetIsAbsent) {
  Sequence sequence = sequence_of(20);
  sequence.truth[5].reset();
  EXPECT_EQ(frames_of(starts_of(sequence, {.every = 5})), (std::vector<std::size_t>{0, 10, 15}));
}

TEST(StartsTest, AsManyStartsAsAreAllowed) {
  const StartOptions options = {.every = 2, .most = 3};
  EXPECT_EQ(frames_of(starts_of(sequence_of(100), options)), (std::vector<std::size_t>{0, 2, 4}));
  EXPECT_EQ(frames_of(starts_of(sequence_of(100), {.every = 2, .most = 1})),
            (std::vector<std::size_t>{0}));
}

TEST(StartsTest, LaterStartsAreShiftedToo) {
  const auto starts = starts_of(sequence_of(10), {.shifted = true, .every = 5});
  ASSERT_EQ(starts.size(), 26u);
  EXPECT_EQ(starts[13].name, kGivenStart);
  EXPECT_EQ(starts[14].name, "left");
  EXPECT_EQ(starts[14].frame, 5u);
  EXPECT_FLOAT_EQ(starts[14].box.x, 101);
}

}  // namespace
}  // namespace cltrack::accuracy
