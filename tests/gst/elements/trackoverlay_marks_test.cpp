// SPDX-License-Identifier: LGPL-2.1-or-later
// What trackoverlay shows besides the boxes of tracks: the text that users want, where one has
// been, whether it is chosen or lost, and the mouse.
#include <gst/video/video.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "../support/navigation.h"
#include "../support/overlay_harness.h"
#include "metadata/track_messages.h"

namespace cltrack::test {
namespace {

constexpr BoundingBox kMoved{130, 90, 60, 50};

class OverlayMarks : public testing::Test {
 protected:
  explicit OverlayMarks(const std::string& properties) : overlay_(properties, kFormat) {}

  std::vector<std::uint8_t> draw(const std::vector<Track>& tracks) {
    return bytes_of(overlay_.pass(overlay_.picture(tracks)).get());
  }
  void set(const char* name, const char* value) {
    g_object_set(overlay_.element(), name, value, nullptr);
  }
  void send(GstEvent* event) { gst_harness_push_upstream_event(overlay_.get(), event); }

  static constexpr GstVideoFormat kFormat = GST_VIDEO_FORMAT_I420;
  OverlayHarness overlay_;
};

// --- text

struct OverlayLabelTemplate : OverlayMarks {
  OverlayLabelTemplate() : OverlayMarks("style=none") {}
  std::string text() { return text_property(overlay_.element(), "label-template"); }
};

TEST_F(OverlayLabelTemplate, StandsInPlaceOfTheOthers) {
  const auto by_switches = draw({make_track(1, kBox)});
  set("label-template", "{label} #{id} {confidence}%");
  EXPECT_EQ(draw({make_track(1, kBox)}), by_switches) << "the same text";
  set("label-template", "{id}");
  EXPECT_NE(draw({make_track(1, kBox)}), by_switches);
  set("label-template", " ");
  EXPECT_FALSE(overlay_.draws({make_track(1, kBox)})) << "nothing to read";
  set("label-template", nullptr);
  EXPECT_EQ(text(), "");
  EXPECT_EQ(draw({make_track(1, kBox)}), by_switches);
}

TEST_F(OverlayLabelTemplate, StaysAsItWasWithAWarning) {
  set("label-template", "{id}");
  const auto before = draw({make_track(1, kBox)});
  const std::string large(1 << 20, 'x');
  for (const char* bad : {"{name} of {id}", "{id", "\xff\xfe{id}", large.c_str()}) {
    set("label-template", bad);
    EXPECT_EQ(text(), "{id}");
    for (int frame = 0; frame < 3; ++frame) EXPECT_EQ(draw({make_track(1, kBox)}), before);
    const auto warnings = overlay_.texts();
    ASSERT_EQ(warnings.size(), 1u) << "once";
    EXPECT_NE(warnings[0].find("{confidence}"), std::string::npos) << warnings[0];
  }
}

// --- where a track has been

constexpr const char* kTrails =
    "style=none trail-length=10 show-label=false show-id=false show-confidence=false "
    "show-state=false";

struct OverlayTrails : OverlayMarks {
  OverlayTrails() : OverlayMarks(kTrails) {}
  // Whether the first place is still known.
  bool is_known() { return overlay_.draws({make_track(1, kMoved)}); }
};

TEST_F(OverlayTrails, AreDrawnOfWhatHasNone) {
  EXPECT_FALSE(overlay_.draws({make_track(1, kBox)}));
  EXPECT_TRUE(is_known());
}

TEST_F(OverlayTrails, OfRegionsOfOthersToo) {
  for (const guint x : {100u, 130u}) {
    BufferPtr buffer = overlay_.picture();
    add_region(buffer, "thing", 5, x, 80, 60, 50);
    const auto before = bytes_of(buffer.get());
    EXPECT_EQ(bytes_of(overlay_.pass(std::move(buffer)).get()) != before, x == 130);
  }
}

TEST_F(OverlayTrails, EndWhereATrackIsLost) {
  draw({make_track(1, kBox)});
  draw({make_track(1, kMoved)});
  EXPECT_FALSE(overlay_.draws({}));
  EXPECT_TRUE(is_known()) << "found again";
}

// --- lost tracks

TEST(OverlayLost, IsShownForLostTimeAndNoLonger) {
  OverlayHarness overlay("lost-time=200000000", GST_VIDEO_FORMAT_I420);
  EXPECT_TRUE(overlay.draws({make_track(1, kBox)}));
  for (int frame = 1; frame <= 5; ++frame) EXPECT_TRUE(overlay.draws({})) << frame;
  EXPECT_FALSE(overlay.draws({}));
  OverlayHarness never("lost-time=0", GST_VIDEO_FORMAT_I420);
  EXPECT_TRUE(never.draws({make_track(1, kBox)}));
  EXPECT_FALSE(never.draws({}));
}

TEST(OverlayLost, LooksUnlikeAllElse) {
  OverlayHarness overlay("color=0xffffffff", GST_VIDEO_FORMAT_GRAY8);
  EXPECT_TRUE(overlay.draws({make_track(1, kBox)}));
  const Pixels pixels = overlay.drawn(overlay.picture());
  int grey = 0;
  for (int x = 100; x < 160; ++x) {
    EXPECT_LT(pixels.at(x, 128)[1], 200 * 257);
    grey += pixels.at(x, 128)[1] > 150 * 257;
  }
  EXPECT_GT(grey, 10);
  EXPECT_LT(grey, 40);
}

TEST(OverlayLost, WithoutTimestampsFramesAreCounted) {
  OverlayHarness overlay("lost-time=80000000", GST_VIDEO_FORMAT_I420);
  overlay.set_next_time(GST_CLOCK_TIME_NONE);
  EXPECT_TRUE(overlay.draws({make_track(1, kBox)}));
  EXPECT_TRUE(overlay.draws({}));
  EXPECT_TRUE(overlay.draws({}));
  EXPECT_FALSE(overlay.draws({}));
}

TEST(OverlayLost, NothingIsLostInAGap) {
  OverlayHarness overlay("", GST_VIDEO_FORMAT_I420);
  EXPECT_TRUE(overlay.draws({make_track(1, kBox)}));
  BufferPtr gap = overlay.picture();
  GST_BUFFER_FLAG_SET(gap.get(), GST_BUFFER_FLAG_GAP);
  const auto before = bytes_of(gap.get());
  EXPECT_EQ(bytes_of(overlay.pass(std::move(gap)).get()), before);
  EXPECT_TRUE(overlay.draws({})) << "lost afterwards";
}

TEST(OverlayLost, FollowsThePicturesSize) {
  OverlayHarness overlay("line-width=2", GST_VIDEO_FORMAT_GRAY8);
  EXPECT_TRUE(overlay.draws({make_track(1, kBox)}));
  // Caps alone, as decoders send them in the middle of a stream.
  const GstVideoInfo info = video_info(GST_VIDEO_FORMAT_GRAY8, 640, 480);
  const CapsPtr caps(gst_video_info_to_caps(&info));
  overlay.push_event(gst_event_new_caps(caps.get()));
  BufferPtr buffer = make_picture(info);
  const Pixels before = read_pixels(buffer.get(), info);
  const Pixels after = read_pixels(overlay.pass(std::move(buffer)).get(), info);
  EXPECT_NE(after.at(200, 160), before.at(200, 160)) << "corner of the box, twice as far away";
  EXPECT_NE(after.at(319, 259), before.at(319, 259)) << "the opposite one";
  EXPECT_EQ(after.at(100, 80), before.at(100, 80)) << "where it was";
}

// Lost tracks and trails.
struct Forgetting {
  const char* name;
  void (*happens)(OverlayHarness&);
};

class OverlayForgets : public testing::TestWithParam<Forgetting> {};

TEST_P(OverlayForgets, LostTracksAndTrails) {
  OverlayHarness lost("", GST_VIDEO_FORMAT_I420), trails(kTrails, GST_VIDEO_FORMAT_I420);
  EXPECT_TRUE(lost.draws({make_track(1, kBox)}));
  trails.draws({make_track(1, kBox)});
  lost.push_event(gst::make_removed_event("tracker", 2, "thing"));
  EXPECT_TRUE(lost.draws({})) << "it was another";
  GetParam().happens(lost);
  EXPECT_FALSE(lost.draws({}));
  GetParam().happens(trails);
  EXPECT_FALSE(trails.draws({make_track(1, kMoved)}));
}

INSTANTIATE_TEST_SUITE_P(
    When, OverlayForgets,
    testing::Values(Forgetting{"Removed",
                               [](OverlayHarness& overlay) {
                                 overlay.push_event(gst::make_removed_event("tracker", 1, "thing"));
                               }},
                    Forgetting{"Flush",
                               [](OverlayHarness& overlay) {
                                 overlay.flush();
                                 overlay.push_segment();
                               }},
                    Forgetting{"Segment",
                               [](OverlayHarness& overlay) { overlay.push_segment(GST_SECOND); }},
                    Forgetting{"Stream",
                               [](OverlayHarness& overlay) {
                                 overlay.push_event(gst_event_new_stream_start("another"));
                               }},
                    Forgetting{"Restart",
                               [](OverlayHarness& overlay) {
                                 overlay.set_state(GST_STATE_READY);
                                 overlay.set_state(GST_STATE_PLAYING);
                                 overlay.push_event(gst_event_new_stream_start("again"));
                                 overlay.set_caps(overlay.info());
                                 overlay.push_segment();
                               }}),
    [](const auto& tested) { return std::string(tested.param.name); });

// --- the one that is chosen

class OverlayChoice : public OverlayMarks {
 protected:
  OverlayChoice() : OverlayMarks("navigation=true") {
    g_signal_connect(overlay_.element(), "notify::chosen-id",
                     G_CALLBACK(+[](GObject*, GParamSpec*, int* count) { ++*count; }), &notified_);
  }
  gint64 chosen() {
    gint64 id = 0;
    g_object_get(overlay_.element(), "chosen-id", &id, nullptr);
    return id;
  }
  void choose(gint64 id) { g_object_set(overlay_.element(), "chosen-id", id, nullptr); }
  const std::vector<Track> tracks_ = {make_track(1, kBox), make_track(2, {200, 80, 60, 50})};

