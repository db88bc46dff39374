// SPDX-License-Identifier: LGPL-2.1-or-later
// A live source that is twice as fast as pictures can be looked at, on a real clock. What a picture
// costs is for the most part a wait of the test; no bound depends on the machine's speed.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include "../support/bus.h"
#include "../support/gst_ptr.h"
#include "../support/scene.h"
#include "metadata/track_meta.h"

namespace cltrack {
namespace {

constexpr int kPictures = 60;
constexpr GstClockTime kInterval = 80 * GST_MSECOND;
constexpr GstClockTime kLimit = 400 * GST_MSECOND;
constexpr GstClockTime kStall = 2 * GST_SECOND;  // of a busy machine
constexpr std::chrono::milliseconds kCost(160);

struct Passing {
  GstClockTime came = 0, left = 0;  // running times
  bool is_looked_at = false;
  std::vector<BoundingBox> boxes;
};

struct Passage {
  test::ElementPtr pipeline;
  std::mutex mutex;
  std::map<int, Passing> pictures;  // by their numbers
  std::atomic<int> qos = 0;
  std::atomic<int> lost = 0;
  std::atomic<int> at_work = 0;  // number of the picture in the tracker

  GstClockTime now() const {
    const GstClockTime time = gst_clock_get_time(GST_ELEMENT_CLOCK(pipeline.get()));
    return time - gst_element_get_base_time(pipeline.get());
  }
};

int number_of(GstPadProbeInfo* info) {
  return static_cast<int>(GST_BUFFER_PTS(GST_PAD_PROBE_INFO_BUFFER(info)) / kInterval);
}

GstPadProbeReturn came(GstPad*, GstPadProbeInfo* info, gpointer data) {
  auto* run = static_cast<Passage*>(data);
  const std::lock_guard lock(run->mutex);
  run->at_work = number_of(info);
  run->pictures[number_of(info)].came = run->now();
  return GST_PAD_PROBE_OK;
}

GstPadProbeReturn left(GstPad*, GstPadProbeInfo* info, gpointer data) {
  auto* run = static_cast<Passage*>(data);
  const std::lock_guard lock(run->mutex);
  Passing& picture = run->pictures[number_of(info)];
  picture.left = run->now();
  for (const auto& region : gst::read_tracks(GST_PAD_PROBE_INFO_BUFFER(info))) {
    picture.boxes.push_back(region.box);
  }
  return GST_PAD_PROBE_OK;
}

GstBusSyncReply on_message(GstBus*, GstMessage* message, gpointer data) {
  auto* run = static_cast<Passage*>(data);
  if (GST_MESSAGE_TYPE(message) == GST_MESSAGE_QOS) ++run->qos;
  if (gst_message_has_name(message, "cltracker-state")) {
    const GstStructure* structure = gst_message_get_structure(message);
    run->lost += gst_structure_get_string(structure, "state") == std::string("lost");
    {
      const std::lock_guard lock(run->mutex);
      run->pictures[run->at_work].is_looked_at = true;
    }
    std::this_thread::sleep_for(kCost);
  }
  return GST_BUS_PASS;
}

void probe(GstElement* element, const char* name, GstPadProbeCallback callback, Passage& run) {
  const test::PadPtr pad(gst_element_get_static_pad(element, name));
  gst_pad_add_probe(pad.get(), GST_PAD_PROBE_TYPE_BUFFER, callback, &run, nullptr);
}

TEST(ClTrackerLatencyPipeline, ALiveSourceAtTwiceTheRateIsTracked) {
  const BoundingBox box = test::moving_target(0);
  const std::string line =
      "appsrc name=in is-live=true format=time ! cltracker name=tracker messages=every-frame "
      "max-latency=" +
      std::to_string(kLimit) + " targets=\"<<" + std::to_string(box.x) + "," +
      std::to_string(box.y) + "," + std::to_string(box.width) + "," + std::to_string(box.height) +
      ">>\" ! fakesink sync=true";
  Passage run;
  run.pipeline.reset(gst_parse_launch(line.c_str(), nullptr));
  ASSERT_NE(run.pipeline, nullptr);
  const test::ElementPtr source(gst_bin_get_by_name(GST_BIN(run.pipeline.get()), "in"));
  const test::ElementPtr tracker(gst_bin_get_by_name(GST_BIN(run.pipeline.get()), "tracker"));
  const test::BusPtr bus(gst_element_get_bus(run.pipeline.get()));
  gst_bus_set_sync_handler(bus.get(), on_message, &run, nullptr);
  probe(tracker.get(), "sink", came, run);
  probe(tracker.get(), "src", left, run);
  const test::CapsPtr caps = test::caps_from(test::caps_text(320, 240, GST_VIDEO_FORMAT_GRAY8));
  g_object_set(source.get(), "caps", caps.get(), nullptr);
  gst_element_set_state(run.pipeline.get(), GST_STATE_PLAYING);
  ASSERT_EQ(gst_element_get_state(source.get(), nullptr, nullptr, 60 * GST_SECOND),
            GST_STATE_CHANGE_SUCCESS);

  for (int i = 0; i < kPictures; ++i) {
    test::BufferPtr picture = test::make_buffer(test::moving_scene(i), GST_VIDEO_FORMAT_GRAY8);
    GST_BUFFER_PTS(picture.get()) = static_cast<GstClockTime>(i) * kInterval;
    GST_BUFFER_DURATION(picture.get()) = kInterval;
    while (run.now() < GST_BUFFER_PTS(picture.get())) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    GstFlowReturn flow = GST_FLOW_ERROR;
    g_signal_emit_by_name(source.get(), "push-buffer", picture.get(), &flow);
    ASSERT_EQ(flow, GST_FLOW_OK);
  }
  GstFlowReturn flow = GST_FLOW_ERROR;
  g_signal_emit_by_name(source.get(), "end-of-stream", &flow);
  const test::MessagePtr end = test::next_message(bus.get());
  ASSERT_NE(end, nullptr);
  EXPECT_EQ(GST_MESSAGE_TYPE(end.get()), GST_MESSAGE_EOS);
  gst_element_set_state(run.pipeline.get(), GST_STATE_NULL);
  gst_bus_set_sync_handler(bus.get(), nullptr, nullptr, nullptr);

  // Without a limit, the last one would leave nearly five seconds after its time.
  GstClockTime cost = 0, late = 0;
  int looked_at = 0;
  ASSERT_EQ(run.pictures.size(), std::size_t{kPictures}) << "each one passes";
  for (const auto& [number, picture] : run.pictures) {
    cost = std::max(cost, picture.left - picture.came);
    late = std::max(late, picture.left - static_cast<GstClockTime>(number) * kInterval);
    looked_at += picture.is_looked_at;
    ASSERT_EQ(picture.boxes.size(), picture.is_looked_at ? 1u : 0u) << number;
    if (picture.is_looked_at) {
      EXPECT_GT(overlap(picture.boxes[0], test::moving_target(number)), 0.4f) << number;
    }
  }
  EXPECT_LT(late, kLimit + cost + kStall);
  EXPECT_GE(looked_at, kPictures / 5);
  EXPECT_LT(looked_at, kPictures * 3 / 4);
  EXPECT_EQ(run.lost, 0);
  EXPECT_GT(run.qos, 0);
}

}  // namespace
}  // namespace cltrack
