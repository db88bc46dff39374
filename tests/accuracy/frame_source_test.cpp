// SPDX-License-Identifier: LGPL-2.1-or-later
#include "frame_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "cltrack/error.h"
#include "run.h"
#include "test_data.h"

namespace cltrack::accuracy {
namespace {

using testing::HasSubstr;

// Solid colours: BT.601 luma of mid grey is 126, of red 81 (as in every colour-bar table).
constexpr const char* kGrey = "0xff808080";
constexpr const char* kRed = "0xffff0000";

class FrameSourceTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { gst_init(nullptr, nullptr); }

  static std::string source(const char* color, int frames, const char* caps) {
    return "videotestsrc pattern=solid-color foreground-color=" + std::string(color) +
           " num-buffers=" + std::to_string(frames) + " ! " + caps + " ! ";
  }

  Sequence video(const std::string& branch) {
    folder_.write("groundtruth_rect.txt", "1,1,20,20\n");
    run_pipeline(branch + "avimux ! filesink location=" + (folder_.path() / "v.avi").string());
    return read_sequence_folder(folder_.path()).front();
  }

  Sequence pictures(const std::string& branch, const std::string& pattern) {
    folder_.write("groundtruth_rect.txt", "1,1,20,20\n");
    std::filesystem::create_directories(folder_.path() / "img");
    run_pipeline(branch +
                 " ! multifilesink location=" + (folder_.path() / "img" / pattern).string());
    return read_sequence_folder(folder_.path()).front();
  }

  TemporaryFolder folder_;
};

TEST_F(FrameSourceTest, LumaOfAVideoIsThePlaneAsItIs) {
  // 322: rows of the plane are not the width apart.
  const Footage footage(
      video(source(kGrey, 7, "video/x-raw,format=I420,width=322,height=50,framerate=25/1")), 0);
  ASSERT_EQ(footage.size(), 7u);
  ASSERT_TRUE(footage.in_memory());
  const Frame frame = footage.frames()[3]->frame();
  EXPECT_EQ(frame.luma.width, 322);
  EXPECT_EQ(frame.luma.height, 50);
  EXPECT_GT(frame.luma.stride, 322);
  EXPECT_EQ(frame.luma.at(0, 0), 126);
  EXPECT_EQ(frame.luma.at(321, 49), 126);
  EXPECT_EQ(frame.pts, 3 * 40 * 1000 * 1000);
}

TEST_F(FrameSourceTest, FramesAreScaledWithoutBorders) {
  const Sequence sequence =
      video(source(kGrey, 3, "video/x-raw,format=I420,width=322,height=50,framerate=25/1"));
  // The second one does not fit into memory: it is decoded again.
  for (const std::size_t limit : {Footage::kMemoryLimit, std::size_t{1000}}) {
    const Footage footage(sequence, 0, limit, {64, 48});
    FrameCursor cursor(footage);
    int frames = 0;
    while (const auto picture = cursor.next()) {
      const Frame frame = picture->frame();
      ASSERT_EQ(frame.luma.width, 64);
      ASSERT_EQ(frame.luma.height, 48);
      EXPECT_EQ(frame.luma.at(32, 0), 126);
      EXPECT_EQ(frame.luma.at(0, 24), 126);
      ++frames;
    }
    EXPECT_EQ(frames, 3);
  }
}

TEST_F(FrameSourceTest, BgrIsPackedAndInThatOrder) {
  const Footage footage(
      video(source(kRed, 1, "video/x-raw,format=I420,width=322,height=50,framerate=25/1")), 0);
  ASSERT_EQ(footage.size(), 1u);
  EXPECT_NEAR(footage.frames()[0]->frame().luma.at(5, 5), 81, 1);
  BgrConverter converter;
  BgrImage image;
  converter.convert(*footage.frames()[0], image);
  ASSERT_EQ(image.pixels.size(), 322u * 50u * 3u);
  for (const std::size_t pixel : {std::size_t{0}, std::size_t{322 * 50 - 1}}) {
    EXPECT_NEAR(image.pixels[3 * pixel], 0, 4);
    EXPECT_NEAR(image.pixels[3 * pixel + 1], 0, 4);
    EXPECT_NEAR(image.pixels[3 * pixel + 2], 255, 4);
  }
}

TEST_F(FrameSourceTest, InterlacedFramesAreConvertedWhole) {
  const Footage footage(video(source(kRed, 3,
                                     "video/x-raw,format=I420,width=64,height=64,framerate=25/1,"
                                     "interlace-mode=interleaved") +
                              "x264enc interlaced=true ! "),
                        0);
  ASSERT_EQ(footage.size(), 3u);
  BgrConverter converter;
  BgrImage image;
  converter.convert(*footage.frames()[0], image);
  for (const std::size_t pixel : {0, 64 * 64 - 1}) {
    EXPECT_NEAR(image.pixels[3 * pixel + 1], 0, 9);
    EXPECT_NEAR(image.pixels[3 * pixel + 2], 255, 9);
  }
}

TEST_F(FrameSourceTest, JpegPicturesFromAnyNumber) {
  const Sequence sequence = pictures(
      source(kGrey, 12, "video/x-raw,format=I420,width=64,height=48") + "jpegenc", "%d.jpg");
  std::filesystem::remove(folder_.path() / "img" / "0.jpg");
  const Footage footage(read_sequence_folder(sequence.folder).front(), 0);
  EXPECT_EQ(footage.size(), 11u);
}

TEST_F(FrameSourceTest, GreyJpegPictures) {
  const Footage footage(
      pictures(source(kGrey, 3, "video/x-raw,format=GRAY8,width=64,height=48") + "jpegenc",
               "%04d.jpg"),
      0);
  ASSERT_EQ(footage.size(), 3u);
  EXPECT_NEAR(footage.frames()[2]->frame().luma.at(63, 47), 126, 4);
}

TEST_F(FrameSourceTest, RgbPngPicturesAreConverted) {
  const Footage footage(
      pictures(source(kRed, 3, "video/x-raw,format=RGB,width=65,height=49") + "pngenc", "%04d.png"),
      0);
  ASSERT_EQ(footage.size(), 3u);
  EXPECT_EQ(footage.frames()[0]->frame().luma.width, 65);
}

TEST_F(FrameSourceTest, WhatDoesNotFitInMemoryIsDecodedAgainByEachCursor) {
  const Sequence sequence =
      video(source(kGrey, 6, "video/x-raw,format=I420,width=64,height=48,framerate=25/1"));
  const Footage footage(sequence, 0, 3 * 64 * 48 * 3 / 2);
  EXPECT_FALSE(footage.in_memory());
  EXPECT_EQ(footage.size(), 6u);
  for (int round = 0; round < 2; ++round) {
    FrameCursor cursor(footage);
    std::size_t count = 0;
    while (const auto frame = cursor.next()) {
      EXPECT_EQ(frame->frame().luma.at(1, 1), 126);
      ++count;
    }
    EXPECT_EQ(count, 6u);
  }
}

// Says when it was shown something.
class Watcher final : public TrackerAdapter {
 public:
  bool needs_bgr() const override { return false; }
  Observation init(const Picture& picture, const BoundingBox&, std::uint64_t) override {
    return update(picture);
  }
  Observation update(const Picture& picture) override {
    times.push_back(picture.frame.pts);
    return {};
  }

