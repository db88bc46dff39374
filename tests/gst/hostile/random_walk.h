// SPDX-License-Identifier: LGPL-2.1-or-later
// A fuzz test of one element: random caps, buffers, events, queries, properties and state changes,
// in any order. Invariants are checked after each step.
#pragma once

#include <gst/video/video.h>

#include "action_note.h"
#include "hostile_subjects.h"
#include "log_watch.h"
#include "random_values.h"

namespace cltrack::test {

class RandomWalk {
 public:
  RandomWalk(const Subject& subject, std::uint64_t seed);

  // Stops at the first failure.
  void run(int steps);

  TrackerHarness& harness() { return harness_; }

 private:
  void step();
  void push_buffer();
  void change_caps();
  void restart();
  void check_output(GstBuffer* buffer, std::size_t regions_before);
  void check_push(GstFlowReturn flow, std::size_t regions_before);
  void expect_no_error();
  // The same one may come several times: GStreamer offers caps again that were refused.
  void expect_one_error_at_most();
  GstClockTime next_time();

  const Subject& subject_;
  RandomValues random_;
  ActionNote note_;
  LogWatch log_;
  TrackerHarness harness_;
  GstVideoInfo info_;  // of the caps that were offered last
  GstClockTime time_ = 0;
  GstFlowReturn flow_ = GST_FLOW_OK;
};

}  // namespace cltrack::test
