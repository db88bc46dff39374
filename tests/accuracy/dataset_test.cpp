// SPDX-License-Identifier: LGPL-2.1-or-later
#include "dataset.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <functional>

#include "cltrack/error.h"
#include "test_data.h"

namespace cltrack::accuracy {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

std::string error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

class DatasetTest : public testing::Test {
 protected:
  std::string rectangles_error(const std::string& text) {
    const auto file = folder_.write("rows.txt", text);
    return error_of([&] { read_rectangles(file); });
  }

  // Why the only sequence below the folder cannot be read.
  std::string sequence_error() const {
    const auto sequences = find_sequences(roots());
    if (sequences.size() != 1) return "not one sequence";
    return sequences[0].error.empty() ? "no error" : sequences[0].error;
  }

  std::vector<std::filesystem::path> roots() const { return {folder_.path()}; }

  TemporaryFolder folder_;
};

TEST_F(DatasetTest, RectanglesCountFromZeroWhateverSeparatesThem) {
  const auto file =
      folder_.write("rows.txt", "11,21,30,40\n11\t21\t30\t40\r\n  11 21, 30 ; 40  \n1.5,2,3,4\n\n");
  EXPECT_THAT(read_rectangles(file),
              ElementsAre(BoundingBox{10, 20, 30, 40}, BoundingBox{10, 20, 30, 40},
                          BoundingBox{10, 20, 30, 40}, BoundingBox{0.5f, 1, 3, 4}));
}

TEST_F(DatasetTest, CornersBelongToTheBox) {
  const auto file = folder_.write("rows.txt", "1,1,1,1\n11,21,40,60\n");
  EXPECT_THAT(read_corners(file),
              ElementsAre(BoundingBox{0, 0, 1, 1}, BoundingBox{10, 20, 30, 40}));
}

TEST_F(DatasetTest, NanAndEmptyBoxesMeanAbsent) {
  const auto file = folder_.write("rows.txt", "NaN,NaN,NaN,NaN\nnan 1 1 1\n0,0,0,0\n1,1,2,2\n");
  EXPECT_THAT(read_rectangles(file),
              ElementsAre(std::nullopt, std::nullopt, std::nullopt, BoundingBox{0, 0, 2, 2}));
}

TEST_F(DatasetTest, ErrorsNameFileLineAndValue) {
  EXPECT_THAT(rectangles_error("1,1,2,2\n1,1,2\n"),
              AllOf(HasSubstr("rows.txt:2:"), HasSubstr("3 numbers"), HasSubstr("\"1,1,2\"")));
  EXPECT_THAT(rectangles_error("1,1,2,2,5\n"), HasSubstr("rows.txt:1: more than four"));
  EXPECT_THAT(rectangles_error("1,1,2,2\n1,1,x2,2\n"),
              AllOf(HasSubstr("rows.txt:2:"), HasSubstr("x2 is not a number")));
  EXPECT_THAT(rectangles_error("1,1,inf,2\n"), HasSubstr("inf is not a number"));
  EXPECT_THAT(rectangles_error("1,1,2,2\n\n1,1,2,2\n"), HasSubstr("rows.txt:2: empty line"));
  EXPECT_THAT(rectangles_error(""), HasSubstr("no rows"));
  EXPECT_THAT(error_of([&] { read_rectangles(folder_.path() / "absent.txt"); }),
              HasSubstr("absent.txt"));
}

TEST_F(DatasetTest, PicturesAreInOrderOfTheirNumbers) {
  for (const char* name : {"img10.jpg", "img9.jpg", "img2.JPG", "notes.txt"}) {
    folder_.write(std::string("s/img/") + name, "x");
  }
  folder_.write("s/groundtruth_rect.txt", "1,1,2,2\n");
  const auto sequences = find_sequences(roots());
  ASSERT_EQ(sequences.size(), 1u);
  std::vector<std::string> names;
  for (const auto& image : sequences[0].images) names.push_back(image.filename().string());
  EXPECT_THAT(names, ElementsAre("img2.JPG", "img9.jpg", "img10.jpg"));
  EXPECT_TRUE(sequences[0].video.empty());
}

TEST_F(DatasetTest, FirstBoxComesFromInitFileIfThereIsOne) {
  folder_.write("a/a.avi", "");
  folder_.write("a/groundtruth_rect.txt", "5,5,10,10\n6,6,10,10\n");
  folder_.write("b/b.avi", "");
  folder_.write("b/groundtruth_rect.txt", "5,5,10,10\n6,6,10,10\n");
  folder_.write("b/init_orig.txt", "3,4,12,13");
  const auto sequences = find_sequences(roots());
  ASSERT_EQ(sequences.size(), 2u);
  EXPECT_EQ(sequences[0].first_box, (BoundingBox{4, 4, 10, 10}));
  EXPECT_EQ(sequences[1].first_box, (BoundingBox{2, 3, 10, 10}));
  EXPECT_EQ(sequences[1].truth[0], (BoundingBox{4, 4, 10, 10}));
}

TEST_F(DatasetTest, OriginalCornersAreTheTruthIfThereAreAny) {
  folder_.write("a/a.avi", "");
  folder_.write("a/groundtruth_rect.txt", "5,5,10,10\nNaN,NaN,NaN,NaN\n");
  folder_.write("a/gt_orig.txt", "5,5,15,15\nNaN,NaN,NaN,NaN\n");
  EXPECT_THAT(find_sequences(roots()).front().truth,
              ElementsAre(BoundingBox{4, 4, 11, 11}, std::nullopt));
  folder_.write("a/gt_orig.txt", "5,5,15,15\n");
  EXPECT_THAT(sequence_error(), AllOf(HasSubstr("gt_orig.txt: 1 rows"), HasSubstr("2 in")));
}

TEST_F(DatasetTest, SecondTargetsAreSequencesOfTheirOwn) {
  folder_.write("two/v.mp4", "");
  folder_.write("two/groundtruth_rect.txt", "5,5,10,10\n");
  folder_.write("two/groundtruth_rect.2.txt", "8,8,10,10\n");
  const std::vector<std::string> names{"two.2"};
  const auto sequences = find_sequences(roots(), names);
  ASSERT_EQ(sequences.size(), 1u);
  EXPECT_EQ(sequences[0].first_box, (BoundingBox{7, 7, 10, 10}));
}

TEST_F(DatasetTest, FindsFoldersOnTwoLevelsAndNamesThemInTheOrderAsked) {
  for (const char* name : {"x/a", "x/b", "c"}) {
    folder_.write(std::string(name) + "/v.mp4", "");
    folder_.write(std::string(name) + "/groundtruth_rect.txt", "5,5,10,10\n");
  }
  EXPECT_EQ(find_sequences(roots()).size(), 3u);
  const std::vector<std::string> wanted{"c", "a"};
  const auto sequences = find_sequences(roots(), wanted);
  ASSERT_EQ(sequences.size(), 2u);
  EXPECT_EQ(sequences[0].name, "c");
  EXPECT_EQ(sequences[1].name, "a");
  const std::vector<std::string> unknown{"d"};
  EXPECT_THAT(error_of([&] { find_sequences(roots(), unknown); }),
              AllOf(HasSubstr("\"d\""), HasSubstr("c, a, b")));
}

TEST_F(DatasetTest, AttributesAreSeparatedByCommasOrLines) {
  folder_.write("a/v.mp4", "");
  folder_.write("a/groundtruth_rect.txt", "5,5,10,10\n");
  folder_.write("a/groundtruth_rect.2.txt", "5,5,10,10\n");
  EXPECT_TRUE(find_sequences(roots()).front().attributes.empty());
  folder_.write("a/attributes.txt", "occlusion, motion blur ,,\r\n\tscale\n\nocclusion");
  const auto sequences = find_sequences(roots());
  ASSERT_EQ(sequences.size(), 2u);
  for (const Sequence& sequence : sequences) {
    EXPECT_THAT(sequence.attributes, ElementsAre("occlusion", "motion blur", "scale"));
  }
}

TEST_F(DatasetTest, SequencesOfSeveralRootsAreInOrderAndTheirNamesDiffer) {
  for (const char* name : {"tld/david", "tld/car", "otb/david", "otb/woman", "old/otb/david"}) {
    folder_.write(std::string(name) + "/v.mp4", "");
    folder_.write(std::string(name) + "/groundtruth_rect.txt", "5,5,10,10\n");
  }
  folder_.write("otb/david/groundtruth_rect.2.txt", "5,5,10\n");
  const std::string top = std::filesystem::canonical(folder_.path()).filename().string();
  const std::vector<std::filesystem::path> three{folder_.path() / "tld", folder_.path() / "otb",
                                                 folder_.path() / "old"};
  std::vector<std::string> found;
  for (const Sequence& sequence : find_sequences(three)) found.push_back(sequence.name);
  EXPECT_THAT(found, ElementsAre("car", "tld-david", top + "-otb-david", "david.2", "woman",
                                 "old-otb-david"));
  const std::vector<std::string> both{"old-otb-david", "david.2"};
  const auto chosen = find_sequences(three, both);
  ASSERT_EQ(chosen.size(), 2u);
  EXPECT_EQ(chosen[0].folder, folder_.path() / "old/otb/david");
  EXPECT_THAT(chosen[1].error, HasSubstr("found 3 numbers"));
  const std::vector<std::string> unclear{"david"};
  EXPECT_THAT(error_of([&] { find_sequences(three, unclear); }), HasSubstr("tld-david"));
}

TEST_F(DatasetTest, AFolderThatIsFoundTwiceCountsOnce) {
  folder_.write("x/a/v.mp4", "");
  folder_.write("x/a/groundtruth_rect.txt", "5,5,10,10\n");
  std::filesystem::create_symlink("x", folder_.path() / "y");
  const std::vector<std::filesystem::path> four{folder_.path() / "x", folder_.path() / "x/a/",
                                                folder_.path() / "y", folder_.path()};
  const auto sequences = find_sequences(four);
  ASSERT_EQ(sequences.size(), 1u);
  EXPECT_EQ(sequences[0].name, "a");
}

TEST_F(DatasetTest, SaysWhatIsMissing) {
  EXPECT_THAT(error_of([&] { find_sequences(roots()); }), HasSubstr("no groundtruth_rect.txt"));
  folder_.write("a/groundtruth_rect.txt", "5,5,10,10\n");
  EXPECT_THAT(sequence_error(), HasSubstr("neither a video"));
  folder_.write("a/1.mp4", "");
  folder_.write("a/2.mp4", "");
  EXPECT_THAT(sequence_error(), HasSubstr("2 videos"));
  const std::vector<std::filesystem::path> absent{folder_.path() / "absent"};
  EXPECT_THAT(error_of([&] { find_sequences(absent); }), HasSubstr("absent: no such folder"));
}

TEST_F(DatasetTest, FirstRowMustBeABox) {
  folder_.write("a/v.mp4", "");
  folder_.write("a/groundtruth_rect.txt", "NaN,NaN,NaN,NaN\n5,5,10,10\n");
  EXPECT_THAT(sequence_error(), HasSubstr("groundtruth_rect.txt:1: the first row must be a box"));
}

TEST_F(DatasetTest, WhatCannotBeReadLeavesTheOthersAlone) {
  for (const char* name : {"a", "b", "c"}) {
    folder_.write(std::string(name) + "/v.mp4", "");
    folder_.write(std::string(name) + "/groundtruth_rect.txt", "5,5,10,10\n");
  }
  folder_.write("a/groundtruth_rect.txt", "5,5,10\n");
  folder_.write("b/groundtruth_rect.2.txt", "five\n");
  const auto sequences = find_sequences(roots());
  ASSERT_EQ(sequences.size(), 4u);
  EXPECT_EQ(sequences[0].name, "a");
  EXPECT_THAT(sequences[0].error, HasSubstr("groundtruth_rect.txt:1: found 3 numbers"));
  EXPECT_EQ(sequences[1].name, "b");
  EXPECT_EQ(sequences[1].error, "");
  EXPECT_EQ(sequences[2].name, "b.2");
  EXPECT_THAT(sequences[2].error, HasSubstr("five is not a number"));
  EXPECT_EQ(sequences[3].name, "c");
  EXPECT_EQ(sequences[3].error, "");
  const std::vector<std::string> wanted{"c"};
  EXPECT_EQ(find_sequences(roots(), wanted).size(), 1u);
}

TEST_F(DatasetTest, PipesAreNotWaitedForAndLinksNotFollowedForever) {
  folder_.write("a/v.mp4", "");
  ASSERT_EQ(mkfifo((folder_.path() / "a/groundtruth_rect.txt").c_str(), 0600), 0);
  std::filesystem::create_symlink("loop", folder_.path() / "loop");
  EXPECT_THAT(sequence_error(), HasSubstr("groundtruth_rect.txt: no regular file"));
  std::filesystem::remove(folder_.path() / "a/groundtruth_rect.txt");
  std::filesystem::remove(folder_.path() / "a/v.mp4");
  folder_.write("a/groundtruth_rect.txt", "5,5,10,10\n");
  ASSERT_EQ(mkfifo((folder_.path() / "a/v.mp4").c_str(), 0600), 0);
  EXPECT_THAT(sequence_error(), HasSubstr("v.mp4: no regular file"));
}

}  // namespace
}  // namespace cltrack::accuracy
