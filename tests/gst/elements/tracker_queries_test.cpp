// SPDX-License-Identifier: LGPL-2.1-or-later
#include "elements/tracker_events.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../support/tracker_harness.h"

namespace cltrack {
namespace {

using ::testing::SizeIs;

TEST(TrackerQueries, MaxLatencyIsAddedToThePipelines) {
  test::TrackerHarness harness{{"max-latency", "100000000"}};
  gst_harness_set_upstream_latency(harness.get(), 20 * GST_MSECOND);
  EXPECT_EQ(gst_harness_query_latency(harness.get()), 120 * GST_MSECOND);
  harness.messages(GST_MESSAGE_LATENCY);
  harness.set("max-latency", "0");
  EXPECT_THAT(harness.messages(GST_MESSAGE_LATENCY), SizeIs(1));
  EXPECT_EQ(gst_harness_query_latency(harness.get()), 20 * GST_MSECOND);
}

}  // namespace
}  // namespace cltrack
