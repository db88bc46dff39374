// SPDX-License-Identifier: LGPL-2.1-or-later
// The same boxes whatever the format, the stride and the size of the picture.
#include "../support/matchers.h"
#include "../support/tracker_harness.h"

namespace cltrack::test {
namespace {

constexpr int kFrames = 8;

BoundingBox target(int index) {
  const float t = static_cast<float>(index);
  return {50 + 1.5f * t, 40 + 0.7f * t, 40, 36};
}

std::vector<BoundingBox> boxes_of(GstVideoFormat format, int width, int height,
                                  const BufferOptions& options) {
  TrackerHarness harness{{"targets", "<<50,40,40,36>>"}};
  harness.set_caps(width, height, format);
  std::vector<BoundingBox> found;
  for (int i = 0; i < kFrames; ++i) {
    const Image picture = draw_scene(width, height, target(i));
    const auto boxes = test::boxes(harness.pass(test::make_buffer(picture, format, options)));
    EXPECT_THAT(boxes, SizeIs(1)) << "frame " << i;
    found.insert(found.end(), boxes.begin(), boxes.end());
  }
  return found;
}

class FormatTest : public ::testing::TestWithParam<GstVideoFormat> {};

TEST_P(FormatTest, GivesTheBoxesOfGrey) {
  const auto expected = boxes_of(GST_VIDEO_FORMAT_GRAY8, 161, 121, {});
  ASSERT_THAT(expected, SizeIs(kFrames));
  EXPECT_GT(overlap(expected.back(), target(kFrames - 1)), 0.6f);
  EXPECT_EQ(boxes_of(GetParam(), 161, 121, {}), expected);
  EXPECT_EQ(boxes_of(GetParam(), 161, 121, {.row_padding = 21}), expected);
}

INSTANTIATE_TEST_SUITE_P(ClTracker, FormatTest, ::testing::ValuesIn(supported_formats()),
                         [](const auto& tested) {
                           return gst_video_format_to_string(tested.param);
                         });

// Strides of these are 324, 324, 328: cvtracker, which ignores strides, loses its target.
TEST(ClTrackerFormats, TracksAtAnyWidth) {
  for (const int width : {321, 322, 325}) {
    for (const GstVideoFormat format : {GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_RGB}) {
      const auto boxes = boxes_of(format, width, 241, {});
      ASSERT_THAT(boxes, SizeIs(kFrames));
      EXPECT_GT(overlap(boxes.back(), target(kFrames - 1)), 0.6f) << width;
    }
  }
}

TEST(ClTrackerFormats, BottomUpPicturesAreTurnedRound) {
  EXPECT_EQ(boxes_of(GST_VIDEO_FORMAT_GRAY8, 160, 120, {.bottom_up = true}),
            boxes_of(GST_VIDEO_FORMAT_GRAY8, 160, 120, {}));
}

TEST(ClTrackerFormats, SmallestPicturesPass) {
  for (const GstVideoFormat format : supported_formats()) {
    for (const auto& [width, height] : {std::pair{1, 1}, {1, 9}, {9, 1}}) {
      TrackerHarness harness;
      harness.set_caps(width, height, format);
      EXPECT_NE(harness.pass(draw_scene(width, height), format), nullptr);
      harness.set("targets", "<<0,0,8,8>>");
      EXPECT_NE(harness.pass(draw_scene(width, height), format), nullptr);
      EXPECT_THAT(harness.texts(GST_MESSAGE_WARNING), SizeIs(1));
    }
  }
}

TEST(ClTrackerFormats, SmallestTargetFillsTheSmallestPicture) {
  TrackerHarness harness{{"targets", "<<0,0,8,8>>"}};
  harness.set_caps(8, 8);
  for (int i = 0; i < 3; ++i) EXPECT_NE(harness.pass(draw_scene(8, 8)), nullptr);
  EXPECT_TRUE(harness.texts(GST_MESSAGE_ERROR).empty());
}

TEST(ClTrackerFormats, InterlacedPicturesPassAsTheyAre) {
  TrackerHarness harness{{"targets", "<<50,40,40,36>>"}};
  gst_harness_set_src_caps(harness.get(), caps_from(caps_text(160, 120, GST_VIDEO_FORMAT_I420) +
                                                    ",interlace-mode=interleaved")
                                              .release());
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT(regions(harness.pass(draw_scene(160, 120, target(i)), GST_VIDEO_FORMAT_I420)),
                SizeIs(1));
  }
}

TEST(ClTrackerFormats, OtherFormatsAreNotAccepted) {
  TrackerHarness harness;
  for (const char* caps :
       {"video/x-raw,format=I420_10LE,width=320,height=240,framerate=25/1",
        "video/x-raw,format=RGB16,width=320,height=240,framerate=25/1",
        "video/x-raw,format=NV12_64Z32,width=320,height=240,framerate=25/1",
        "video/x-raw,format=RGB8P,width=320,height=240,framerate=25/1",
        "video/x-raw(format:Interlaced),format=I420,width=320,height=240,framerate=25/1,"
        "interlace-mode=alternate",
        "video/x-raw(memory:GLMemory),format=RGBA,width=320,height=240,framerate=25/1"}) {
    const CapsPtr owner = caps_from(caps);
    EXPECT_FALSE(gst_pad_peer_query_accept_caps(harness.get()->srcpad, owner.get())) << caps;
  }
}

TEST(ClTrackerFormats, BufferTooSmallForItsCapsIsAnError) {
  TrackerHarness harness{{"targets", "<<50,40,40,36>>"}};
  harness.set_caps(160, 120);
  EXPECT_EQ(harness.push(BufferPtr(gst_buffer_new_allocate(nullptr, 100, nullptr))),
            GST_FLOW_ERROR);
  EXPECT_THAT(harness.texts(GST_MESSAGE_ERROR), SizeIs(1));
}

}  // namespace
}  // namespace cltrack::test
