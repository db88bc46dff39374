// SPDX-License-Identifier: LGPL-2.1-or-later
#include "perturb.h"

#include <gmock/gmock.h>
#include <gst/gst.h>
#include <gtest/gtest.h>

#include <cmath>

#include "frame_source.h"
#include "test_data.h"

namespace cltrack::accuracy {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;

// A frame of its own, mapped for writing.
class MappedFrame {
 public:
  MappedFrame(GstVideoFormat format, guint width, guint height) {
    GstVideoInfo info;
    gst_video_info_set_format(&info, format, width, height);
    GstBuffer* buffer = gst_buffer_new_allocate(nullptr, info.size, nullptr);
    gst_buffer_memset(buffer, 0, 128, info.size);
    gst_video_frame_map(&frame, &info, buffer, GST_MAP_READWRITE);
    gst_buffer_unref(buffer);
  }
  ~MappedFrame() { gst_video_frame_unmap(&frame); }
  MappedFrame(const MappedFrame&) = delete;
  MappedFrame& operator=(const MappedFrame&) = delete;

  std::uint8_t* row(guint plane, int y) {
    return static_cast<std::uint8_t*>(GST_VIDEO_FRAME_PLANE_DATA(&frame, plane)) +
           y * GST_VIDEO_FRAME_PLANE_STRIDE(&frame, plane);
  }
  void set(guint plane, int y, const std::vector<int>& values) {
    std::ranges::transform(values, row(plane, y),
                           [](int value) { return static_cast<std::uint8_t>(value); });
  }
  std::vector<int> get(guint plane, int y, int count) {
    return {row(plane, y), row(plane, y) + count};
  }

  GstVideoFrame frame;
};

class VariantTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { gst_init(nullptr, nullptr); }
};

TEST_F(VariantTest, TheGivenOneChangesNothing) {
  MappedFrame picture(GST_VIDEO_FORMAT_I420, 4, 2);
  picture.set(0, 0, {1, 2, 3, 250});
  change_picture(picture.frame, {}, 7);
  EXPECT_THAT(picture.get(0, 0, 4), ElementsAre(1, 2, 3, 250));
}

TEST_F(VariantTest, LightIsOfLumaAndStaysInItsRange) {
  MappedFrame picture(GST_VIDEO_FORMAT_I420, 4, 2);
  picture.set(0, 0, {0, 28, 128, 228});
  picture.set(1, 0, {100, 200});
  change_picture(picture.frame, {.contrast = 1.5, .brightness = 0.1}, 0);
  EXPECT_THAT(picture.get(0, 0, 4), ElementsAre(0, 4, 154, 255));  // 25.5 is added
  EXPECT_THAT(picture.get(1, 0, 2), ElementsAre(100, 200));
}

TEST_F(VariantTest, MirroredChromaKeepsItsPairs) {
  MappedFrame picture(GST_VIDEO_FORMAT_NV12, 4, 2);
  picture.set(0, 1, {1, 2, 3, 4});
  picture.set(1, 0, {10, 20, 30, 40});
  change_picture(picture.frame, {.mirrored = true}, 0);
  EXPECT_THAT(picture.get(0, 1, 4), ElementsAre(4, 3, 2, 1));
  EXPECT_THAT(picture.get(1, 0, 4), ElementsAre(30, 40, 10, 20));
}

TEST_F(VariantTest, AShiftRepeatsTheEdgeAndMovesChromaByHalfASample) {
  MappedFrame picture(GST_VIDEO_FORMAT_I420, 4, 4);
  picture.set(0, 0, {1, 2, 3, 4});
  picture.set(0, 1, {5, 6, 7, 8});
  picture.set(1, 0, {10, 30});
  picture.set(1, 1, {10, 30});
  picture.set(2, 0, {10, 10});
  picture.set(2, 1, {30, 30});
  change_picture(picture.frame, {.shift = 1}, 0);
  EXPECT_THAT(picture.get(0, 0, 4), ElementsAre(1, 1, 2, 3));
  EXPECT_THAT(picture.get(0, 1, 4), ElementsAre(1, 1, 2, 3));
  EXPECT_THAT(picture.get(0, 2, 4), ElementsAre(5, 5, 6, 7));
  EXPECT_THAT(picture.get(1, 1, 2), ElementsAre(10, 20));
  EXPECT_THAT(picture.get(2, 1, 2), ElementsAre(20, 20));
  change_picture(picture.frame, {.shift = -1}, 0);
  EXPECT_THAT(picture.get(0, 1, 4), ElementsAre(5, 6, 7, 7));
}

