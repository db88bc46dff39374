// SPDX-License-Identifier: LGPL-2.1-or-later
// What trackoverlay says of a region besides its box: the text that users want, where it has been,
// whether it is chosen.
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
  explicit OverlayMarks(const std::string& properties) : overlay_(properties) {
    overlay_.set_caps(video_info(GST_VIDEO_FORMAT_I420, 320, 240));
  }

  std::vector<std::uint8_t> draw(const std::vector<Track>& tracks) {
    BufferPtr buffer = make_picture(overlay_.info());
    add_tracks(buffer, overlay_.info(), tracks);
    return bytes_of(overlay_.pass(std::move(buffer)).get());
  }
  void set(const char* name, const char* value) {
    g_object_set(overlay_.element(), name, value, nullptr);
  }

  OverlayHarness overlay_;
};

class OverlayLabelTemplate : public OverlayMarks {
 protected:
  OverlayLabelTemplate() : OverlayMarks("style=none") {}
  std::string text() {
    gchar* value = nullptr;
    g_object_get(overlay_.element(), "label-template", &value, nullptr);
    const std::string result = value;
    g_free(value);
    return result;
  }
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
    const auto warnings = overlay_.texts(GST_MESSAGE_WARNING);
    ASSERT_EQ(warnings.size(), 1u) << "once";
    EXPECT_NE(warnings[0].find("{confidence}"), std::string::npos) << warnings[0];
  }
}

class OverlayTrails : public OverlayMarks {
 protected:
  OverlayTrails()
      : OverlayMarks(
            "style=none trail-length=10 show-label=false show-id=false "
            "show-confidence=false show-state=false") {}
  // Whether the first place is still known.
  bool is_known() { return overlay_.draws({make_track(1, kMoved)}); }
};

TEST_F(OverlayTrails, AreDrawnOfWhatHasNone) {
  EXPECT_FALSE(overlay_.draws({make_track(1, kBox)}));
  EXPECT_TRUE(is_known());
}

TEST_F(OverlayTrails, OfRegionsOfOthersToo) {
  for (const guint x : {100u, 130u}) {
    BufferPtr buffer = make_picture(overlay_.info());
    add_region(buffer, "thing", 5, x, 80, 60, 50);
    const auto before = bytes_of(buffer.get());
    EXPECT_EQ(bytes_of(overlay_.pass(std::move(buffer)).get()) != before, x == 130);
  }
}

TEST_F(OverlayTrails, AreForgottenOnFlush) {
  draw({make_track(1, kBox)});
  gst_harness_push_event(overlay_.get(), gst_event_new_flush_start());
  gst_harness_push_event(overlay_.get(), gst_event_new_flush_stop(TRUE));
  GstSegment segment;
  gst_segment_init(&segment, GST_FORMAT_TIME);
  gst_harness_push_event(overlay_.get(), gst_event_new_segment(&segment));
  EXPECT_FALSE(is_known());
}

TEST_F(OverlayTrails, AreForgottenWithANewStream) {
  draw({make_track(1, kBox)});
  gst_harness_push_event(overlay_.get(), gst_event_new_stream_start("another"));
  EXPECT_FALSE(is_known());
}

TEST_F(OverlayTrails, AreForgottenWithTheirTrack) {
  draw({make_track(1, kBox)});
  gst_harness_push_event(overlay_.get(), gst::make_removed_event("tracker", 1, "thing"));
  EXPECT_FALSE(is_known());
}

TEST_F(OverlayTrails, EndWhereATrackIsLost) {
  draw({make_track(1, kBox)});
  draw({make_track(1, kMoved)});
  EXPECT_FALSE(overlay_.draws({}));
  EXPECT_TRUE(is_known()) << "found again";
}

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
  choose(1);
  const auto first = draw(tracks_);
  notified_ = 0;
  click(overlay_.get(), 1, 220, 100);
  const auto second = draw(tracks_);
  EXPECT_NE(second, first);
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
  const auto both = draw(tracks_);
  draw({});
  gst_element_set_state(overlay_.element(), GST_STATE_READY);
  EXPECT_EQ(chosen(), 2);
  EXPECT_NE(both, std::vector<std::uint8_t>());
}

TEST_F(OverlayChoice, IsMarkedWhereNothingElseIs) {
  gst_util_set_object_arg(G_OBJECT(overlay_.element()), "style", "none");
  for (const char* name : {"show-label", "show-id", "show-confidence", "show-state"}) {
    g_object_set(overlay_.element(), name, FALSE, nullptr);
  }
  EXPECT_FALSE(overlay_.draws(tracks_));
  choose(2);
  EXPECT_TRUE(overlay_.draws(tracks_));
}

}  // namespace
}  // namespace cltrack::test
