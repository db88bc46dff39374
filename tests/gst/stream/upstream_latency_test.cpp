// SPDX-License-Identifier: LGPL-2.1-or-later
#include "stream/effort_policy.h"

#include <gtest/gtest.h>

#include "../support/gst_ptr.h"

namespace cltrack {
namespace {

struct Upstream {
  gboolean is_live = TRUE;
  GstClockTime least = 5;
  int asked = 0;
};

gboolean answer(GstPad* pad, GstObject*, GstQuery* query) {
  auto* upstream = static_cast<Upstream*>(gst_pad_get_element_private(pad));
  if (GST_QUERY_TYPE(query) != GST_QUERY_LATENCY) return FALSE;
  ++upstream->asked;
  gst_query_set_latency(query, upstream->is_live, upstream->least, GST_CLOCK_TIME_NONE);
  return TRUE;
}

TEST(UpstreamLatency, IsAskedForOnceAndAgainOnDemand) {
  Upstream upstream;
  const test::PadPtr source(gst_pad_new("src", GST_PAD_SRC)),
      sink(gst_pad_new("sink", GST_PAD_SINK));
  gst_pad_set_element_private(source.get(), &upstream);
  gst_pad_set_query_function(source.get(), answer);
  gst::UpstreamLatency latency;
  EXPECT_FALSE(latency.of_live(sink.get())) << "not linked";
  ASSERT_EQ(gst_pad_link(source.get(), sink.get()), GST_PAD_LINK_OK);
  EXPECT_FALSE(latency.of_live(sink.get()));
  latency.ask_again();
  EXPECT_EQ(latency.of_live(sink.get()), GstClockTime{5});
  upstream.least = 7;
  EXPECT_EQ(latency.of_live(sink.get()), GstClockTime{5});
  EXPECT_EQ(upstream.asked, 1);
  latency.ask_again();
  EXPECT_EQ(latency.of_live(sink.get()), GstClockTime{7});
  upstream.is_live = FALSE;
  latency.ask_again();
  EXPECT_FALSE(latency.of_live(sink.get()));
}

TEST(AddLatency, AddsToLiveAnswersAlone) {
  const test::QueryPtr query(gst_query_new_latency());
  gboolean is_live = FALSE;
  GstClockTime least = 0, most = 0;
  const auto added = [&](gboolean live, GstClockTime before) {
    gst_query_set_latency(query.get(), live, 10, before);
    gst::add_latency(query.get(), 30);
    gst_query_parse_latency(query.get(), &is_live, &least, &most);
  };
  added(TRUE, 20);
  EXPECT_EQ(least, 40u);
  EXPECT_EQ(most, 50u);
  added(TRUE, GST_CLOCK_TIME_NONE);
  EXPECT_EQ(least, 40u);
  EXPECT_EQ(most, GST_CLOCK_TIME_NONE);
  added(FALSE, 20);
  EXPECT_EQ(least, 10u);
  EXPECT_EQ(most, 20u);
}

}  // namespace
}  // namespace cltrack