TEST_F(VariantTest, NoiseIsSmallAndOfItsFrame) {
  const auto noisy = [](std::uint64_t index) {
    MappedFrame picture(GST_VIDEO_FORMAT_I420, 64, 2);
    picture.set(0, 0, {0, 255});
    change_picture(picture.frame, {.noise = 1}, index);
    return picture.get(0, 0, 64);
  };
  const std::vector<int> first = noisy(1);
  EXPECT_THAT(std::span(first).subspan(2), testing::Each(testing::AnyOf(127, 128, 129)));
  EXPECT_THAT(first, testing::IsSupersetOf({127, 128, 129}));
  EXPECT_LE(first[0], 1);
  EXPECT_GE(first[1], 254);
  EXPECT_EQ(noisy(1), first);
  EXPECT_NE(noisy(2), first);
}

TEST(ShownPart, IsAllOfThePictureOfACameraThatStands) {
  EXPECT_EQ(shown_part({.first = {10, 10, 4, 4}}, 101, 75, 7), (BoundingBox{0, 0, 101, 75}));
}

TEST(ShownPart, SwingsFromTheFirstBoxAtItsSpeed) {
  const Pan pan{.speed = 0.5, .first = {300, 200, 10, 40}};  // 10 pixels a frame
  const BoundingBox first = shown_part(pan, 640, 480, 0);
  EXPECT_NEAR(first.center_x(), pan.first.center_x(), 2);
  EXPECT_NEAR(first.center_y(), pan.first.center_y(), 2);
  float left = first.x, right = first.x, top = first.y, bottom = first.y, fastest = 0;
  for (std::uint64_t i = 1; i < 100; ++i) {
    const BoundingBox before = shown_part(pan, 640, 480, i - 1), now = shown_part(pan, 640, 480, i);
    EXPECT_EQ(now.width, 480);
    EXPECT_EQ(now.height, 360);
    fastest = std::max(fastest, std::abs(now.x - before.x));
    left = std::min(left, now.x), right = std::max(right, now.x);
    top = std::min(top, now.y), bottom = std::max(bottom, now.y);
  }
  EXPECT_NEAR(fastest, 10, 3);  // in steps of 4
  EXPECT_EQ(left, 0);
  EXPECT_EQ(right, 160);
  EXPECT_EQ(top, 0);
  EXPECT_EQ(bottom, 120);
}

constexpr int kFrames = 5, kWidth = 101, kHeight = 75;
const BoundingBox kSquare{30, 20, 20, 16};  // white on black, on each frame

class PerturbTest : public VariantTest {
 protected:
  void SetUp() override {
    std::string rows;
    for (int i = 0; i < kFrames; ++i) rows += i == 1 ? "NaN,NaN,NaN,NaN\n" : "31,21,20,16\n";
    folder_.write("set/a/groundtruth_rect.txt", rows);
    std::filesystem::create_directories(folder_.path() / "set/a/img");
    ASSERT_NO_FATAL_FAILURE(run_pipeline(
        "videotestsrc pattern=white num-buffers=5 ! video/x-raw,format=I420,width=20,height=16 ! "
        "videobox left=-30 top=-20 right=-51 bottom=-39 ! videoconvert ! pngenc ! "
        "multifilesink location=" +
        (folder_.path() / "set/a/img/%d.png").string()));
    given_ = read_sequence_folder(folder_.path() / "set/a");
  }

  Sequence variant(const std::string& name) const {
    for (const Sequence& sequence : perturbed(given_, known_variants().size())) {
      if (sequence.variant.name == name) return sequence;
    }
    return {};
  }

  TemporaryFolder folder_;
  std::vector<Sequence> given_;
};

double mean_luma(const VideoFrame& picture, const BoundingBox& box) {
  const ImageView luma = picture.frame().luma;
  double sum = 0;
  for (int y = static_cast<int>(box.y); y < static_cast<int>(box.y + box.height); ++y) {
    for (int x = static_cast<int>(box.x); x < static_cast<int>(box.x + box.width); ++x) {
      sum += luma.data[y * luma.stride + x];
    }
  }
  return sum / static_cast<double>(box.area());
}