  int notified_ = 0;
};

TEST_F(OverlayChoice, IsMadeByTheProperty) {
  EXPECT_EQ(chosen(), -1);
  const auto none = draw(tracks_);
  choose(1);
  const auto first = draw(tracks_);
  EXPECT_NE(first, none);
  choose(2);
  EXPECT_NE(draw(tracks_), first);
  choose(7);
  EXPECT_EQ(draw(tracks_), none);
  EXPECT_EQ(chosen(), 7) << "it may come";
  choose(-1);
  EXPECT_EQ(draw(tracks_), none);
}

TEST_F(OverlayChoice, OfAClickIsTold) {
  const auto none = draw(tracks_);
  click(overlay_.get(), 1, 5, 5);
  EXPECT_EQ(draw(tracks_), none);
  choose(1);
  const auto first = draw(tracks_);
  notified_ = 0;
  click(overlay_.get(), 1, 220, 100);
  const auto second = draw(tracks_);
  EXPECT_NE(second, first);
  EXPECT_EQ(draw(tracks_), second) << "until another is chosen";
  EXPECT_EQ(chosen(), 2);
  EXPECT_EQ(notified_, 1);
  choose(1);
  EXPECT_EQ(draw(tracks_), first) << "the property again";
  choose(2);
  EXPECT_EQ(draw(tracks_), second);
}

TEST_F(OverlayChoice, OfAClickEndsWithItsTrack) {
  g_object_set(overlay_.element(), "lost-time", guint64{0}, nullptr);
  draw(tracks_);
  click(overlay_.get(), 1, 220, 100);
  draw(tracks_);
  EXPECT_EQ(chosen(), 2);
  draw({make_track(1, kBox)});
  EXPECT_EQ(chosen(), -1);
}

TEST_F(OverlayChoice, OfAnApplicationStays) {
  g_object_set(overlay_.element(), "navigation", FALSE, nullptr);
  choose(2);
  EXPECT_FALSE(draw(tracks_).empty());
  draw({});
  overlay_.set_state(GST_STATE_READY);
  EXPECT_EQ(chosen(), 2);
}

TEST_F(OverlayChoice, IsMarkedWhereNothingElseIs) {
  overlay_.set("style", "none");
  for (const char* name : {"show-label", "show-id", "show-confidence", "show-state"}) {
    g_object_set(overlay_.element(), name, FALSE, nullptr);
  }
  EXPECT_FALSE(overlay_.draws(tracks_));
  choose(2);
  EXPECT_TRUE(overlay_.draws(tracks_));
}

// --- the mouse

class OverlayNavigation : public OverlayMarks {
 protected:
  OverlayNavigation() : OverlayMarks("navigation=true") {}
  void press_and_move(double x, double y, double to_x, double to_y) {
    send(mouse_press(1, x, y));
    send(mouse_move(to_x, to_y));
  }
};

TEST_F(OverlayNavigation, DrawsTheBandWhileItIsDragged) {
  EXPECT_FALSE(overlay_.draws({}));
  send(mouse_press(1, 100, 80));
  EXPECT_FALSE(overlay_.draws({}));
  send(mouse_move(160, 130));
  const Pixels pixels = overlay_.drawn(overlay_.picture());
  EXPECT_GT(pixels.at(101, 81)[1], 50000) << "white at its corners";
  EXPECT_GT(pixels.at(158, 128)[1], 50000);
  EXPECT_LT(pixels.at(130, 105)[1], 30000) << "and not inside";
  EXPECT_LT(pixels.at(110, 70)[1], 30000) << "no tag";
  send(mouse_release(1, 160, 130));
  EXPECT_FALSE(overlay_.draws({}));
  press_and_move(100, 80, 160, 130);
  send(key_press("Escape"));
  EXPECT_FALSE(overlay_.draws({})) << "Escape takes it away";
}

TEST_F(OverlayNavigation, PassesAllEventsOn) {
  drag(overlay_.get(), 100, 80, 160, 130);
  click(overlay_.get(), 1, 100, 80);
  click(overlay_.get(), 3, 100, 80);
  send(key_press("Escape"));
  EXPECT_EQ(navigation_events_upstream(overlay_.get()), 8);
}

TEST_F(OverlayNavigation, OutsideThereIsNothingToDraw) {
  press_and_move(400, 300, 500, 350);
  EXPECT_FALSE(overlay_.draws({}));
  send(mouse_move(-1e30, 1e30));
  overlay_.draws({});
}

TEST_F(OverlayNavigation, OffItShowsNothing) {
  overlay_.set("navigation", "false");
  press_and_move(100, 80, 160, 130);
  EXPECT_FALSE(overlay_.draws({}));
  overlay_.set("navigation", "true");
  press_and_move(100, 80, 160, 130);
  EXPECT_TRUE(overlay_.draws({}));
  overlay_.set("navigation", "false");
  EXPECT_FALSE(overlay_.draws({})) << "no event came since";
  overlay_.set("navigation", "true");
  EXPECT_FALSE(overlay_.draws({}));
}

TEST(OverlayNavigationComposition, AttachesTheBand) {
  OverlayHarness overlay("navigation=true");
  overlay.take_compositions();
  overlay.set_caps(video_info(GST_VIDEO_FORMAT_I420, 320, 240));
  const auto rectangles = [&] {
    const BufferPtr picture = overlay.pass(overlay.picture());
    const auto* meta = gst_buffer_get_video_overlay_composition_meta(picture.get());
    return meta != nullptr ? gst_video_overlay_composition_n_rectangles(meta->overlay) : 0;
  };
  EXPECT_EQ(rectangles(), 0u);
  gst_harness_push_upstream_event(overlay.get(), mouse_press(1, 100, 80));
  gst_harness_push_upstream_event(overlay.get(), mouse_move(160, 130));
  EXPECT_EQ(rectangles(), 4u);
  gst_harness_push_upstream_event(overlay.get(), mouse_release(1, 160, 130));
  EXPECT_EQ(rectangles(), 0u);
}

}  // namespace
}  // namespace cltrack::test
