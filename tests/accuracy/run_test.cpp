// SPDX-License-Identifier: LGPL-2.1-or-later
#include "run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "cltrack/error.h"
#include "report.h"
#include "test_data.h"
#include "tld/presence.h"

namespace cltrack::accuracy {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

const BoundingBox kBox{0, 0, 10, 10};

Sequence sequence_of(const Boxes& truth) {
  Sequence sequence;
  sequence.name = "some";
  sequence.truth = truth;
  sequence.first_box = kBox;
  return sequence;
}

Observations observations_of(const Boxes& boxes, std::vector<double> ms) {
  Observations observations;
  for (const auto& box : boxes) {
    observations.frames.push_back({box, 0.5f, box ? TrackState::tracking : TrackState::lost});
  }
  observations.ms = std::move(ms);
  return observations;
}

TEST(RowTest, FirstFrameIsInTheMeanTimeAndNotInTheMedian) {
  const Row row = make_row("tld", sequence_of({kBox, kBox, kBox, kBox}), 3,
                           observations_of({kBox, kBox, kBox, kBox}, {97, 1, 2, 4}));
  EXPECT_EQ(row.frames, 4u);
  EXPECT_EQ(row.seed, 3u);
  EXPECT_DOUBLE_EQ(row.ms_init, 97);
  EXPECT_DOUBLE_EQ(row.ms_mean, 26);
  EXPECT_DOUBLE_EQ(row.ms_median, 2);
  EXPECT_DOUBLE_EQ(row.fps_median(), 500);
  EXPECT_DOUBLE_EQ(row.total_s, 0.104);
  EXPECT_DOUBLE_EQ(row.scores.at25.f, 1);
}

TEST(PaceTest, KeepsTheFramesOfItsSteps) {
  EXPECT_EQ(Pace().kept(3), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(Pace{.steps = {3}}.kept(8), (std::vector<std::size_t>{0, 3, 6}));
  EXPECT_EQ((Pace{.steps = {1, 4}}.kept(12)), (std::vector<std::size_t>{0, 1, 5, 6, 10, 11}));
}

TEST(PaceTest, FramesThatWereLeftOutAreNotScored) {
  const BoundingBox other = {kBox.x + 1000, kBox.y, kBox.width, kBox.height};
  const Row row = make_row("tld", sequence_of({kBox, other, other, kBox}), 0,
                           observations_of({kBox, kBox}, {1, 1}), {.steps = {3}});
  EXPECT_EQ(row.frames, 2u);
  EXPECT_DOUBLE_EQ(row.scores.at25.recall, 1);
}

TEST(RowTest, OnlyFramesWithARowOfTruthCount) {
  const Row fewer_rows = make_row("tld", sequence_of({kBox, kBox}), 0,
                                  observations_of({kBox, kBox, std::nullopt}, {1, 1, 1}));
  EXPECT_EQ(fewer_rows.frames, 2u);
  EXPECT_DOUBLE_EQ(fewer_rows.scores.at25.recall, 1);
  const Row fewer_frames =
      make_row("tld", sequence_of({kBox, kBox, kBox}), 0, observations_of({kBox, kBox}, {1, 1}));
  EXPECT_EQ(fewer_frames.frames, 2u);
  EXPECT_DOUBLE_EQ(fewer_frames.scores.at25.recall, 1);
}

TEST(RowTest, RunsFromLaterFramesAreComparedWithTheTruthFromThereOn) {
  const BoundingBox other = {kBox.x + 1000, kBox.y, kBox.width, kBox.height};
  const Sequence sequence = sequence_of({other, other, kBox, kBox, other});
  const Start start = {kGivenStart, kBox, 2};
  const Row row = make_row("tld", sequence, 0, observations_of({kBox, kBox}, {1, 1}), {}, start);
  EXPECT_EQ(row.frames, 2u);
  EXPECT_DOUBLE_EQ(row.scores.at25.recall, 1);
  EXPECT_THAT(to_json(row), HasSubstr(R"("start":"given","first_frame":2,"frames":2,)"));
  EXPECT_THAT(to_csv(row), testing::StartsWith("tld,some,,given,0,given,2,2,1,"));
  const Row every_third =
      make_row("tld", sequence_of({other, kBox, other, other, kBox}), 0,
               observations_of({kBox, kBox}, {1, 1}), {.steps = {3}}, {kGivenStart, kBox, 1});
  EXPECT_EQ(every_third.frames, 2u);
  EXPECT_DOUBLE_EQ(every_third.scores.at25.recall, 1);
  EXPECT_EQ(
      make_row("tld", sequence, 0, observations_of({kBox}, {1}), {}, {kGivenStart, kBox, 9}).error,
      "no frames");
}

// Escape sequences of a terminal among them.
TEST(ReportTest, WhatDataFilesHoldIsPrintable) {
  EXPECT_EQ(printable("caf\u00e9 \u6f22"), "caf\u00e9 \u6f22");
  EXPECT_EQ(printable("\x1b[2J\n\x7f"), "\\x1b[2J\\x0a\\x7f");
  EXPECT_EQ(printable("\xc2\x9b"
                      "2J \xe9."),
            "\\xc2\\x9b2J \\xe9.");
  Row row;
  row.tracker = "tld";
  row.sequence = "\x1b[31mred";
  row.error = "\x1b]0;title\x07";
  std::ostringstream tables;
  print_tables(tables, std::span(&row, 1));
  EXPECT_THAT(tables.str(), Not(HasSubstr("\x1b")));
  EXPECT_THAT(tables.str(), HasSubstr("\\x1b[31mred"));
}

// A sequence counts once, however many runs it has.
TEST(ReportTest, MeansAreOfSequencesWhateverTheirRuns) {
  const auto row = [](const std::string& name, const Boxes& reported) {
    Sequence sequence = sequence_of(Boxes(reported.size(), kBox));
    sequence.name = name;
    return make_row("tld", sequence, 0,
                    observations_of(reported, std::vector<double>(reported.size(), 1)));
  };
  const std::vector<Row> rows{row("many", {kBox, kBox}), row("many", {kBox, kBox}),
                              row("many", {kBox, kBox, kBox, kBox}), row("one", {std::nullopt})};
  std::ostringstream tables;
  print_tables(tables, rows);
  EXPECT_THAT(tables.str(), ContainsRegex("\nmany +tld +3 "));  // frames, in the mean
  EXPECT_THAT(tables.str(), ContainsRegex("\nMEAN of 2 .* 0.500\\.\\.0.500\n"));
}

// Each variant counts once, however many runs it has.
TEST(ReportTest, VariantsHaveMeanDeviationAndWorst) {
  const auto row = [](const std::string& name, const std::string& variant, bool is_found) {
    Sequence sequence = sequence_of({kBox, kBox});
    sequence.name = name;
    sequence.folder = "data/otb/" + name;
    sequence.variant.name = variant;
    const std::optional<BoundingBox> second = is_found ? std::optional(kBox) : std::nullopt;
    return make_row("tld", sequence, 0, observations_of({kBox, second}, {1, 1}));
  };
  const std::vector<Row> rows{row("a", "given", true), row("a", "given", false),
                              row("a", "noise", false), row("b", "given", true),
                              row("b", "noise", true)};
  EXPECT_THAT(to_json(rows[2]), HasSubstr(R"("set":"otb","variant":"noise")"));
  EXPECT_THAT(to_csv(rows[2]), testing::StartsWith("tld,a,otb,noise,0,given,0,2,"));
  EXPECT_EQ(rows[2].particulars(), " noise");
  std::ostringstream tables;
  print_tables(tables, rows);
  EXPECT_THAT(tables.str(), HasSubstr("Over 2 variants (given, noise): "));
  // AUC of a box that is right: 20 of 21 limits. TPR50 of "a": .75 and .5.
  const std::string number = " +[0-9.]+";
  EXPECT_THAT(tables.str(), ContainsRegex("\n +a +tld +0.595 +0.168 +0.476" + number + number +
                                          number + " +0.625 +0.177 +0.500\n"));
  EXPECT_THAT(tables.str(), ContainsRegex("\n +b +tld +0.952 +0.000 +0.952"));
  EXPECT_THAT(tables.str(), ContainsRegex("\n +MEAN of 2 +tld +0.774 +0.084 +0.714"));
  EXPECT_THAT(tables.str(), ContainsRegex("\n +95 % +tld +0.595..0.952 "));
}

TEST(ReportTest, WithoutVariantsThereIsNoTableOfThem) {
  std::ostringstream tables;
  const Row row = make_row("tld", sequence_of({kBox}), 0, observations_of({kBox}, {1}));
  print_tables(tables, std::span(&row, 1));
  EXPECT_THAT(tables.str(), Not(HasSubstr("variants")));
}

TEST(ReportTest, UndefinedFiguresAreNullInJsonAndEmptyInCsv) {
  const Row row =
      make_row("tld", sequence_of({kBox, kBox}), 0, observations_of({kBox, kBox}, {10, 2}));
  EXPECT_THAT(to_json(row), HasSubstr("\"absent_fp\":null"));
  EXPECT_THAT(to_json(row), HasSubstr("\"fps_median\":500.0"));
  EXPECT_THAT(to_json(row), Not(HasSubstr("\"error\"")));
  EXPECT_THAT(to_csv(row), testing::StartsWith("tld,some,,given,0,given,0,2,1,1,1,1,1,1,"));
  const auto commas = [](const std::string& line) { return std::ranges::count(line, ','); };
  EXPECT_EQ(commas(to_csv(row)), commas(csv_header()));
}

// Names come from folders, which may be called anything.
TEST(ReportTest, NamesWithCommasAndQuotesAreOneFieldOfCsv) {
  Row row;
  row.tracker = "tld";
  row.sequence = "car, \"red\"";
  EXPECT_THAT(to_csv(row), testing::StartsWith(R"(tld,"car, ""red""",,given,0,given,)"));
  row.sequence = "two\nlines";
  EXPECT_THAT(to_csv(row), testing::StartsWith("tld,\"two\nlines\",,given,0,given,"));
  row.sequence = "red car";
  EXPECT_THAT(to_csv(row), testing::StartsWith("tld,red car,,given,0,given,"));
}

TEST(ReportTest, FailedRunsSayWhy) {
  Row row;
  row.tracker = "tld";
  row.sequence = "some";
  row.error = "box \"x\", bad";
  EXPECT_THAT(to_json(row), HasSubstr(R"("error":"box \"x\", bad")"));
  EXPECT_THAT(to_csv(row), testing::EndsWith(R"(,"box ""x"", bad")"));
  std::ostringstream tables;
  print_tables(tables, std::vector<Row>{row});
  EXPECT_THAT(tables.str(), HasSubstr("FAILED tld on some, seed 0: box"));
}

TEST(ReportTest, NamesThatAreNoUtf8AreReplacedInJson) {
  Row row;
  row.tracker = "tld";
  row.sequence = "caf\xe9";
  EXPECT_THAT(to_json(row), HasSubstr("\"sequence\":\"caf\uFFFD\""));
  row.error = "caf\xe9: no frames";
  EXPECT_THAT(to_json(row), HasSubstr("caf\uFFFD: no frames"));
}

TEST(ReportTest, TableHasMeansAndTheRangeOverSeeds) {
  const Sequence sequence = sequence_of({kBox, kBox});
  std::vector<Row> rows;
  rows.push_back(make_row("tld", sequence, 0, observations_of({kBox, kBox}, {10, 2})));
  rows.push_back(make_row("tld", sequence, 1, observations_of({kBox, std::nullopt}, {10, 2})));
  rows.push_back(make_row("cv-tld", sequence, 0, observations_of({kBox, kBox}, {100, 20})));
  std::ostringstream tables;
  print_tables(tables, rows);
  // F is 1 and 2/3.
  EXPECT_THAT(tables.str(), HasSubstr("0.833"));
  EXPECT_THAT(tables.str(), HasSubstr("0.667..1.000"));
  EXPECT_THAT(tables.str(), HasSubstr("10.00 x cv-tld"));
}

TEST(ReportTest, StatesAndConfidencesAreInEveryReport) {
  // Two boxes at 0.5 that are right: 0.5 too modest.
  const Row row = make_row("tld", sequence_of({kBox, kBox, std::nullopt}), 0,
                           observations_of({kBox, kBox, std::nullopt}, {10, 2, 2}));
  EXPECT_THAT(to_json(row), HasSubstr(R"("p25_tracking":1.0,"p25_uncertain":null,)"
                                      R"("tracking_share":1.0,"calibration_error":0.5,)"
                                      R"("tpr50":1.0,"tnr":1.0,"gm50":1.0)"));
  EXPECT_THAT(to_json(row), HasSubstr(R"({"boxes":2,"mean":0.5,"right":1.0})"));
  EXPECT_THAT(csv_header(), HasSubstr(",absent_fp,p25_tracking,p25_uncertain,tracking_share,"
                                      "calibration_error,tpr50,tnr,gm50,fps_median"));
  EXPECT_THAT(to_csv(row), HasSubstr(",0,1,,1,0.5,1,1,1,500,"));
}

TEST(ReportTest, StatesAreSummedOverTheFramesOfAllRuns) {
  // 3 of 3 and 0 of 1 boxes are right: 3 of 4 frames, but half of the runs.
  std::vector<Row> rows;
  rows.push_back(make_row("tld", sequence_of({kBox, kBox, kBox}), 0,
                          observations_of({kBox, kBox, kBox}, {10, 2, 2})));
  rows.push_back(make_row("tld", sequence_of({std::nullopt}), 1, observations_of({kBox}, {10})));
  Row failed;
  failed.tracker = "tld";
  failed.sequence = "other";
  failed.error = "no frames";
  rows.push_back(failed);
  std::ostringstream tables;
  print_tables(tables, rows);
  EXPECT_THAT(tables.str(), ContainsRegex("\n  tld +2 +4 +0.750 +- +1.000 +0.250 +1.000 +0.000 +"
                                          "0.000\n"));
  EXPECT_THAT(tables.str(), ContainsRegex("\n  tld +- +- +- +- +- +0.75/4 +- +- +- +-\n"));
}

TEST(ReportTest, AttributesHaveTheMeanAucOfTheirSequences) {
  // AUC 20/21 by one seed and 10/21 by the other on "some", 7/21 on "other".
  Sequence some = sequence_of({kBox, kBox});
  some.attributes = {"occlusion", "blur"};
  Sequence other = sequence_of({kBox});
  other.name = "other";
  other.attributes = {"blur"};
  Sequence third = sequence_of({kBox});
  third.name = "third";
  std::vector<Row> rows;
  rows.push_back(make_row("tld", some, 0, observations_of({kBox, kBox}, {1, 1})));
  rows.push_back(make_row("tld", some, 1, observations_of({kBox, std::nullopt}, {1, 1})));
  rows.push_back(make_row("tld", other, 0, observations_of({BoundingBox{5, 0, 10, 10}}, {1})));
  rows.push_back(make_row("tld", third, 0, observations_of({kBox}, {1})));
  rows.push_back(make_row("template", other, 0, observations_of({kBox}, {1})));
  std::ostringstream tables;
  print_tables(tables, rows);
  EXPECT_THAT(tables.str(), ContainsRegex("\n  attribute +sequences +tld +template\n"
                                          "  blur +2 +0.524 +0.952\n"
                                          "  occlusion +1 +0.714 +-\n"));
  std::ostringstream without;
  print_tables(without, std::span(rows).subspan(3, 1));
  EXPECT_THAT(without.str(), Not(HasSubstr("attribute")));
}

TEST(ReportTest, ShiftedFirstBoxesHaveATableOfTheirOwn) {
  const auto row = [](const Boxes& reported, std::uint64_t seed, const std::string& start) {
    Row made = make_row("tld", sequence_of(Boxes(reported.size(), kBox)), seed,
                        observations_of(reported, std::vector<double>(reported.size(), 1)));
    made.start = start;
    return made;
  };
  // AUC 20/21 from the given box; 10/21 and 20/21 from the left, 0 from above: 7.5/21 in the mean.
  std::vector<Row> rows{row({kBox, kBox}, 0, kGivenStart), row({kBox, std::nullopt}, 0, "left"),
                        row({kBox, kBox}, 1, "left"), row({std::nullopt, std::nullopt}, 0, "up")};
  std::ostringstream tables;
  print_tables(tables, rows);
  EXPECT_THAT(tables.str(), ContainsRegex("\nsome +tld +2( +1.000){4} +0.952"));
  EXPECT_THAT(tables.str(), ContainsRegex("\n  some +tld +2 +0.952 +0.357 +-0.595 +0.000  up\n"));
  EXPECT_THAT(to_json(rows[1]), HasSubstr(R"("start":"left")"));
  rows.resize(1);
  std::ostringstream without;
  print_tables(without, rows);
  EXPECT_THAT(without.str(), Not(HasSubstr("shifted")));
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(ReportTest, BoxFilesCountFromZeroAndLeaveLostBoxesEmpty) {
  const TemporaryFolder folder;
  Row row;
  row.tracker = "tld";
  row.sequence = "some";
  const Observations observations =
      observations_of({BoundingBox{0, 0, 10.5f, 1.0f / 3}, std::nullopt}, {1, 1});
  write_boxes(folder.path(), row, observations.frames);
  EXPECT_EQ(text_of(folder.path() / "tld-some-0.csv"),
            "frame,x,y,width,height,confidence,state\n"
            "0,0,0,10.5,0.333333343,0.5,tracking\n"
            "1,,,,,0.5,lost\n");
}

TEST(ReportTest, BoxFilesOfLaterStartsSayTheFramesOfTheSequence) {
  const TemporaryFolder folder;
  Row row;
  row.tracker = "tld";
  row.sequence = "some";
  row.first_frame = 50;
  write_boxes(folder.path(), row, observations_of({kBox, std::nullopt}, {1, 1}).frames);
  EXPECT_THAT(text_of(folder.path() / "tld-some-0-frame50.csv"),
              HasSubstr("\n50,0,0,10,10,0.5,tracking\n51,,,,,0.5,lost\n"));
}

TEST(ReportTest, WritesTheTermsOfEachBoxThatWasDecidedOn) {
  const TemporaryFolder folder;
  Row row;
  row.tracker = "tld";
  row.sequence = "some, other";
  row.first_frame = 50;
  std::vector<Observation> frames(4);
  const Evidence evidence = {.filter_ratio = 1, .color_weight = 0, .support = 0, .inside = 0.5f};
  frames[1].hypotheses.here = {kBox, 0.25f, evidence};
  frames[2].hypotheses.elsewhere = {{{5, 0, 10, 10}, 0.5f, evidence}, {kBox, 0, evidence}};
  frames[3].hypotheses.here = {kBox, 0.25f, evidence};
  write_terms(folder.path(), row, {kBox, kBox, std::nullopt}, frames);
  std::string names;
  for (const PresenceTerm& term : presence_terms()) names += std::string(term.name) + ",";
  // What the evidence says, by each term of the tracker.
  const std::string values = "1,0,2.99573227,0,0,0,0,0,0,0,0,0.5,0,0,0,";
  EXPECT_EQ(text_of(folder.path() / "tld-some, other-0-frame50.csv"),
            "sequence,variant,frame,place,x,y,width,height,overlap," + names + "presence\n" +
                "\"some, other\",given,51,here,0,0,10,10,1," + values + "0.25\n" +
                "\"some, other\",given,52,elsewhere,5,0,10,10,," + values + "0.5\n" +
                "\"some, other\",given,52,elsewhere,0,0,10,10,," + values + "0\n")
      << "frame 50 has none, 53 no ground truth";
}

TEST(ReportTest, WritesWhatWasReportedOfEachFrameBesideTheTerms) {
  const TemporaryFolder folder;
  Row row;
  row.tracker = "tld";
  row.sequence = "some";
  row.set = "otb";
  row.variant = "noise";
  std::vector<Observation> frames = observations_of({kBox, std::nullopt, kBox}, {1, 1, 1}).frames;
  frames[1].reason = "filter";
  write_terms(folder.path(), row, {BoundingBox{0, 0, 10, 5}, kBox, std::nullopt}, frames);
  EXPECT_EQ(text_of(folder.path() / "frames" / "tld-some-0-noise.csv"),
            "sequence,set,variant,frame,visible,overlap,state,reason\n"
            "some,otb,noise,0,1,0.5,tracking,\n"
            "some,otb,noise,1,1,0,lost,filter\n"
            "some,otb,noise,2,0,0,tracking,\n");
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "tld-some-0-noise.csv"));
}

TEST(ReportTest, WritesWhereWeightsComeFrom) {
  const TemporaryFolder folder;
  write_weights(folder.path());
  EXPECT_THAT(
      text_of(folder.path() / "weights.csv"),
      testing::AllOf(testing::StartsWith("term,weight,source,reason,other_weight,compared_weight\n"
                                         "constant,-3.77,fit,,-2.55,-4.01\n"),
                     HasSubstr(",fit,filter,0.45,0.3\n"), HasSubstr("\nrecency,4,hand,,0,4.04\n")));
}

TEST(ReportTest, AFileThatCannotBeMadeIsAnError) {
  EXPECT_THROW(LineFile("/nowhere/at/all.json"), Error);
}

TEST(TrackersTest, UnknownNamesListThoseOfThisBuild) {
  try {
    find_tracker("tdl");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::AllOf(HasSubstr("\"tdl\""), HasSubstr("there are: tld")));
  }
}

// Every tracker of the build says something sensible of a target that does not move.
TEST(TrackersTest, AllFollowAStandingTarget) {
  Image picture(160, 120);
  BgrImage bgr{160, 120, std::vector<std::uint8_t>(160 * 120 * 3)};
  for (int y = 0; y < 120; ++y) {
    for (int x = 0; x < 160; ++x) {
      const auto value = static_cast<std::uint8_t>(128 + 60 * std::sin(x * 0.35 + y * 0.1) +
                                                   60 * std::cos(y * 0.27 - x * x * 0.002));
      picture.row(y)[x] = value;
      for (int c = 0; c < 3; ++c)
        bgr.pixels[static_cast<std::size_t>((y * 160 + x) * 3 + c)] = value;
    }
  }
  const BoundingBox box{50, 40, 40, 36};
  for (const TrackerKind& kind : tracker_kinds()) {
    SCOPED_TRACE(kind.name);
    const auto tracker = make_tracker(kind.name);
    const BgrImage* const colored = tracker->needs_bgr() ? &bgr : nullptr;
    const Frame frame{.luma = picture.view()};
    const Picture shown{frame, colored};
    Observation observation = tracker->init(shown, box, 0);
    for (int i = 0; i < 3; ++i) observation = tracker->update(shown);
    ASSERT_TRUE(observation.box);
    EXPECT_TRUE(observation.box->is_valid());
    // OpenCV's TLD moves to another place even here.
    EXPECT_GT(overlap(*observation.box, box), kind.name == "cv-tld" ? -1.0f : 0.8f);
  }
}

}  // namespace
}  // namespace cltrack::accuracy
