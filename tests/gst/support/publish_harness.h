// SPDX-License-Identifier: LGPL-2.1-or-later
// One trackpublish between a source and a sink of the test, with a bus.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cltrack/track.h"
#include "tracker_harness.h"

namespace cltrack::test {

// A track of a car, as most messages of tests have it.
Track car(std::uint64_t id = 7, TrackState state = TrackState::tracking);

class PublishHarness : public ElementHarness {
 public:
  // What gst-launch would take behind "trackpublish", without spaces in values. It is not started.
  explicit PublishHarness(const std::string& properties);

  // Whether it starts.
  bool start();
  void stop() { set_state(GST_STATE_NULL); }

  // Passes a picture with these tracks, 1/25 s after the one before; null if nothing comes out.
  BufferPtr pass(const std::vector<Track>& tracks);
  // As many pictures with one track.
  void pass_pictures(int count);

  StructurePtr stats() { return structure_property(object(), "stats"); }
  guint64 stat(const char* name) { return uint64_of(stats().get(), name); }
  bool is_connected();

  // The first element message of this name since the call before that meets the condition; null if
  // none comes in a time in which it surely would have.
  StructurePtr wait_for(const std::string& name,
                        const std::function<bool(const GstStructure*)>& condition);
  // A message "trackpublish-connection" with this state.
  StructurePtr wait_for_connection(const std::string& state);
  StructurePtr wait_for_dropped();
};

}  // namespace cltrack::test
