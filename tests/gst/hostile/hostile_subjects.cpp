// SPDX-License-Identifier: LGPL-2.1-or-later
#include "hostile_subjects.h"

#include <gst/video/video-overlay-composition.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string_view>

#include "../support/color_scene.h"
#include "../support/video_picture.h"
#include "random_properties.h"

namespace cltrack::test {
namespace {

constexpr int kPictures = 6;

BufferPtr color_scene(int index) {
  ColorPatch patch = kRedPatch;
  patch.x += 2 * index;
  return color_picture({patch});
}

// Drawn on: a track that is lost after a while.
BufferPtr scene_with_tracks(int index) {
  BufferPtr buffer = make_picture(video_info(GST_VIDEO_FORMAT_I420, 320, 240));
  Track track;
  track.id = 7;
  track.label = "thing";
  track.box = {100.0f + static_cast<float>(4 * index), 80, 60, 50};
  track.confidence = 0.87f;
  track.state = TrackState::tracking;
  if (index < kPictures - 2)
    gst::write_tracks(buffer.get(), {&track, 1}, {"tracker", "tld"}, 320, 240);
  return buffer;
}

bool uses_color(const Subject& subject) {
  return std::string_view(subject.factory) == "clcolortracker";
}

guint count_rectangles(GstBuffer* buffer) {
  const GstVideoOverlayCompositionMeta* meta =
      gst_buffer_get_video_overlay_composition_meta(buffer);
  return meta != nullptr ? gst_video_overlay_composition_n_rectangles(meta->overlay) : 0;
}

// `drawn`: its pixels count.
std::string describe(const BufferPtr& buffer, bool drawn) {
  if (!buffer) return "nothing";
  std::ostringstream text;
  text.precision(9);
  for (const gst::TrackRegion& region : regions(buffer)) {
    text << region.id << " " << region.label << " " << region.confidence.value_or(-1) << " ";
  }
  for (const BoundingBox& box : boxes(buffer)) {
    text << "[" << box.x << " " << box.y << " " << box.width << " " << box.height << "] ";
  }
  if (!drawn) return text.str();
  text << count_rectangles(buffer.get()) << " rectangles, ";
  const std::vector<std::uint8_t> bytes = bytes_of(buffer.get());
  text << "picture "
       << std::hash<std::string_view>()(
              std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  return text.str();
}

std::vector<GstVideoFormat> formats_of_trackers() {
  std::vector<GstVideoFormat> formats = supported_formats();
  for (const GstVideoFormat unsupported :
       {GST_VIDEO_FORMAT_RGB8P, GST_VIDEO_FORMAT_P010_10LE, GST_VIDEO_FORMAT_NV12_64Z32,
        GST_VIDEO_FORMAT_v210, GST_VIDEO_FORMAT_RGB16, GST_VIDEO_FORMAT_IYU1}) {
    formats.push_back(unsupported);
  }
  return formats;
}

}  // namespace

std::vector<Subject> hostile_subjects() {
  const std::string target = "<<120,90,48,40>>";
  return {
      {"cltracker_tld",
       "cltracker",
       {{"device", "host"}, {"targets", target}},
       formats_of_trackers(),
       true,
       false},
      {"cltracker_template",
       "cltracker",
       {{"device", "host"}, {"algorithm", "template"}, {"targets", target}},
       formats_of_trackers(),
       true,
       false},
      {"clcolortracker",
       "clcolortracker",
       {{"device", "host"}, {"colors", kRedColor}},
       formats_of_trackers(),
       true,
       false},
      {"trackoverlay", "trackoverlay", {}, all_video_formats(), false, false},
      {"trackoverlay_hiding",
       "trackoverlay",
       {{"style", "pixelate"}, {"trail-length", "3"}},
       all_video_formats(),
       false,
       false},
      {"trackoverlay_attaching", "trackoverlay", {}, all_video_formats(), false, true},
      {"trackpublish",
       "trackpublish",
       {{"location", "/dev/null"}},
       all_video_formats(),
       false,
       false},
  };
}

void prepare_sink(TrackerHarness& harness, const Subject& subject) {
  if (!subject.may_attach) return;
  gst_harness_add_propose_allocation_meta(harness.get(),
                                          GST_VIDEO_OVERLAY_COMPOSITION_META_API_TYPE, nullptr);
}

void set_known_properties(TrackerHarness& harness, const Subject& subject) {
  reset_properties(harness.object());
  for (const auto& [name, value] : subject.properties) harness.set(name, value);
}

void drop_output(GstHarness* harness) {
  while (GstBuffer* buffer = gst_harness_try_pull(harness)) gst_buffer_unref(buffer);
  while (GstEvent* event = gst_harness_try_pull_event(harness)) gst_event_unref(event);
  while (GstEvent* event = gst_harness_try_pull_upstream_event(harness)) gst_event_unref(event);
}

bool begin_stream(GstHarness* harness, const char* id, GstCaps* caps, const GstSegment& segment) {
  gst_harness_push_event(harness, gst_event_new_stream_start(id));
  const bool taken = gst_harness_push_event(harness, gst_event_new_caps(caps));
  gst_harness_push_event(harness, gst_event_new_segment(&segment));
  return taken;
}

CapsPtr known_caps(const Subject& subject) {
  if (!subject.is_tracker) return caps_from(caps_text(320, 240, GST_VIDEO_FORMAT_I420));
  if (uses_color(subject)) {
    return caps_from(caps_text(kColorWidth, kColorHeight, GST_VIDEO_FORMAT_RGB));
  }
  return caps_from(caps_text(320, 240, GST_VIDEO_FORMAT_GRAY8));
}

BufferPtr known_picture(const Subject& subject, int index) {
  BufferPtr picture = !subject.is_tracker ? scene_with_tracks(index)
                      : uses_color(subject)
                          ? color_scene(index)
                          : make_buffer(moving_scene(index), GST_VIDEO_FORMAT_GRAY8);
  GST_BUFFER_PTS(picture.get()) = static_cast<GstClockTime>(index) * GST_SECOND / 25;
  return picture;
}

std::vector<std::string> known_answer(TrackerHarness& harness, const Subject& subject) {
  // What was asked for while it was stopped is kept for the next start, with its id: one that ends
  // at once forgets it.
  EXPECT_NE(gst_element_set_state(harness.element(), GST_STATE_NULL), GST_STATE_CHANGE_FAILURE);
  set_known_properties(harness, subject);
  EXPECT_EQ(gst_element_set_state(harness.element(), GST_STATE_PLAYING), GST_STATE_CHANGE_SUCCESS);
  EXPECT_EQ(gst_element_set_state(harness.element(), GST_STATE_NULL), GST_STATE_CHANGE_SUCCESS);
  drop_output(harness.get());
  // A flush or the end of a stream may have come through to the test's own pads, and what would
  // have ended it not.
  for (GstPad* pad : {harness.get()->srcpad, harness.get()->sinkpad}) {
    gst_pad_set_active(pad, FALSE);
    gst_pad_set_active(pad, TRUE);
  }
  EXPECT_EQ(gst_element_set_state(harness.element(), GST_STATE_PLAYING), GST_STATE_CHANGE_SUCCESS);
  GstSegment segment;
  gst_segment_init(&segment, GST_FORMAT_TIME);
  EXPECT_TRUE(begin_stream(harness.get(), "known", known_caps(subject).get(), segment));

  std::vector<std::string> lines;
  for (int i = 0; i < kPictures; ++i) {
    const BufferPtr result = harness.pass(known_picture(subject, i));
    EXPECT_TRUE(result && (!regions(result).empty() || i >= kPictures - 2)) << "picture " << i;
    lines.push_back(describe(result, !subject.is_tracker));
  }
  return lines;
}

}  // namespace cltrack::test
