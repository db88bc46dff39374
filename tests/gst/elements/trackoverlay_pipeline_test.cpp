// SPDX-License-Identifier: LGPL-2.1-or-later
// trackoverlay in whole pipelines, behind cltracker.
#include <gst/video/video.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "../support/bus.h"
#include "../support/gst_ptr.h"
#include "../support/video_picture.h"
#include "metadata/track_meta.h"

namespace cltrack::test {
namespace {

struct Outcome {
  std::string error;
  int frames = 0;
  int with_region = 0;
  int drawn = 0;              // frames whose pixels changed
  int drawn_for_nothing = 0;  // of these, those without a region
  std::vector<std::uint8_t> before;
};

GstPadProbeReturn see_input(GstPad*, GstPadProbeInfo* info, gpointer data) {
  static_cast<Outcome*>(data)->before = bytes_of(GST_PAD_PROBE_INFO_BUFFER(info));
  return GST_PAD_PROBE_OK;
}

GstPadProbeReturn see_output(GstPad*, GstPadProbeInfo* info, gpointer data) {
  auto* outcome = static_cast<Outcome*>(data);
  GstBuffer* buffer = GST_PAD_PROBE_INFO_BUFFER(info);
  const bool has_region = !gst::read_tracks(buffer).empty();
  const bool drawn = bytes_of(buffer) != outcome->before;
  ++outcome->frames;
  outcome->with_region += has_region;
  outcome->drawn += drawn;
  outcome->drawn_for_nothing += drawn && !has_region;
  return GST_PAD_PROBE_OK;
}

void add_probe(GstElement* element, const char* pad_name, GstPadProbeCallback see, Outcome& data) {
  GstPad* pad = gst_element_get_static_pad(element, pad_name);
  gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER, see, &data, nullptr);
  gst_object_unref(pad);
}

// Runs a line with "trackoverlay name=overlay" to its end.
Outcome run(const std::string& line) {
  Outcome outcome;
  GError* error = nullptr;
  const ElementPtr pipeline(gst_parse_launch(line.c_str(), &error));
  if (error == nullptr) {
    const ElementPtr overlay(gst_bin_get_by_name(GST_BIN(pipeline.get()), "overlay"));
    add_probe(overlay.get(), "sink", see_input, outcome);
    add_probe(overlay.get(), "src", see_output, outcome);
    gst_element_set_state(pipeline.get(), GST_STATE_PLAYING);
    const BusPtr bus(gst_element_get_bus(pipeline.get()));
    const MessagePtr message = next_message(bus.get());
    gst_element_set_state(pipeline.get(), GST_STATE_NULL);
    if (!message) {
      outcome.error = "no end within ten minutes";
    } else if (GST_MESSAGE_TYPE(message.get()) == GST_MESSAGE_ERROR) {
      gst_message_parse_error(message.get(), &error, nullptr);
    }
  }
  if (error != nullptr) {
    outcome.error = error->message;
    g_error_free(error);
  }
  return outcome;
}

const std::string kBall =
    "videotestsrc num-buffers=20 pattern=ball ! video/x-raw,width=320,height=240,format=I420 ! "
    "cltracker object-initial-x=135 object-initial-y=95 object-initial-width=50 "
    "object-initial-height=50 ! ";

void expect_marks_on_every_region(const Outcome& outcome, int frames) {
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.frames, frames);
  EXPECT_GT(outcome.with_region, 0);
  EXPECT_EQ(outcome.drawn - outcome.drawn_for_nothing, outcome.with_region);
}

TEST(TrackOverlayPipeline, LineOfTheReference) {
  expect_marks_on_every_region(run(kBall + "trackoverlay name=overlay ! fakesink"), 20);
}

TEST(TrackOverlayPipeline, BehindAConverter) {
  expect_marks_on_every_region(
      run(kBall + "videoconvert ! video/x-raw,format=RGB ! trackoverlay name=overlay ! fakesink"),
      20);
}

TEST(TrackOverlayPipeline, BehindAScaler) {
  expect_marks_on_every_region(
      run(kBall + "videoscale ! video/x-raw,width=641 ! trackoverlay name=overlay ! fakesink"), 20);
}

TEST(TrackOverlayPipeline, OnOneBranchOfATee) {
  const Outcome outcome = run(kBall +
                              "tee name=split ! queue ! trackoverlay name=overlay ! fakesink "
                              "split. ! queue ! fakesink");
  expect_marks_on_every_region(outcome, 20);
}

TEST(TrackOverlayPipeline, RealVideo) {
  const char* data = std::getenv("CLTRACK_DATA");
  if (data == nullptr) GTEST_SKIP() << "CLTRACK_DATA is not set";
  const std::filesystem::path file =
      std::filesystem::path(data) / "tld/pedestrian1/pedestrian1.mpg";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "CLTRACK_DATA has no " << file.filename();
  const Outcome outcome =
      run("filesrc location=\"" + file.string() +
          "\" ! decodebin ! cltracker targets=\"<<47,51,21,36>>\" ! trackoverlay name=overlay ! "
          "fakesink");
  EXPECT_EQ(outcome.error, "");
  EXPECT_GT(outcome.frames, 100);
  EXPECT_GT(outcome.with_region, 0);
  EXPECT_EQ(outcome.drawn - outcome.drawn_for_nothing, outcome.with_region);
}

}  // namespace
}  // namespace cltrack::test
