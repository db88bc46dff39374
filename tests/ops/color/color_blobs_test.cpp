// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/color/color_blobs.h"

#include <gtest/gtest.h>

#include <string>

namespace cltrack {
namespace {

// Rows of digits; a digit is a label, everything else none.
std::vector<ColorBlob> blobs_of(const std::vector<std::string>& rows, std::uint64_t minimum = 1) {
  std::vector<ColorRun> runs;
  for (std::size_t y = 0; y < rows.size(); ++y) {
    std::vector<std::uint8_t> labels;
    for (const char c : rows[y]) {
      labels.push_back(static_cast<std::uint8_t>(c >= '1' && c <= '9' ? c - '0' : 0));
    }
    for_each_run(labels.data(), static_cast<int>(labels.size()), static_cast<int>(y),
                 [&](const ColorRun& run) { runs.push_back(run); });
  }
  BlobScratch scratch;
  std::vector<ColorBlob> blobs;
  find_blobs(runs, minimum, scratch, blobs);
  return blobs;
}

TEST(ColorBlobs, NothingIsNoBlob) {
  EXPECT_TRUE(blobs_of({}).empty());
  EXPECT_TRUE(blobs_of({"....", "...."}).empty());
}

TEST(ColorBlobs, SeparateOnesAndTheirSums) {
  const auto blobs = blobs_of({"11..2",  //
                               "11..2",  //
                               ".....",  //
                               "..1.."});
  ASSERT_EQ(blobs.size(), 3u);
  EXPECT_EQ(blobs[0].label, 1);
  EXPECT_EQ(blobs[0].sum.count, 4u);
  EXPECT_EQ(blobs[0].sum.sum_x, 2u);
  EXPECT_EQ(blobs[0].sum.sum_y, 2u);
  EXPECT_EQ(blobs[0].sum.right, 2);
  EXPECT_EQ(blobs[0].sum.bottom, 2);
  EXPECT_EQ(blobs[1].label, 2);
  EXPECT_EQ(blobs[1].sum.left, 4);
  EXPECT_EQ(blobs[2].sum.top, 3);
}

TEST(ColorBlobs, CornersConnectAndOtherLabelsDoNot) {
  EXPECT_EQ(blobs_of({"1.1", ".1.", "1.1"}).size(), 1u);
  EXPECT_EQ(blobs_of({"12", "21"}).size(), 2u);
  EXPECT_EQ(blobs_of({"1..", "..1"}).size(), 2u);
}

TEST(ColorBlobs, ArmsThatMeetLateAreOne) {
  const auto blobs = blobs_of({"1.1.1.1",  //
                               "1.1.1.1",  //
                               "1.1.111",  //
                               "1.111..",  //
                               "111...."});
  ASSERT_EQ(blobs.size(), 1u);
  EXPECT_EQ(blobs[0].sum.count, 20u);
}

TEST(ColorBlobs, SmallOnesAreLeftOut) {
  EXPECT_EQ(blobs_of({"1.11", "...1"}, 2).size(), 1u);
  EXPECT_EQ(blobs_of({"1.11", "...1"}, 4).size(), 0u);
}

TEST(ColorBlobs, AnEmptyRowSeparates) { EXPECT_EQ(blobs_of({"11", "..", "11"}).size(), 2u); }

}  // namespace
}  // namespace cltrack
