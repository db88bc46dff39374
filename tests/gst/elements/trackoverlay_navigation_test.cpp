// SPDX-License-Identifier: LGPL-2.1-or-later
// What trackoverlay shows of the mouse.
#include <gst/video/gstvideometa.h>
#include <gtest/gtest.h>

#include "../support/navigation.h"
#include "../support/overlay_harness.h"

namespace cltrack::test {
namespace {

class OverlayNavigation : public ::testing::Test {
 protected:
  OverlayNavigation() { overlay_.set_caps(video_info(GST_VIDEO_FORMAT_I420, 320, 240)); }
  void send(GstEvent* event) { gst_harness_push_upstream_event(overlay_.get(), event); }

  OverlayHarness overlay_{"navigation=true"};
};

TEST_F(OverlayNavigation, DrawsTheBandWhileItIsDragged) {
  EXPECT_FALSE(overlay_.draws({}));
  send(mouse_press(1, 100, 80));
  EXPECT_FALSE(overlay_.draws({}));
  send(mouse_move(160, 130));
  const BufferPtr picture = overlay_.pass(make_picture(overlay_.info()));
  ASSERT_TRUE(picture);
  const Pixels pixels = read_pixels(picture.get(), overlay_.info());
  EXPECT_GT(pixels.at(101, 81)[1], 50000) << "white at its corners";
  EXPECT_GT(pixels.at(158, 128)[1], 50000);
  EXPECT_LT(pixels.at(130, 105)[1], 30000) << "and not inside";
  EXPECT_LT(pixels.at(110, 70)[1], 30000) << "no tag";
  send(mouse_release(1, 160, 130));
  EXPECT_FALSE(overlay_.draws({}));
}

TEST_F(OverlayNavigation, PassesAllEventsOn) {
  drag(overlay_.get(), 100, 80, 160, 130);
  click(overlay_.get(), 1, 100, 80);
  click(overlay_.get(), 3, 100, 80);
  send(key_press("Escape"));
  EXPECT_EQ(navigation_events_upstream(overlay_.get()), 8);
}

TEST_F(OverlayNavigation, EscapeTakesItAway) {
  send(mouse_press(1, 100, 80));
  send(mouse_move(160, 130));
  send(key_press("Escape"));
  EXPECT_FALSE(overlay_.draws({}));
}

TEST_F(OverlayNavigation, OutsideThereIsNothingToDraw) {
  send(mouse_press(1, 400, 300));
  send(mouse_move(500, 350));
  EXPECT_FALSE(overlay_.draws({}));
  send(mouse_move(-1e30, 1e30));
  overlay_.draws({});
}

TEST_F(OverlayNavigation, MarksWhatWasClickedOn) {
  const auto draw = [&] {
    BufferPtr buffer = make_picture(overlay_.info());
    add_tracks(buffer, overlay_.info(), {make_track(1, kBox), make_track(2, {200, 80, 60, 50})});
    return bytes_of(overlay_.pass(std::move(buffer)).get());
  };
  const auto before = draw();
  click(overlay_.get(), 1, 5, 5);
  EXPECT_EQ(draw(), before);
  click(overlay_.get(), 1, 120, 100);
  const auto first = draw();
  EXPECT_NE(first, before);
  EXPECT_EQ(draw(), first) << "until another is chosen";
  click(overlay_.get(), 1, 220, 100);
  EXPECT_NE(draw(), first);
}

TEST_F(OverlayNavigation, OffItShowsNothing) {
  g_object_set(overlay_.element(), "navigation", FALSE, nullptr);
  send(mouse_press(1, 100, 80));
  send(mouse_move(160, 130));
  EXPECT_FALSE(overlay_.draws({}));
  g_object_set(overlay_.element(), "navigation", TRUE, nullptr);
  send(mouse_press(1, 100, 80));
  send(mouse_move(160, 130));
  EXPECT_TRUE(overlay_.draws({}));
  g_object_set(overlay_.element(), "navigation", FALSE, nullptr);
  EXPECT_FALSE(overlay_.draws({})) << "no event came since";
  g_object_set(overlay_.element(), "navigation", TRUE, nullptr);
  EXPECT_FALSE(overlay_.draws({}));
}

TEST(OverlayNavigationComposition, AttachesTheBand) {
  OverlayHarness overlay("navigation=true");
  overlay.take_compositions(true, true);
  overlay.set_caps(video_info(GST_VIDEO_FORMAT_I420, 320, 240));
  const auto rectangles = [&] {
    const BufferPtr picture = overlay.pass(make_picture(overlay.info()));
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
