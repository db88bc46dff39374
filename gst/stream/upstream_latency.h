// SPDX-License-Identifier: LGPL-2.1-or-later
// Latency: what upstream has, and what the element adds to it.
#pragma once

#include <gst/gst.h>

#include <atomic>
#include <optional>

namespace cltrack::gst {

class UpstreamLatency {
 public:
  // The least latency of the pictures that arrive at the sink pad, if they come from a live source.
  // Asks upstream at the first time and after ask_again(): no lock may be held. One thread at a
  // time.
  std::optional<GstClockTime> of_live(GstPad* sink_pad);

  // It may have changed. Any thread.
  void ask_again() { is_known_ = false; }

 private:
  std::atomic<bool> is_known_ = false;
  std::optional<GstClockTime> latency_;
};

// Adds what a live picture may be held back to an answered query.
void add_latency(GstQuery* query, GstClockTime more);

}  // namespace cltrack::gst