TEST_F(PerturbTest, TheFirstVariantsComeInTheirOrderForEachSequence) {
  std::vector<Sequence> sequences{given_[0], given_[0]};
  sequences[1].name = "b";
  std::vector<std::string> found;
  for (const Sequence& one : perturbed(sequences, 3)) found.push_back(one.name + one.variant.name);
  EXPECT_THAT(found, ElementsAre("agiven", "anoise", "abrighter", "bgiven", "bnoise", "bbrighter"));
}

TEST_F(PerturbTest, TruthIsWhereTheTargetIsInEachVariant) {
  ASSERT_GE(known_variants().size(), 8u);
  for (const Sequence& sequence : perturbed(given_, known_variants().size())) {
    SCOPED_TRACE(sequence.variant.name);
    const Footage footage(sequence, 0);
    ASSERT_EQ(footage.size(), sequence.truth.size());
    EXPECT_EQ(footage.size(), sequence.variant.step == 1 ? 5u : 3u);
    for (std::size_t i = 0; i < footage.size(); ++i) {
      if (!sequence.truth[i]) continue;
      EXPECT_EQ(sequence.truth[i]->area(), kSquare.area());
      EXPECT_GT(mean_luma(*footage.frames()[i], *sequence.truth[i]), 215);
    }
    // Not by chance: two pixels further there is less of it.
    BoundingBox beside = *sequence.truth[0];
    beside.x += 2;
    EXPECT_LT(mean_luma(*footage.frames()[0], beside), 225);
  }
}

TEST_F(PerturbTest, FramesThatAreLeftOutTakeTheirTruthAlong) {
  EXPECT_FALSE(variant("given").truth[1]);
  EXPECT_TRUE(variant("second-frames").truth[1]);
}

TEST_F(PerturbTest, BoxesMoveWithThePicture) {
  EXPECT_EQ(variant("mirrored").first_box, (BoundingBox{kWidth - 50, 20, 20, 16}));
  EXPECT_EQ(variant("shifted").first_box, (BoundingBox{31, 21, 20, 16}));
  EXPECT_EQ(variant("noise").first_box, kSquare);
}

TEST_F(PerturbTest, TheFirstBoxIsOffWhereTheTruthIsNot) {
  const Sequence moved = variant("first-moved");
  EXPECT_NEAR(moved.first_box.x, 30.6f, 1e-4f);
  EXPECT_NEAR(moved.first_box.y, 20.48f, 1e-4f);
  EXPECT_EQ(moved.truth[0], kSquare);
  const Sequence larger = variant("first-larger");
  EXPECT_NEAR(larger.first_box.width, 20.6f, 1e-4f);
  EXPECT_NEAR(larger.first_box.center_y(), kSquare.center_y(), 1e-4f);
}

// H.264 as cameras send it has no odd sides.
TEST_F(PerturbTest, EncodedVariantsDifferAndAreTheSameAgain) {
  const Sequence sequence = variant("h264-19");
  if (sequence.name.empty()) GTEST_SKIP() << "H.264 CANNOT BE ENCODED: no x264enc or avdec_h264";
  const Footage footage(sequence, 0), again(sequence, 0), given(given_[0], 0);
  bool differs = false;
  for (std::size_t i = 0; i < footage.size(); ++i) {
    const Frame frame = footage.frames()[i]->frame(), same = again.frames()[i]->frame();
    const Frame before = given.frames()[i]->frame();
    ASSERT_EQ(frame.luma.width, kWidth - 1);
    ASSERT_EQ(frame.luma.height, kHeight - 1);
    EXPECT_EQ(frame.pts - footage.frames()[0]->frame().pts, before.pts);
    for (int y = 0; y < frame.luma.height; ++y) {
      const auto row = [&](const Frame& one) {
        return std::span(one.luma.data + y * one.luma.stride, static_cast<std::size_t>(kWidth - 1));
      };
      ASSERT_TRUE(std::ranges::equal(row(frame), row(same)));
      differs |= !std::ranges::equal(row(frame), row(before));
    }
  }
  EXPECT_TRUE(differs);
}

TEST_F(PerturbTest, WhatCannotBeReadIsThereOnce) {
  folder_.write("set/a/img/0.png", "no picture");
  EXPECT_EQ(perturbed(given_, 8).size(), 1u);
  given_[0].error = "why";
  EXPECT_EQ(perturbed(given_, 8).size(), 1u);
}

}  // namespace
}  // namespace cltrack::accuracy
