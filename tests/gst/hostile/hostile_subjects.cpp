// SPDX-License-Identifier: LGPL-2.1-or-later
#include "hostile_subjects.h"

#include <gst/video/gstvideometa.h>
#include <gst/video/video-overlay-composition.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <sstream>
#include <string_view>

#include "../support/gst_ptr.h"
#include "../support/scene.h"
#include "../support/video_picture.h"
#include "random_properties.h"
#include "random_values.h"

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
  const Track track{.id = 7,
                    .label = "thing",
                    .box = {100.0f + static_cast<float>(4 * index), 80, 60, 50},
                    .confidence = 0.87f,
                    .state = TrackState::tracking};
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
      {"trackzones",
       "trackzones",
       {{"zones", "gate: line 0,0.5 1,0.5; all: area dwell=0.1 crowd=1 0,0 1,0 1,1 0,1"}},
       all_video_formats(),
       false,
       false},
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
  EXPECT_NE(harness.set_state(GST_STATE_NULL), GST_STATE_CHANGE_FAILURE);
  set_known_properties(harness, subject);
  EXPECT_EQ(harness.set_state(GST_STATE_PLAYING), GST_STATE_CHANGE_SUCCESS);
  EXPECT_EQ(harness.set_state(GST_STATE_NULL), GST_STATE_CHANGE_SUCCESS);
  drop_output(harness.get());
  // A flush or the end of a stream may have come through to the test's own pads, and what would
  // have ended it not.
  for (GstPad* pad : {harness.get()->srcpad, harness.get()->sinkpad}) {
    gst_pad_set_active(pad, FALSE);
    gst_pad_set_active(pad, TRUE);
  }
  EXPECT_EQ(harness.set_state(GST_STATE_PLAYING), GST_STATE_CHANGE_SUCCESS);
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

namespace {

// Warnings about invalid input, which fuzz tests may cause.
constexpr std::array<std::string_view, 25> kExpectedWarnings{
    "is not a target",         // targets
    "extends beyond the",      // a target, clipped
    "this target is ignored",  // a target outside the frame, or too small
    "no pixel",                // the same
    "targets-json:",           // the same as text
    "write polygons as",       // regions
    "zones: ",                 // zones
    "state-file",              // that cannot be written
    "cltrack-control:",        // events
    "cannot be tracked",       // their boxes
    "there is no target",      // their ids
    "stays where it is",       // a target that was moved out of the frame
    "max-targets",             // more targets than it allows
    "a detection is not",      // tracked: more than it allows
    "Property style",          // memory that cannot be drawn on
    "needs GstAnalytics",      // roi-id, in a build without it
    "is not valid UTF-8",      // labels
    "label-template",          // with unknown fields
    "colour:",                 // numbers of a colour
    "colors:",                 // colours
    "box",                     // a colour's box outside the frame
    "Property font",           // not installed
    "template-location",       // larger than the frame
    "The pipeline goes on",    // a broker that is not there
    "not negotiated",          // by GStreamer, of caps that were refused
};

// GStreamer's own warnings about such input.
constexpr std::array<std::string_view, 1> kExpectedLog{
    // A quoted text that looks like a number, in an array: its type is not given.
    "Received a structure string that contains '=\"",
};

bool contains_any(const std::string& text, std::span<const std::string_view> expected) {
  return std::any_of(expected.begin(), expected.end(),
                     [&](std::string_view part) { return text.find(part) != std::string::npos; });
}

void check_region(GstVideoRegionOfInterestMeta* region, const GstVideoInfo& info) {
  EXPECT_GT(region->w, 0u);
  EXPECT_GT(region->h, 0u);
  EXPECT_LE(guint64{region->x} + region->w, static_cast<guint64>(info.width));
  EXPECT_LE(guint64{region->y} + region->h, static_cast<guint64>(info.height));
  const GstStructure* own = gst_video_region_of_interest_meta_get_param(region, "cltrack");
  ASSERT_NE(own, nullptr);
  for (const char* name : {"x", "y", "width", "height", "confidence"}) {
    double value = NAN;
    EXPECT_TRUE(gst_structure_get_double(own, name, &value) && std::isfinite(value))
        << name << " = " << value;
  }
}

}  // namespace

bool get_current_info(GstElement* element, GstVideoInfo& info) {
  GstPad* pad = gst_element_get_static_pad(element, "sink");
  const CapsPtr caps(gst_pad_get_current_caps(pad));
  gst_object_unref(pad);
  return caps && gst_video_info_from_caps(&info, caps.get());
}

std::size_t count_regions(GstBuffer* buffer) {
  return gst_buffer_get_n_meta(buffer, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE);
}

void check_regions(GstBuffer* buffer, std::size_t before, const GstVideoInfo& info) {
  std::size_t index = 0;
  gpointer position = nullptr;
  while (GstMeta* meta = gst_buffer_iterate_meta_filtered(
             buffer, &position, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)) {
    if (index++ < before) continue;
    check_region(reinterpret_cast<GstVideoRegionOfInterestMeta*>(meta), info);
  }
}

std::vector<std::string> take_errors(GstElement* element) {
  constexpr auto kBoth =
      static_cast<GstMessageType>(int{GST_MESSAGE_ERROR} | int{GST_MESSAGE_WARNING});
  std::vector<std::string> errors;
  const BusPtr bus(gst_element_get_bus(element));
  while (const MessagePtr message{gst_bus_pop_filtered(bus.get(), kBoth)}) {
    const std::string text = text_of(message);
    EXPECT_FALSE(text.empty());
    EXPECT_TRUE(g_utf8_validate(text.c_str(), -1, nullptr)) << describe_text(text);
    if (GST_MESSAGE_TYPE(message.get()) == GST_MESSAGE_ERROR) {
      errors.push_back(text);
    } else {
      EXPECT_TRUE(contains_any(text, kExpectedWarnings)) << "unexpected: " << text.substr(0, 1000);
    }
  }
  return errors;
}

bool is_expected_log(const std::string& line) { return contains_any(line, kExpectedLog); }

}  // namespace cltrack::test
