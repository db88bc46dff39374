// SPDX-License-Identifier: LGPL-2.1-or-later
#include "html_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "bars.h"
#include "markup.h"
#include "svg_elements.h"
#include "table.h"
#include "test_data.h"

namespace cltrack::accuracy {
namespace {

using testing::HasSubstr;
using testing::Not;

const BoundingBox kBox{0, 0, 10, 10};
const BoundingBox kHalfOff{5, 0, 10, 10};

// One frame, on which the tracker reports `reported`.
Row row_of(const std::string& tracker, const std::string& name, const BoundingBox& reported,
           std::uint64_t seed = 0) {
  Sequence sequence;
  sequence.name = name;
  sequence.truth = {kBox};
  Observations observations;
  observations.frames.push_back({reported, 0.5f, TrackState::tracking});
  observations.ms = {2};
  return make_row(tracker, sequence, seed, observations);
}

Row failed_row(const std::string& tracker, const std::string& name) {
  Row row;
  row.tracker = tracker;
  row.sequence = name;
  row.error = "<img src=x>: no frames";
  return row;
}

double auc(const Row& row) { return row.scores.auc; }

// What of `html` a browser fetches, runs or follows.
std::vector<std::string> doors(const std::string& html) {
  std::vector<std::string> found;
  for (const char* door : {"<script", "<img", "<iframe", "<link", "<object",
                           "src=", "href=", "url(", "@import", "javascript:"}) {
    if (html.find(door) != std::string::npos) found.push_back(door);
  }
  return found;
}

TEST(MarkupTest, WhateverBytesNamesHaveTheyStayText) {
  EXPECT_EQ(escaped("a<b>&\"'"), "a&lt;b&gt;&amp;&quot;'");
  EXPECT_EQ(escaped("x\x01y\x1b[0m"), "x?y?[0m");
  EXPECT_EQ(escaped("caf\xe9"), "caf\uFFFD");
  EXPECT_EQ(shortened("größer", 6), "größer");
  EXPECT_EQ(shortened("größer", 5), "größ…");
  EXPECT_EQ(shortened("ab\xff", 2), "a…");
  EXPECT_EQ(shortened("追跡", 4), "追跡");
  EXPECT_EQ(shortened("追跡", 3), "追…");
}

TEST(TableTest, HtmlHasTheCellsAndText) {
  const Table table{"A & B", {{"name", -4}, {"<n>", 3}}, {{"x<y", "1"}, {"z", "2"}}};
  EXPECT_THAT(to_html(table), HasSubstr("<caption>A &amp; B</caption>"));
  EXPECT_THAT(to_html(table), HasSubstr("<th>name</th><th class=\"number\">&lt;n&gt;</th>"));
  EXPECT_THAT(to_html(table), HasSubstr("<tr><td>x&lt;y</td><td class=\"number\">1</td></tr>"));
  std::ostringstream text;
  print(text, table);
  EXPECT_EQ(text.str(), "A & B\n  name <n>\n  x<y    1\n  z      2\n");
}

TEST(TableTest, WithoutTitlesOfColumnsThereIsNoLineOfThem) {
  std::ostringstream text;
  print(text, {"Speed", {{"", 0}}, {{"fast"}}});
  EXPECT_EQ(text.str(), "Speed\n  fast\n");
  EXPECT_THAT(to_html({"Speed", {{"", 0}}, {{"fast"}}}), Not(HasSubstr("<th")));
}

TEST(BarsTest, ABarForEachTrackerOnEachSequenceAndTheMeans) {
  const std::vector<Row> rows{row_of("tld", "a", kBox, 0), row_of("tld", "a", kHalfOff, 1),
                              row_of("tld", "b", kBox), row_of("template", "a", kBox),
                              row_of("template", "b", kHalfOff)};
  const std::string svg = bars_svg(rows, "AUC", auc);
  const std::string elements = elements_of(svg);
  // The ground, two in the legend, two for each of a, b and the mean.
  EXPECT_EQ(count(elements, "rect "), 1 + 2 + 6u) << elements;
  EXPECT_EQ(count(svg, "<title>"), 3u);
  // 20/21 and 7/21 by two seeds: the bar, and the line of the range.
  EXPECT_THAT(svg, HasSubstr(">0.643<"));
  EXPECT_EQ(count(svg, "stroke=\"black\""), 1u);
  EXPECT_THAT(svg, HasSubstr(">0.798<"));  // mean of that and of 20/21
}

TEST(BarsTest, WhatFailedHasNoBar) {
  const std::vector<Row> rows{row_of("tld", "a", kBox), failed_row("tld", "b")};
  const std::string svg = bars_svg(rows, "AUC", auc);
  EXPECT_EQ(count(elements_of(svg), "rect "), 1 + 1 + 2u);
  EXPECT_THAT(svg, HasSubstr(">-</text>"));
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
}

TEST(BarsTest, ManyTrackersDiffer) {
  std::vector<Row> rows;
  for (int i = 0; i < 9; ++i) rows.push_back(row_of("t" + std::to_string(i), "a", kBox));
  const std::string svg = bars_svg(rows, "AUC", auc);
  EXPECT_THAT(svg, HasSubstr("fill=\"#4477aa\" fill-opacity=\"0.50\""));
  EXPECT_THAT(elements_of(svg), HasSubstr("svg rect"));
}

TEST(HtmlReportTest, OneTrackerOnOneSequence) {
  const std::string html = html_report(std::vector<Row>{row_of("tld", "car", kBox)}, "evaluate x");
  EXPECT_THAT(html, HasSubstr("<code>evaluate x</code>"));
  EXPECT_THAT(html, HasSubstr("<dt>1 sequence</dt><dd>car</dd>"));
  EXPECT_THAT(html, HasSubstr("1, 1 frames"));
  EXPECT_EQ(count(html, "<svg "), 4u);
  EXPECT_THAT(html, HasSubstr("States and presence"));
  EXPECT_THAT(html, Not(HasSubstr("Failed")));
  EXPECT_THAT(html, Not(HasSubstr("Attributes")));
  EXPECT_THAT(html, Not(HasSubstr("nan")));
}

TEST(HtmlReportTest, FourTrackersOnFiftySequences) {
  std::vector<Row> rows;
  for (int sequence = 0; sequence < 50; ++sequence) {
    for (const char* tracker : {"tld", "template", "template-full", "cv-tld"}) {
      rows.push_back(row_of(tracker, "sequence-" + std::to_string(sequence), kBox));
      rows.back().attributes = {"blur"};
    }
  }
  rows[0].start = "left";
  const std::string html = html_report(rows, "evaluate");
  EXPECT_THAT(html, HasSubstr("50 sequences"));
  EXPECT_THAT(html, HasSubstr("<td>MEAN of 50</td>"));
  EXPECT_THAT(html, HasSubstr("<h2>Attributes</h2>"));
  EXPECT_THAT(html, HasSubstr("<h2>Shifted first boxes</h2>"));
  // Two pictures of 51 groups of bars.
  EXPECT_EQ(count(html, "<title>"), 1 + 2 * 51u);
}

TEST(HtmlReportTest, NamesAreTextAndThePageNeedsNothingElse) {
  const std::string name =
      "</title></svg><script src=\"http://example.com/x\">alert('1')</script>\xff";
  std::vector<Row> rows{row_of("tld", name, kBox), row_of("tld", "b", kBox),
                        failed_row("tld", "<b>")};
  rows[0].attributes = {"<a href=x>"};
  const std::string html = html_report(rows, "evaluate --data '<script>'");
  // Names hold these words, as text.
  std::string markup = html;
  for (const char* word : {"src=&quot;", "href=x", "src=x&gt;"}) {
    for (std::size_t at = 0; (at = markup.find(word, at)) != std::string::npos;)
      markup.erase(at, 5);
  }
  EXPECT_THAT(doors(markup), testing::IsEmpty());
  EXPECT_THAT(doors("<script>"), Not(testing::IsEmpty()));  // the check can fail
  EXPECT_THAT(html, HasSubstr("&lt;script src=&quot;http"));
  EXPECT_THAT(html, HasSubstr("default-src 'none'"));
  EXPECT_EQ(count(html, "</title>"), 1 + 2 * 4u);
}

TEST(HtmlReportTest, TheCommandIsWhatAShellTakes) {
  EXPECT_EQ(command_line({"a/evaluate", "--data", "my data", "it's", "", "--param", "device=gpu"}),
            "a/evaluate --data 'my data' 'it'\\''s' '' --param device=gpu");
}

TEST(HtmlReportTest, WhatFailedIsNamed) {
  const std::string html = html_report(std::vector<Row>{failed_row("tld", "a")}, "evaluate");
  EXPECT_THAT(html, HasSubstr("tld on a, seed 0: &lt;img src=x&gt;: no frames"));
  EXPECT_THAT(html, HasSubstr("1, see below"));
}

TEST(HtmlReportTest, ThePageAndItsPicturesAreWritten) {
  const TemporaryFolder folder;
  write_report(folder.path(), std::vector<Row>{row_of("tld", "\x01<&", kBox)}, "evaluate");
  for (const char* name : {"success.svg", "precision.svg", "auc.svg", "f.svg"}) {
    std::ifstream file(folder.path() / name);
    const std::string svg{std::istreambuf_iterator<char>(file), {}};
    EXPECT_THAT(elements_of(svg), testing::StartsWith("svg rect ")) << name;
  }
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "index.html"));
}

}  // namespace
}  // namespace cltrack::accuracy
