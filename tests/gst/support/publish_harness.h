// SPDX-License-Identifier: LGPL-2.1-or-later
// One trackpublish between a source and a sink of the test, with a bus.
#pragma once

#include <gst/check/gstharness.h>

#include <functional>
#include <string>
#include <vector>

#include "cltrack/track.h"
#include "gst_ptr.h"

namespace cltrack::test {

class PublishHarness {
 public:
  // What gst-launch would take behind "trackpublish", without spaces in values. It is not started.
  // Throws if there is no such element.
  explicit PublishHarness(const std::string& properties);
  ~PublishHarness();
  PublishHarness(const PublishHarness&) = delete;
  PublishHarness& operator=(const PublishHarness&) = delete;

  GstHarness* get() { return harness_; }
  GstElement* element() { return element_.get(); }

  // Whether it starts.
  bool start();
  void stop() { gst_element_set_state(element(), GST_STATE_NULL); }

  // Passes a picture with these tracks, 1/25 s after the one before; null if nothing comes out.
  BufferPtr pass(const std::vector<Track>& tracks);
  // As many pictures with one track.
  void pass_pictures(int count);

  StructurePtr stats();
  guint64 stat(const char* name);
  bool is_connected();

  // The first element message of this name since the call before that meets the condition; null if
  // none comes in a time in which it surely would have.
  StructurePtr wait_for(const std::string& name,
                        const std::function<bool(const GstStructure*)>& condition);
  // A message "trackpublish-connection" with this state.
  StructurePtr wait_for_connection(const std::string& state);
  // The texts of errors and warnings on the bus.
  std::vector<std::string> texts();

 private:
  ElementPtr element_;
  BusPtr bus_;
  GstHarness* harness_;
  GstClockTime next_ = 0;
};

}  // namespace cltrack::test
