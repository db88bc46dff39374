// SPDX-License-Identifier: LGPL-2.1-or-later
// When trackoverlay draws, and when it attaches.
#include <gmock/gmock.h>
#include <gst/video/video.h>
#include <gtest/gtest.h>

#include "../support/overlay_harness.h"

namespace cltrack::test {
namespace {

GstVideoOverlayComposition* composition_of(const BufferPtr& buffer) {
  const auto* meta = gst_buffer_get_video_overlay_composition_meta(buffer.get());
  return meta != nullptr ? meta->overlay : nullptr;
}

bool has_composition_caps(OverlayHarness& overlay) {
  const CapsPtr caps = overlay.source_caps();
  return gst_caps_features_contains(gst_caps_get_features(caps.get(), 0),
                                    GST_CAPS_FEATURE_META_GST_VIDEO_OVERLAY_COMPOSITION);
}

TEST(TrackOverlayComposition, AttachesWhereDownstreamTakesCompositions) {
  OverlayHarness overlay;
  overlay.take_compositions(true, true);
  overlay.set_caps(video_info(GST_VIDEO_FORMAT_I420, 320, 240));
  BufferPtr buffer = make_picture(overlay.info());
  add_tracks(buffer, overlay.info(), {make_track(1, kBox)});
  const auto before = bytes_of(buffer.get());
  const BufferPtr result = overlay.pass(std::move(buffer));
  ASSERT_TRUE(result);
  EXPECT_TRUE(has_composition_caps(overlay));
  EXPECT_EQ(bytes_of(result.get()), before);
  ASSERT_NE(composition_of(result), nullptr);
  EXPECT_EQ(gst_video_overlay_composition_n_rectangles(composition_of(result)), 5u);

  // The sink that draws it gets what would have been drawn here.
  OverlayHarness drawing;
  drawing.set_caps(overlay.info());
  BufferPtr same = make_picture(overlay.info());
  add_tracks(same, overlay.info(), {make_track(1, kBox)});
  const BufferPtr drawn = drawing.pass(std::move(same));
  BufferPtr target = make_picture(overlay.info());
  {
    FrameMap map(target.get(), overlay.info(), GST_MAP_READWRITE);
    EXPECT_TRUE(gst_video_overlay_composition_blend(composition_of(result), map.get()));
  }
  EXPECT_EQ(bytes_of(target.get()), bytes_of(drawn.get()));
}

TEST(TrackOverlayComposition, AttachesNothingWhereThereIsNothingToShow) {
  OverlayHarness overlay;
  overlay.take_compositions(true, true);
  overlay.set_caps(video_info(GST_VIDEO_FORMAT_I420, 320, 240));
  const BufferPtr result = overlay.pass(make_picture(overlay.info()));
  ASSERT_TRUE(result);
  EXPECT_EQ(composition_of(result), nullptr);
}

TEST(TrackOverlayComposition, DrawsUnlessDownstreamWantsCompositionsInBothWays) {
  for (const bool by_caps : {false, true}) {
    for (const bool by_allocation : {false, true}) {
      if (by_caps && by_allocation) continue;
      OverlayHarness overlay;
      overlay.take_compositions(by_caps, by_allocation);
      overlay.set_caps(video_info(GST_VIDEO_FORMAT_I420, 320, 240));
      EXPECT_TRUE(overlay.draws({make_track(1, kBox)})) << by_caps << by_allocation;
      EXPECT_FALSE(has_composition_caps(overlay)) << by_caps << by_allocation;
    }
  }
}

TEST(TrackOverlayComposition, CompositionBlendDrawsInAnyCase) {
  OverlayHarness overlay("composition=blend");
  overlay.take_compositions(true, true);
  overlay.set_caps(video_info(GST_VIDEO_FORMAT_I420, 320, 240));
  EXPECT_TRUE(overlay.draws({make_track(1, kBox)}));
  EXPECT_FALSE(has_composition_caps(overlay));
}

TEST(TrackOverlayComposition, CompositionCanBeChangedWhilePlaying) {
  OverlayHarness overlay("composition=blend");
  overlay.take_compositions(true, true);
  overlay.set_caps(video_info(GST_VIDEO_FORMAT_I420, 320, 240));
  EXPECT_TRUE(overlay.draws({make_track(1, kBox)}));
  gst_util_set_object_arg(G_OBJECT(overlay.element()), "composition", "auto");
  EXPECT_FALSE(overlay.draws({make_track(1, kBox)}));
  EXPECT_TRUE(has_composition_caps(overlay));
  gst_util_set_object_arg(G_OBJECT(overlay.element()), "composition", "blend");
  EXPECT_TRUE(overlay.draws({make_track(1, kBox)}));
  EXPECT_FALSE(has_composition_caps(overlay));
}

TEST(TrackOverlayComposition, CompositionAttachFailsWithAReasonIfNobodyTakesIt) {
  OverlayHarness overlay("composition=attach");
  overlay.take_compositions(false, false);
  overlay.set_caps(video_info(GST_VIDEO_FORMAT_I420, 320, 240));
  EXPECT_FALSE(overlay.pass(make_picture(overlay.info())));
  const auto errors = overlay.texts(GST_MESSAGE_ERROR);
  ASSERT_FALSE(errors.empty());
  EXPECT_NE(errors[0].find("composition"), std::string::npos) << errors[0];
}

// Nothing is wrong with what is downstream.
TEST(TrackOverlayComposition, CapsThatAreRefusedGiveTheirOwnErrorAlone) {
  OverlayHarness overlay("composition=attach");
  overlay.take_compositions(true, true);
  const CapsPtr too_large =
      caps_from("video/x-raw,format=YUY2,width=2147483647,height=2147483647,framerate=25/1");
  gst_harness_push_event(overlay.get(), gst_event_new_caps(too_large.get()));
  EXPECT_THAT(overlay.texts(GST_MESSAGE_ERROR),
              testing::ElementsAre("Caps that are not raw video"));
}

TEST(TrackOverlayComposition, AddsToACompositionFromUpstream) {
  OverlayHarness overlay;
  overlay.take_compositions(true, true);
  const GstVideoInfo info = video_info(GST_VIDEO_FORMAT_I420, 320, 240);
  gst_harness_set_src_caps_str(overlay.get(),
                               "video/x-raw(memory:SystemMemory, "
                               "meta:GstVideoOverlayComposition), format=I420, width=320, "
                               "height=240, framerate=25/1");
  GstBuffer* pixels = gst_buffer_new_allocate(nullptr, 16 * 16 * 4, nullptr);
  gst_buffer_add_video_meta(pixels, GST_VIDEO_FRAME_FLAG_NONE,
                            GST_VIDEO_OVERLAY_COMPOSITION_FORMAT_RGB, 16, 16);
  GstVideoOverlayRectangle* rectangle =
      gst_video_overlay_rectangle_new_raw(pixels, 0, 0, 16, 16, GST_VIDEO_OVERLAY_FORMAT_FLAG_NONE);
  GstVideoOverlayComposition* theirs = gst_video_overlay_composition_new(rectangle);
  BufferPtr buffer = make_picture(info);
  gst_buffer_add_video_overlay_composition_meta(buffer.get(), theirs);
  add_tracks(buffer, info, {make_track(1, kBox)});
  const BufferPtr result = overlay.pass(std::move(buffer));
  ASSERT_TRUE(result);
  EXPECT_EQ(gst_video_overlay_composition_n_rectangles(composition_of(result)), 6u);
  EXPECT_EQ(gst_video_overlay_composition_n_rectangles(theirs), 1u);
  gst_video_overlay_composition_unref(theirs);
  gst_video_overlay_rectangle_unref(rectangle);
  gst_buffer_unref(pixels);
}

TEST(TrackOverlayComposition, AttachesToMemoryThatItCannotRead) {
  OverlayHarness overlay;
  overlay.take_compositions(true, true);
  gst_harness_set_src_caps_str(overlay.get(),
                               "video/x-raw(memory:Elsewhere), format=NV12, width=320, "
                               "height=240, framerate=25/1");
  BufferPtr buffer(gst_buffer_new());
  const GstVideoInfo info = video_info(GST_VIDEO_FORMAT_NV12, 320, 240);
  add_tracks(buffer, info, {make_track(1, kBox)});
  const BufferPtr result = overlay.pass(std::move(buffer));
  ASSERT_TRUE(result);
  EXPECT_NE(composition_of(result), nullptr);
}

TEST(TrackOverlayComposition, DoesNotDrawWithAPaletteThatIsNotThePictures) {
  OverlayHarness overlay;
  overlay.take_compositions(true, true);
  const GstVideoInfo info = video_info(GST_VIDEO_FORMAT_RGB8P, 320, 240);
  overlay.set_caps(info);
  BufferPtr buffer(gst_buffer_new_allocate(nullptr, info.size, nullptr));
  add_tracks(buffer, info, {make_track(1, kBox)});
  const BufferPtr result = overlay.pass(std::move(buffer));
  ASSERT_TRUE(result);
  EXPECT_NE(composition_of(result), nullptr);

  OverlayHarness drawing("composition=blend");
  drawing.set_caps(info);
  EXPECT_FALSE(drawing.pass(BufferPtr(gst_buffer_new_allocate(nullptr, info.size, nullptr))));
}

}  // namespace
}  // namespace cltrack::test
