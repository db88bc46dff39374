// SPDX-License-Identifier: LGPL-2.1-or-later
#include "batch.h"

#include <gmock/gmock.h>
#include <gst/gst.h>
#include <gtest/gtest.h>

#include <sstream>
#include <stdexcept>

#include "report.h"
#include "test_data.h"

namespace cltrack::accuracy {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

// Two sequences of a standing picture; the second one's files are no pictures.
class BatchTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { gst_init(nullptr, nullptr); }

  void SetUp() override {
    std::string rows;
    for (int i = 0; i < 4; ++i) rows += "61,41,40,40\n";
    folder_.write("a/groundtruth_rect.txt", rows);
    folder_.write("b/groundtruth_rect.txt", rows);
    folder_.write("b/img/1.png", "no picture");
    std::filesystem::create_directories(folder_.path() / "a/img");
    ASSERT_NO_FATAL_FAILURE(run_pipeline(
        "videotestsrc pattern=pinwheel num-buffers=4 ! video/x-raw,width=160,height=120 ! "
        "pngenc ! multifilesink location=" +
        (folder_.path() / "a/img/%d.png").string()));
    const std::vector<std::filesystem::path> roots{folder_.path()};
    sequences_ = find_sequences(roots);
  }

  TemporaryFolder folder_;
  std::vector<Sequence> sequences_;
};

TEST_F(BatchTest, RowsAreInOrderWhateverRunsAtOnce) {
  BatchOptions options;
  options.seeds = 3;
  for (const unsigned jobs : {1u, 3u}) {
    options.jobs = jobs;
    std::size_t handled = 0;
    const auto rows =
        run_batch(sequences_, options, [&](const Row&, const Observations&) { ++handled; });
    ASSERT_EQ(rows.size(), 6u);
    EXPECT_EQ(handled, 6u);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      EXPECT_EQ(rows[i].sequence, i < 3 ? "a" : "b");
      EXPECT_EQ(rows[i].seed, i % 3);
    }
  }
}

TEST_F(BatchTest, AFailedRunLeavesTheOthersAlone) {
  const auto rows = run_batch(sequences_, BatchOptions{}, [](const Row&, const Observations&) {});
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].error, "");
  EXPECT_EQ(rows[0].frames, 4u);
  EXPECT_GT(rows[0].scores.at50.f, 0.9);
  EXPECT_THAT(rows[1].error, HasSubstr("1.png"));
}

TEST_F(BatchTest, ASequenceThatCannotBeReadFailsOnceATrackerAndTheOthersRun) {
  folder_.write("b/groundtruth_rect.txt", "61,41,40\n");
  BatchOptions options;
  options.seeds = 2;
  const std::vector<std::filesystem::path> roots{folder_.path()};
  const auto rows = run_batch(find_sequences(roots), options, [](const Row&, const auto&) {});
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].error, "");
  EXPECT_EQ(rows[1].error, "");
  EXPECT_EQ(rows[2].sequence, "b");
  EXPECT_THAT(rows[2].error, HasSubstr("groundtruth_rect.txt:1: found 3 numbers"));
  std::ostringstream tables;
  print_tables(tables, rows);
  EXPECT_THAT(tables.str(), ContainsRegex("\nb +tld +- .*FAILED, see below\n"));
  EXPECT_THAT(tables.str(), ContainsRegex("\nFAILED tld on b, seed 0: .*groundtruth_rect.txt:1"));
  EXPECT_THAT(tables.str(), HasSubstr("MEAN of 1 "));
}

TEST_F(BatchTest, WhatFramesWereDecidedOnIsThereForThoseWhoAsk) {
  for (const bool asks : {false, true}) {
    BatchOptions options;
    options.configs.logs_hypotheses = asks;
    run_batch(std::span(sequences_).first(1), options,
              [&](const Row&, const Observations& observations) {
                ASSERT_EQ(observations.frames.size(), 4u);
                EXPECT_FALSE(observations.frames[0].hypotheses.here);
                EXPECT_EQ(observations.frames[1].hypotheses.here.has_value(), asks);
              });
  }
}

TEST_F(BatchTest, ShiftedFirstBoxesAreRunsOfTheirOwn) {
  folder_.write("b/groundtruth_rect.txt", "61,41,40\n");
  BatchOptions options;
  options.trackers = {"template"};
  options.starts.shifted = true;
  const std::vector<std::filesystem::path> roots{folder_.path()};
  std::vector<BoundingBox> first;
  const auto rows = run_batch(find_sequences(roots), options,
                              [&](const Row& row, const Observations& observations) {
                                if (row.error.empty()) {
                                  first.push_back(observations.frames.at(0).box.value());
                                }
                              });
  ASSERT_EQ(rows.size(), 14u);
  ASSERT_EQ(first.size(), 13u);
  EXPECT_EQ(rows[0].start, kGivenStart);
  EXPECT_EQ(first[0], (BoundingBox{60, 40, 40, 40}));
  EXPECT_EQ(rows[1].start, "left");
  EXPECT_EQ(first[1], (BoundingBox{56, 40, 40, 40}));
  EXPECT_GT(rows[0].scores.auc, rows[1].scores.auc);
  EXPECT_EQ(rows[13].sequence, "b");  // cannot be read, once
  EXPECT_NE(rows[13].error, "");
}

TEST_F(BatchTest, LaterFirstFramesAreRunsOfTheirOwn) {
  BatchOptions options;
  options.starts.every = 1;
  options.max_frames = 2;
  const auto rows = run_batch(std::span(sequences_).first(1), options, [](const auto&...) {});
  ASSERT_EQ(rows.size(), 4u);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].error, "");
    EXPECT_EQ(rows[i].first_frame, i);
    EXPECT_EQ(rows[i].frames, i == 3 ? 1u : 2u);
  }
}

TEST_F(BatchTest, AnErrorOfTheHandlerEndsTheBatch) {
  std::size_t calls = 0;
  const auto fail = [&](const Row&, const Observations&) {
    ++calls;
    throw std::runtime_error("disk full");
  };
  EXPECT_THROW(run_batch(sequences_, BatchOptions{}, fail), std::runtime_error);
  EXPECT_EQ(calls, 1u);
}

}  // namespace
}  // namespace cltrack::accuracy
