// SPDX-License-Identifier: LGPL-2.1-or-later
#include "element_checks.h"

#include <gst/video/gstvideometa.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string_view>

#include "../support/gst_ptr.h"
#include "random_values.h"

namespace cltrack::test {
namespace {

// Warnings about invalid input, which fuzz tests may cause.
constexpr std::array<std::string_view, 23> kExpectedWarnings{
    "is not a target",         // targets
    "extends beyond the",      // a target, clipped
    "this target is ignored",  // a target outside the frame, or too small
    "no pixel",                // the same
    "targets-json:",           // the same as text
    "write polygons as",       // regions
    "cltrack-control:",        // events
    "cannot be a target",      // their boxes
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
