// SPDX-License-Identifier: LGPL-2.1-or-later
// Styles of trackoverlay: what is hidden, and when; when it draws, and when it attaches.
#include <gmock/gmock.h>
#include <gst/video/video-overlay-composition.h>
#include <gst/video/video.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "../support/overlay_harness.h"

namespace cltrack::test {
namespace {

constexpr const char* kNoTags =
    " show-label=false show-id=false show-confidence=false "
    "show-state=false ";

// Light and dark pixels by turns; nothing of them is left where something is hidden.
int checks(int x, int y, int component) {
  if (component == 0) return 255;
  return component > 1 ? 128 : (x + y) % 2 == 0 ? 220 : 40;
}

struct Styled : OverlayHarness {
  explicit Styled(const std::string& properties, bool takes_compositions = false)
      : OverlayHarness(properties) {
    if (takes_compositions) take_compositions();
    set_caps(video_info(GST_VIDEO_FORMAT_I420, 320, 240));
  }

  BufferPtr picture(const std::vector<Track>& tracks) const {
    BufferPtr buffer = make_picture(info(), 0, checks);
    add_tracks(buffer, info(), tracks);
    return buffer;
  }
  // How many of the pixels in a box are still what they were.
  int left_in(const BufferPtr& result, const BoundingBox& box = kBox) const {
    if (!result) {
      ADD_FAILURE() << "nothing came out";
      return -1;
    }
    const Pixels pixels = read_pixels(result.get(), info());
    int left = 0;
    for (int y = static_cast<int>(box.y); y < static_cast<int>(box.bottom()); ++y) {
      for (int x = static_cast<int>(box.x); x < static_cast<int>(box.right()); ++x) {
        left += std::abs(pixels.at(x, y)[1] / 257 - checks(x, y, 1)) < 40;
      }
    }
    return left;
  }
  int left(const std::vector<Track>& tracks, const BoundingBox& box = kBox) {
    return left_in(pass(picture(tracks)), box);
  }
};

constexpr int kAll = 60 * 50;
const std::vector<Track> kTrack = {make_track(1, kBox)};

struct Attaching : OverlayHarness {
  explicit Attaching(const std::string& properties = "", bool by_caps = true,
                     bool by_allocation = true, GstVideoFormat format = GST_VIDEO_FORMAT_I420)
      : OverlayHarness(properties) {
    take_compositions(by_caps, by_allocation);
    set_caps(video_info(format, 320, 240));
  }
};

TEST(TrackOverlayStyle, HidingLeavesNothing) {
  for (const char* style : {"style=blur", "style=pixelate"}) {
    Styled overlay(std::string(style) + kNoTags);
    EXPECT_EQ(overlay.left(kTrack), 0) << style;
    EXPECT_EQ(overlay.left({make_track(1, kBox, TrackState::uncertain)}), 0) << style;
    EXPECT_EQ(overlay.left(kTrack, {20, 20, 50, 50}), 2500) << "elsewhere";
  }
}

TEST(TrackOverlayStyle, OtherStylesHideNothing) {
  for (const char* style : {"style=box line-width=1", "style=corners line-width=1", "style=none"}) {
    Styled overlay(std::string(style) + kNoTags);
    EXPECT_GT(overlay.left(kTrack), kAll * 9 / 10) << style;
  }
}

TEST(TrackOverlayStyle, OpacityIsNotThatOfWhatHides) {
  Styled overlay("style=pixelate opacity=0");
  EXPECT_EQ(overlay.left(kTrack), 0);
}

TEST(TrackOverlayStyle, LostTracksStayHiddenForLostTime) {
  Styled overlay(std::string("style=blur lost-time=80000000") + kNoTags);
  EXPECT_EQ(overlay.left(kTrack), 0);
  EXPECT_EQ(overlay.left({}), 0);
  EXPECT_EQ(overlay.left({}), 0);
  EXPECT_EQ(overlay.left({}), kAll);
}

// Whatever becomes of time: the place of a lost track is hidden for lost-time, and no frame less.
struct Disturbance {
  const char* name;
  void (*happens)(Styled& overlay);
};

class MaskOfALostTrack : public testing::TestWithParam<Disturbance> {};

TEST_P(MaskOfALostTrack, NeverFallsEarly) {
  Styled overlay(std::string("style=pixelate lost-time=200000000") + kNoTags);
  for (int i = 0; i < 30; ++i) EXPECT_EQ(overlay.left(kTrack), 0);
  for (int i = 1; i <= 2; ++i) EXPECT_EQ(overlay.left({}), 0) << i;
  GetParam().happens(overlay);
  for (int i = 3; i <= 5; ++i) EXPECT_EQ(overlay.left({}), 0) << i;
  EXPECT_EQ(overlay.left({}), kAll);
}

INSTANTIATE_TEST_SUITE_P(
    When, MaskOfALostTrack,
    testing::Values(
        Disturbance{"Nothing", [](Styled&) {}},
        Disturbance{"TimestampsStepBack", [](Styled& overlay) { overlay.set_next_time(0); }},
        Disturbance{"TimestampsStepFarAhead",
                    [](Styled& overlay) { overlay.set_next_time(3600 * GST_SECOND); }},
        Disturbance{"NoTimestamps",
                    [](Styled& overlay) { overlay.set_next_time(GST_CLOCK_TIME_NONE); }},
        Disturbance{
            "GapEvent",
            [](Styled& overlay) { overlay.push_event(gst_event_new_gap(GST_SECOND, GST_SECOND)); }},
        Disturbance{"Seek",
                    [](Styled& overlay) {
                      overlay.flush();
                      overlay.push_segment(60 * GST_SECOND);
                      overlay.set_next_time(60 * GST_SECOND);
                    }},
        Disturbance{"Segment", [](Styled& overlay) { overlay.push_segment(GST_SECOND); }},
        Disturbance{"SameStreamAgain",
                    [](Styled& overlay) {
                      const EventPtr start(gst_pad_get_sticky_event(overlay.get()->srcpad,
                                                                    GST_EVENT_STREAM_START, 0));
                      overlay.push_event(gst_event_copy(start.get()));
                      overlay.push_segment();
                    }}),
    [](const auto& tested) { return std::string(tested.param.name); });

TEST(TrackOverlayStyle, TracksStayHiddenInAGap) {
  Styled overlay(std::string("style=blur") + kNoTags);
  EXPECT_EQ(overlay.left(kTrack), 0);
  BufferPtr gap = overlay.picture({});
  GST_BUFFER_FLAG_SET(gap.get(), GST_BUFFER_FLAG_GAP);
  EXPECT_EQ(overlay.left_in(overlay.pass(std::move(gap))), 0);
}

TEST(TrackOverlayStyle, FindsOfDetectorsAreHiddenToo) {
  Styled overlay(std::string("style=pixelate") + kNoTags);
  BufferPtr buffer = overlay.picture({});
  add_region(buffer, "face", 0, 100, 80, 60, 50);
  EXPECT_EQ(overlay.left_in(overlay.pass(std::move(buffer))), 0);
}

TEST(TrackOverlayStyle, HidesForWhomThePictureIsOurs) {
  Styled overlay("style=blur");
  const BufferPtr mine = overlay.picture(kTrack);
  const auto before = bytes_of(mine.get());
  const BufferPtr result = overlay.pass(BufferPtr(gst_buffer_ref(mine.get())));
  EXPECT_EQ(bytes_of(mine.get()), before) << "another branch of the pipeline";
  EXPECT_EQ(overlay.left_in(result, {100, 100, 60, 30}), 0);
}

TEST(TrackOverlayStyle, HidesInThePictureWhereTagsAreAttached) {
  Styled overlay("style=blur", true);
  const BufferPtr result = overlay.pass(overlay.picture(kTrack));
  ASSERT_TRUE(result);
  EXPECT_EQ(overlay.left_in(result), 0);
  const auto* meta = gst_buffer_get_video_overlay_composition_meta(result.get());
  ASSERT_NE(meta, nullptr);
  EXPECT_EQ(gst_video_overlay_composition_n_rectangles(meta->overlay), 1u) << "the tag";
  EXPECT_TRUE(overlay.texts(GST_MESSAGE_WARNING).empty());
}

TEST(TrackOverlayStyle, HidesInPicturesThatComeWithACompositionToo) {
  for (const char* features :
       {"meta:GstVideoOverlayComposition", "memory:SystemMemory,meta:GstVideoOverlayComposition"}) {
    Styled overlay("style=pixelate", true);
    gst_harness_set_src_caps_str(overlay.get(),
                                 ("video/x-raw(" + std::string(features) +
                                  "),format=I420,width=320,height=240,framerate=25/1")
                                     .c_str());
    EXPECT_EQ(overlay.left(kTrack), 0) << features;
    EXPECT_TRUE(overlay.texts(GST_MESSAGE_WARNING).empty());
  }
}

TEST(TrackOverlayStyle, FillsInAnOverlayWhatCannotBeChanged) {
  Styled overlay(std::string("style=blur opacity=0.3") + kNoTags, true);
  gst_harness_set_src_caps_str(
      overlay.get(),
      "video/x-raw(memory:CLTrackTest,meta:GstVideoOverlayComposition),format=I420,"
      "width=320,height=240,framerate=25/1");
  for (int frame = 0; frame < 3; ++frame) {
    BufferPtr buffer = overlay.picture(kTrack);
    const auto before = bytes_of(buffer.get());
    const BufferPtr result = overlay.pass(std::move(buffer));
    ASSERT_TRUE(result);
    EXPECT_EQ(bytes_of(result.get()), before);
    const auto* meta = gst_buffer_get_video_overlay_composition_meta(result.get());
    ASSERT_NE(meta, nullptr);
    ASSERT_EQ(gst_video_overlay_composition_n_rectangles(meta->overlay), 1u);
    GstVideoOverlayRectangle* rectangle =
        gst_video_overlay_composition_get_rectangle(meta->overlay, 0);
    gint x = 0, y = 0;
    guint width = 0, height = 0;
    gst_video_overlay_rectangle_get_render_rectangle(rectangle, &x, &y, &width, &height);
    EXPECT_TRUE(x <= 94 && y <= 74 && x + static_cast<int>(width) >= 166 &&
                y + static_cast<int>(height) >= 136);
    const auto pixels = bytes_of(gst_video_overlay_rectangle_get_pixels_unscaled_argb(
        rectangle, GST_VIDEO_OVERLAY_FORMAT_FLAG_NONE));
    ASSERT_EQ(pixels.size(), std::size_t{width} * height * 4);
    const auto opaque = static_cast<std::size_t>(std::count(pixels.begin(), pixels.end(), 255));
    EXPECT_EQ(opaque, pixels.size() / 4);
    EXPECT_EQ(static_cast<std::size_t>(std::count(pixels.begin(), pixels.end(), 0)),
              pixels.size() - opaque)
        << "black";
  }
  const auto warnings = overlay.texts(GST_MESSAGE_WARNING);
  ASSERT_EQ(warnings.size(), 1u) << "once";
  EXPECT_NE(warnings[0].find("style = blur"), std::string::npos) << warnings[0];
}

TEST(TrackOverlayStyle, NothingComesOutThatCouldNotBeHidden) {
  Styled overlay("style=blur");
  BufferPtr buffer(gst_buffer_new_allocate(nullptr, 1000, nullptr));
  add_tracks(buffer, overlay.info(), kTrack);
  EXPECT_FALSE(overlay.pass(std::move(buffer)));
  EXPECT_EQ(overlay.texts(GST_MESSAGE_ERROR).size(), 1u);
}

TEST(TrackOverlayStyle, CornersLeaveTheSidesAlone) {
  OverlayHarness overlay(std::string("style=corners line-width=2 color=0xffffffff") + kNoTags,
                         GST_VIDEO_FORMAT_GRAY8);
  const Pixels before = read_pixels(overlay.picture().get(), overlay.info());
  const Pixels after = overlay.drawn(overlay.picture(kTrack));
  for (const int y : {80, 129}) {
    for (const int x : {100, 110, 150, 159}) EXPECT_GT(after.at(x, y)[1], 225 * 257) << x;
    EXPECT_EQ(after.at(130, y), before.at(130, y));
  }
  for (const int x : {100, 159}) {
    EXPECT_GT(after.at(x, 90)[1], 225 * 257);
    EXPECT_EQ(after.at(x, 105), before.at(x, 105));
  }
}

TEST(TrackOverlayStyle, NoneDrawsNothingButTagsAndTrails) {
  Styled overlay(std::string("style=none trail-length=10") + kNoTags);
  EXPECT_FALSE(overlay.draws(kTrack));
  EXPECT_TRUE(overlay.draws({make_track(1, {130, 90, 60, 50})})) << "a trail";
  g_object_set(overlay.element(), "show-trail", FALSE, nullptr);
  EXPECT_FALSE(overlay.draws(kTrack));
  g_object_set(overlay.element(), "show-id", TRUE, nullptr);
  EXPECT_TRUE(overlay.draws(kTrack));
}

TEST(TrackOverlayStyle, MayChangeAtAnyTime) {
  Styled overlay(kNoTags);
  EXPECT_GT(overlay.left(kTrack), kAll / 2);
  overlay.set("style", "pixelate");
  EXPECT_EQ(overlay.left(kTrack), 0);
  overlay.set("style", "none");
  EXPECT_EQ(overlay.left(kTrack), kAll);
}

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
  Attaching overlay;
  BufferPtr buffer = overlay.picture(kTrack);
  const auto before = bytes_of(buffer.get());
  const BufferPtr result = overlay.pass(std::move(buffer));
  ASSERT_TRUE(result);
  EXPECT_TRUE(has_composition_caps(overlay));
  EXPECT_EQ(bytes_of(result.get()), before);
  ASSERT_NE(composition_of(result), nullptr);
  EXPECT_EQ(gst_video_overlay_composition_n_rectangles(composition_of(result)), 5u);

