// SPDX-License-Identifier: LGPL-2.1-or-later
#include "metadata/track_messages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../support/late_stream.h"

namespace cltrack {
namespace {

using test::LateStream;

TEST(QosMessages, TellOfItNowAndThen) {
  LateStream stream("100000000");
  stream.detector_cost = stream.motion_cost = 80 * GST_MSECOND;
  stream.run(100);
  ASSERT_GT(stream.qos.size(), 5u);
  EXPECT_LE(stream.qos.size(), 17u) << "four a second";
  for (const auto& message : stream.qos) {
    EXPECT_EQ(GST_MESSAGE_SRC(message.get()), GST_OBJECT(stream.harness().element()));
    gboolean is_live = FALSE;
    gst_message_parse_qos(message.get(), &is_live, nullptr, nullptr, nullptr, nullptr);
    EXPECT_TRUE(is_live);
  }
  GstFormat format = GST_FORMAT_UNDEFINED;
  guint64 processed = 0, dropped = 0, time = 0;
  gst_message_parse_qos_stats(stream.qos.back().get(), &format, &processed, &dropped);
  gst_message_parse_qos(stream.qos.back().get(), nullptr, &time, nullptr, nullptr, nullptr);
  EXPECT_EQ(format, GST_FORMAT_BUFFERS);
  EXPECT_EQ(processed + dropped, time / LateStream::kInterval + 1);
  EXPECT_GT(dropped, 0u);
}

// The times of a picture, and how late it was.
TEST(QosMessages, SayWhichPictureAndHowLate) {
  const test::ElementPtr element(gst_bin_new("it"));
  const test::BusPtr bus(gst_bus_new());
  gst_element_set_bus(element.get(), bus.get());
  gst::QosMessages messages;
  const gst::BufferTimes times{10, 20, 30, 40};
  messages.post(element.get(), times, 7, gst::FrameEffort::none, {{1, 2, 3, 4}}, false);
  const test::MessagePtr message(gst_bus_pop(bus.get()));
  ASSERT_NE(message, nullptr);
  gboolean is_live = TRUE;
  guint64 running_time = 0, stream_time = 0, timestamp = 0, duration = 0, processed = 0,
          dropped = 0;
  gint64 late = 0;
  gint quality = -1;
  gst_message_parse_qos(message.get(), &is_live, &running_time, &stream_time, &timestamp,
                        &duration);
  gst_message_parse_qos_values(message.get(), &late, nullptr, &quality);
  gst_message_parse_qos_stats(message.get(), nullptr, &processed, &dropped);
  EXPECT_FALSE(is_live);
  EXPECT_EQ(timestamp, 10u);
  EXPECT_EQ(stream_time, 20u);
  EXPECT_EQ(running_time, 30u);
  EXPECT_EQ(duration, 40u);
  EXPECT_EQ(late, 7);
  EXPECT_EQ(quality, 0);
  EXPECT_EQ(processed, 6u);
  EXPECT_EQ(dropped, 4u);
  gst_element_set_bus(element.get(), nullptr);
}

}  // namespace
}  // namespace cltrack