  std::vector<std::int64_t> times;
};

TEST_F(FrameSourceTest, ARunMayBeginLater) {
  const Sequence sequence =
      video(source(kGrey, 6, "video/x-raw,format=I420,width=64,height=48,framerate=25/1"));
  for (const std::size_t limit : {Footage::kMemoryLimit, std::size_t{3 * 64 * 48}}) {
    const Footage footage(sequence, 0, limit);
    EXPECT_EQ(footage.in_memory(), limit == Footage::kMemoryLimit);
    const auto times_from = [&](std::size_t frame) {
      Watcher watcher;
      run_tracker(watcher, footage, {kGivenStart, {}, frame}, 0);
      return watcher.times;
    };
    EXPECT_EQ(times_from(4), (std::vector<std::int64_t>{160 * GST_MSECOND, 200 * GST_MSECOND}));
    EXPECT_EQ(times_from(6), std::vector<std::int64_t>());
    EXPECT_EQ(times_from(7), std::vector<std::int64_t>());
  }
}

TEST_F(FrameSourceTest, StopsAtTheLimitOfFrames) {
  const Sequence sequence =
      video(source(kGrey, 6, "video/x-raw,format=I420,width=64,height=48,framerate=25/1"));
  EXPECT_EQ(Footage(sequence, 4).size(), 4u);
}

TEST_F(FrameSourceTest, BadFilesAreErrorsThatNameThem) {
  folder_.write("groundtruth_rect.txt", "1,1,20,20\n");
  folder_.write("v.avi", "this is no video");
  try {
    Footage(read_sequence_folder(folder_.path()).front(), 0);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("v.avi"));
  }
}

TEST_F(FrameSourceTest, PicturesOfTwoSizesAreAnError) {
  pictures(source(kGrey, 2, "video/x-raw,format=I420,width=64,height=48") + "jpegenc", "%d.jpg");
  const Sequence sequence = pictures(
      source(kGrey, 1, "video/x-raw,format=I420,width=80,height=48") + "jpegenc", "9%d.jpg");
  try {
    Footage(sequence, 0);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::AllOf(HasSubstr("90.jpg"), HasSubstr("80x48")));
  }
}

TEST_F(FrameSourceTest, RealSequencesHaveAFrameForEachRow) {
  const auto folder = real_data("tld");
  SKIP_WITHOUT_DATA(folder);
  const std::map<std::string, std::size_t> expected{{"car", 945},         {"david", 761},
                                                    {"jumping", 313},     {"pedestrian1", 140},
                                                    {"pedestrian2", 338}, {"pedestrian3", 184}};
  for (const auto& [name, frames] : expected) {
    const Sequence sequence = read_sequence_folder(folder / name).front();
    EXPECT_EQ(sequence.truth.size(), frames) << name;
    EXPECT_EQ(Footage(sequence, 0, 0).size(), frames) << name;
  }
}

}  // namespace
}  // namespace cltrack::accuracy