  // The sink that draws it gets what would have been drawn here.
  OverlayHarness drawing("", GST_VIDEO_FORMAT_I420);
  const BufferPtr drawn = drawing.pass(overlay.picture(kTrack));
  BufferPtr target = overlay.picture();
  {
    FrameMap map(target.get(), overlay.info(), GST_MAP_READWRITE);
    EXPECT_TRUE(gst_video_overlay_composition_blend(composition_of(result), map.get()));
  }
  EXPECT_EQ(bytes_of(target.get()), bytes_of(drawn.get()));

  Attaching another;
  const BufferPtr without_tracks = another.pass(another.picture());
  ASSERT_TRUE(without_tracks);
  EXPECT_EQ(composition_of(without_tracks), nullptr);
}

TEST(TrackOverlayComposition, DrawsUnlessDownstreamWantsCompositionsInBothWays) {
  for (const auto& [by_caps, by_allocation] :
       {std::pair{false, false}, {false, true}, {true, false}}) {
    Attaching overlay("", by_caps, by_allocation);
    EXPECT_TRUE(overlay.draws(kTrack)) << by_caps << by_allocation;
    EXPECT_FALSE(has_composition_caps(overlay)) << by_caps << by_allocation;
  }
}

TEST(TrackOverlayComposition, CompositionCanBeChangedWhilePlaying) {
  Attaching overlay("composition=blend");
  EXPECT_TRUE(overlay.draws(kTrack));
  EXPECT_FALSE(has_composition_caps(overlay));
  overlay.set("composition", "auto");
  EXPECT_FALSE(overlay.draws(kTrack));
  EXPECT_TRUE(has_composition_caps(overlay));
  overlay.set("composition", "blend");
  EXPECT_TRUE(overlay.draws(kTrack));
  EXPECT_FALSE(has_composition_caps(overlay));
}

TEST(TrackOverlayComposition, CompositionAttachFailsWithAReasonIfNobodyTakesIt) {
  Attaching overlay("composition=attach", false, false);
  EXPECT_FALSE(overlay.pass(overlay.picture()));
  const auto errors = overlay.texts(GST_MESSAGE_ERROR);
  ASSERT_FALSE(errors.empty());
  EXPECT_NE(errors[0].find("composition"), std::string::npos) << errors[0];
}

// Nothing is wrong with what is downstream.
TEST(TrackOverlayComposition, CapsThatAreRefusedGiveTheirOwnErrorAlone) {
  OverlayHarness overlay("composition=attach");
  overlay.take_compositions();
  const CapsPtr too_large =
      caps_from("video/x-raw,format=YUY2,width=2147483647,height=2147483647,framerate=25/1");
  gst_harness_push_event(overlay.get(), gst_event_new_caps(too_large.get()));
  EXPECT_THAT(overlay.texts(GST_MESSAGE_ERROR),
              testing::ElementsAre("Caps that are not raw video"));
}

TEST(TrackOverlayComposition, AddsToACompositionFromUpstream) {
  OverlayHarness overlay;
  overlay.take_compositions();
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
  add_tracks(buffer, info, kTrack);
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
  overlay.take_compositions();
  gst_harness_set_src_caps_str(overlay.get(),
                               "video/x-raw(memory:Elsewhere), format=NV12, width=320, "
                               "height=240, framerate=25/1");
  BufferPtr buffer(gst_buffer_new());
  const GstVideoInfo info = video_info(GST_VIDEO_FORMAT_NV12, 320, 240);
  add_tracks(buffer, info, kTrack);
  const BufferPtr result = overlay.pass(std::move(buffer));
  ASSERT_TRUE(result);
  EXPECT_NE(composition_of(result), nullptr);
}

TEST(TrackOverlayComposition, DoesNotDrawWithAPaletteThatIsNotThePictures) {
  Attaching overlay("", true, true, GST_VIDEO_FORMAT_RGB8P);
  const GstVideoInfo& info = overlay.info();
  BufferPtr buffer(gst_buffer_new_allocate(nullptr, info.size, nullptr));
  add_tracks(buffer, info, kTrack);
  const BufferPtr result = overlay.pass(std::move(buffer));
  ASSERT_TRUE(result);
  EXPECT_NE(composition_of(result), nullptr);

  OverlayHarness drawing("composition=blend");
  drawing.set_caps(info);
  EXPECT_FALSE(drawing.pass(BufferPtr(gst_buffer_new_allocate(nullptr, info.size, nullptr))));
}

}  // namespace
}  // namespace cltrack::test
