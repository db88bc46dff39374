// SPDX-License-Identifier: LGPL-2.1-or-later
#include "late_stream.h"

#include <gtest/gtest.h>

#include <utility>

namespace cltrack::test {
namespace {

std::string first_target() {
  const BoundingBox box = moving_target(0);
  return "<<" + std::to_string(box.x) + "," + std::to_string(box.y) + "," +
         std::to_string(box.width) + "," + std::to_string(box.height) + ">>";
}

}  // namespace

LateStream::LateStream(const std::string& max_latency)
    : harness_{
          {"targets", first_target()}, {"max-latency", max_latency}, {"messages", "every-frame"}} {
  gst_harness_use_testclock(harness_.get());
  clock_ = gst_harness_get_testclock(harness_.get());
  harness_.set_caps(320, 240);
  GstBus* bus = gst_element_get_bus(harness_.element());
  gst_bus_set_sync_handler(bus, on_message, this, nullptr);
  gst_object_unref(bus);
}

LateStream::~LateStream() {
  GstBus* bus = gst_element_get_bus(harness_.element());
  gst_bus_set_sync_handler(bus, nullptr, nullptr, nullptr);
  gst_object_unref(bus);
  gst_object_unref(clock_);
}

// The message of its state comes while the element is at work on a picture.
GstBusSyncReply LateStream::on_message(GstBus*, GstMessage* message, gpointer data) {
  auto* self = static_cast<LateStream*>(data);
  if (GST_MESSAGE_TYPE(message) == GST_MESSAGE_QOS) {
    self->qos.emplace_back(gst_message_ref(message));
  }
  if (gst_message_has_name(message, "cltracker-state")) {
    self->states.emplace_back(gst_structure_copy(gst_message_get_structure(message)));
    const bool has_scan = self->scans() != std::exchange(self->scans_, self->scans());
    gst_test_clock_advance_time(
        self->clock_,
        static_cast<GstClockTimeDiff>(has_scan ? self->detector_cost : self->motion_cost));
  }
  return GST_BUS_PASS;
}

guint64 LateStream::scans() {
  const StructurePtr stats = harness_.stats();
  const GValue* stages = gst_structure_get_value(stats.get(), "stages");
  for (guint i = 0; i < gst_value_array_get_size(stages); ++i) {
    const GstStructure* stage = gst_value_get_structure(gst_value_array_get_value(stages, i));
    guint64 calls = 0;
    if (std::string(gst_structure_get_string(stage, "name")) == "ferns" &&
        gst_structure_get_uint64(stage, "calls", &calls)) {
      return calls;
    }
  }
  ADD_FAILURE() << "no stage \"ferns\"";
  return 0;
}

guint64 LateStream::count(const char* field) {
  guint64 value = 0;
  EXPECT_TRUE(gst_structure_get_uint64(harness_.stats().get(), field, &value)) << field;
  return value;
}

BufferPtr LateStream::step(int place) {
  BufferPtr picture = make_buffer(moving_scene(place), GST_VIDEO_FORMAT_GRAY8);
  const GstClockTime time = pictures.size() * kInterval;
  GST_BUFFER_PTS(picture.get()) = time;
  GST_BUFFER_DURATION(picture.get()) = kInterval;
  if (std::exchange(breaks_off_, false)) {
    GST_BUFFER_FLAG_SET(picture.get(), GST_BUFFER_FLAG_DISCONT);
  }
  if (now() < time) gst_test_clock_set_time(clock_, time);
  const std::size_t before = states.size();
  BufferPtr out = harness_.pass(std::move(picture));
  pictures.push_back({GST_CLOCK_DIFF(time, now()), states.size() > before,
                      out ? boxes(out) : std::vector<BoundingBox>()});
  return out;
}

void LateStream::run(int count) {
  for (int i = 0; i < count; ++i) {
    EXPECT_NE(step(static_cast<int>(pictures.size())), nullptr);
  }
}

}  // namespace cltrack::test
