// SPDX-License-Identifier: LGPL-2.1-or-later
// A live source on a clock of the test, and pictures that cost what the test says: nothing depends
// on the machine's speed.
#pragma once

#include <gst/check/gsttestclock.h>

#include <string>
#include <vector>

#include "scene.h"
#include "tracker_harness.h"

namespace cltrack::test {

class LateStream {
 public:
  static constexpr GstClockTime kInterval = GST_SECOND / 25;

  // One target of moving_scene(), and `max_latency` in ns.
  explicit LateStream(const std::string& max_latency);
  ~LateStream();
  LateStream(const LateStream&) = delete;
  LateStream& operator=(const LateStream&) = delete;

  // What a picture costs that is looked at, with the detector and without.
  GstClockTime detector_cost = 0;
  GstClockTime motion_cost = 0;

  // Each picture comes at its time, or when the one before is done.
  void run(int pictures);
  // The next one is marked as not following on.
  void break_off() { breaks_off_ = true; }
  // The next one, on which the target is where it is on picture `place`.
  BufferPtr step(int place);

  TrackerHarness& harness() { return harness_; }
  guint64 count(const char* field);  // of the statistics
  GstClockTime now() const { return gst_clock_get_time(GST_CLOCK(clock_)); }

  struct Picture {
    GstClockTimeDiff late;  // when it left, after its time
    bool is_looked_at;
    std::vector<BoundingBox> boxes;
  };
  std::vector<Picture> pictures;
  std::vector<StructurePtr> states;
  std::vector<MessagePtr> qos;

 private:
  static GstBusSyncReply on_message(GstBus* bus, GstMessage* message, gpointer self);
  guint64 scans();

  TrackerHarness harness_;
  GstTestClock* clock_;
  guint64 scans_ = 0;
  bool breaks_off_ = false;
};

}  // namespace cltrack::test
