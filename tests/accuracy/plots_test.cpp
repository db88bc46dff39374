// SPDX-License-Identifier: LGPL-2.1-or-later
#include "plots.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "svg_elements.h"
#include "test_data.h"

namespace cltrack::accuracy {
namespace {

using testing::HasSubstr;
using testing::Not;

// Overlaps of 1 and 1/3 with the box at the origin; centres 0 and 5 pixels off.
const BoundingBox kBox{0, 0, 10, 10};
const BoundingBox kHalfOff{5, 0, 10, 10};

Row row_of(const std::string& tracker, const std::string& name, const Boxes& truth,
           const Boxes& reported, std::uint64_t seed = 0) {
  Sequence sequence;
  sequence.name = name;
  sequence.truth = truth;
  Observations observations;
  for (const auto& box : reported) observations.frames.push_back({box, 1, TrackState::tracking});
  observations.ms.assign(reported.size(), 1);
  return make_row(tracker, sequence, seed, observations);
}

TEST(PlotsTest, SvgIsWellFormedWhateverTextsHold) {
  const Plot plot{
      "a < b & \"c\" > 'd'", "]]>", 1, 1, {{"0.5 <tld>", {1, 0}}, {"0.2 &amp;", {0, 1}}}};
  const std::string svg = to_svg(plot);
  const std::string elements = elements_of(svg);
  EXPECT_EQ(count(elements, "svg "), 1u) << elements;
  EXPECT_EQ(count(elements, "polyline "), 2u);
  EXPECT_EQ(count(elements, "text "), 2 * 6 + 2 + 2u);
  EXPECT_THAT(svg, HasSubstr(">0.5 &lt;tld&gt;<"));
}

TEST(PlotsTest, CurvesGoFromLeftToRightAndUp) {
  const std::string svg = to_svg({"t", "x", 1, 1, {{"one", {1, 0.5, 0}}}});
  EXPECT_THAT(svg, HasSubstr("points=\"60.0,40.0 240.0,190.0 420.0,340.0\""));
}

TEST(PlotsTest, ManyCurvesDifferInColourOrDashes) {
  Plot plot{"t", "x", 1, 1, {}};
  for (int i = 0; i < 16; ++i) plot.curves.push_back({"curve", {0, 1}});
  const std::string svg = to_svg(plot);
  std::set<std::string> styles;
  for (std::size_t at = 0; (at = svg.find("<polyline", at)) != std::string::npos; ++at) {
    styles.insert(svg.substr(at, svg.find("/>", at) - at));
  }
  EXPECT_EQ(styles.size(), 16u);
}

TEST(PlotsTest, SuccessIsTheMeanOverSeedsThenSequences) {
  // Sequence a: overlaps of 1 and 1/3 by two seeds; b: 0.
  const std::vector<Row> rows{row_of("tld", "a", {kBox}, {kBox}, 0),
                              row_of("tld", "a", {kBox}, {kHalfOff}, 1),
                              row_of("tld", "b", {kBox}, {std::nullopt})};
  const Plot plot = success_plot(rows);
  ASSERT_EQ(plot.curves.size(), 1u);
  EXPECT_EQ(plot.title, "Success (AUC), mean of 2 sequences");
  EXPECT_EQ(plot.curves[0].legend, "0.321 tld");  // (20 + 7) / 2 / 21, and 0
  ASSERT_EQ(plot.curves[0].shares.size(), 21u);
  EXPECT_DOUBLE_EQ(plot.curves[0].shares[0], 0.5);
  EXPECT_DOUBLE_EQ(plot.curves[0].shares[7], 0.25);
  EXPECT_DOUBLE_EQ(plot.curves[0].shares[20], 0);
}

TEST(PlotsTest, PrecisionReachesFiftyPixels) {
  const Plot plot = precision_plot(std::vector<Row>{row_of("tld", "a", {kBox}, {kHalfOff})});
  ASSERT_EQ(plot.curves.size(), 1u);
  EXPECT_EQ(plot.curves[0].legend, "1.000 tld");
  ASSERT_EQ(plot.curves[0].shares.size(), 51u);
  EXPECT_EQ(plot.x_max, 50);
  EXPECT_EQ(plot.curves[0].shares[4], 0);
  EXPECT_EQ(plot.curves[0].shares[5], 1);
}

TEST(PlotsTest, RunsThatFailedOrStartedElsewhereOrShowNoTargetAreLeftOut) {
  std::vector<Row> rows{row_of("tld", "a", {kBox}, {kBox}), row_of("tld", "a", {kBox}, {kHalfOff}),
                        row_of("tld", "b", {std::nullopt}, {kBox}), Row{}};
  rows[1].start = "left";
  rows[3].tracker = "template";
  rows[3].sequence = "a";
  rows[3].error = "no frames";
  const Plot plot = success_plot(rows);
  ASSERT_EQ(plot.curves.size(), 1u);
  EXPECT_EQ(plot.curves[0].legend, "0.952 tld (1 sequence)");
  EXPECT_EQ(plot.curves[0].shares[10], 1);
}

TEST(PlotsTest, BothAreWritten) {
  const TemporaryFolder folder;
  write_plots(folder.path(), std::vector<Row>{row_of("tld", "a", {kBox}, {kBox})});
  for (const char* name : {"success.svg", "precision.svg"}) {
    std::ifstream file(folder.path() / name);
    const std::string svg{std::istreambuf_iterator<char>(file), {}};
    EXPECT_THAT(elements_of(svg), HasSubstr("polyline"));
  }
  EXPECT_THAT(elements_of("<svg><g></svg>"), Not(HasSubstr("svg g ")));  // the check can fail
}

}  // namespace
}  // namespace cltrack::accuracy
