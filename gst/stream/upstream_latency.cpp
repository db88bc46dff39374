// SPDX-License-Identifier: LGPL-2.1-or-later
#include "stream/upstream_latency.h"

namespace cltrack::gst {

std::optional<GstClockTime> UpstreamLatency::of_live(GstPad* sink_pad) {
  if (is_known_.exchange(true)) return latency_;
  latency_.reset();
  GstQuery* query = gst_query_new_latency();
  gboolean is_live = FALSE;
  GstClockTime least = 0;
  if (gst_pad_peer_query(sink_pad, query)) {
    gst_query_parse_latency(query, &is_live, &least, nullptr);
  }
  gst_query_unref(query);
  if (is_live && GST_CLOCK_TIME_IS_VALID(least)) latency_ = least;
  return latency_;
}

void add_latency(GstQuery* query, GstClockTime more) {
  gboolean is_live = FALSE;
  GstClockTime least = 0;
  GstClockTime most = 0;
  gst_query_parse_latency(query, &is_live, &least, &most);
  if (!is_live || !GST_CLOCK_TIME_IS_VALID(least)) return;
  if (GST_CLOCK_TIME_IS_VALID(most)) most += more;
  gst_query_set_latency(query, is_live, least + more, most);
}

}  // namespace cltrack::gst
