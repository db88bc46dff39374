// SPDX-License-Identifier: LGPL-2.1-or-later
// One cltracker, or another tracking element, between a source and a sink of the test, with a bus.
#pragma once

#include <gst/check/gstharness.h>

#include <initializer_list>
#include <string>
#include <vector>

#include "cltrack/bounding_box.h"
#include "gst_ptr.h"
#include "metadata/track_meta.h"
#include "scene.h"

namespace cltrack::test {

struct Property {
  std::string name;
  std::string value;
};

class TrackerHarness {
 public:
  // The properties are set, in the syntax of gst-launch, before the element is started:
  // TrackerHarness harness{{"targets", "<<1,2,30,40>>"}, {"seed", "1"}};
  TrackerHarness(std::initializer_list<Property> properties, const char* factory = "cltracker");
  TrackerHarness() : TrackerHarness(std::initializer_list<Property>{}) {}
  TrackerHarness(const char* factory, const std::vector<Property>& properties);
  ~TrackerHarness();
  TrackerHarness(const TrackerHarness&) = delete;
  TrackerHarness& operator=(const TrackerHarness&) = delete;

  GstHarness* get() { return harness_; }
  GstElement* element() { return element_.get(); }
  GObject* object() { return G_OBJECT(element_.get()); }

  void set(const std::string& property, const std::string& value);
  void set_caps(int width, int height, GstVideoFormat format = GST_VIDEO_FORMAT_GRAY8);

  // Pushes a buffer of 1/25 s at the time after the one before, unless it has a time already.
  GstFlowReturn push(BufferPtr buffer);
  GstFlowReturn push(const Image& picture, GstVideoFormat format = GST_VIDEO_FORMAT_GRAY8);

  // Pushes and pulls; null if nothing came out.
  BufferPtr pass(BufferPtr buffer);
  BufferPtr pass(const Image& picture, GstVideoFormat format = GST_VIDEO_FORMAT_GRAY8);
  BufferPtr pull();

  void push_event(GstEvent* event);

  // All messages of a type that are on the bus by now; the others are dropped.
  std::vector<MessagePtr> messages(GstMessageType type);
  // The structures of the messages "cltracker-state".
  std::vector<StructurePtr> states();
  // The texts of error or warning messages.
  std::vector<std::string> texts(GstMessageType type);

  StructurePtr stats();

 private:
  ElementPtr element_;
  BusPtr bus_;
  GstHarness* harness_;
  GstClockTime next_ = 0;
};

std::vector<gst::TrackRegion> regions(const BufferPtr& buffer);

// The box in parts of pixels, from the parameters "cltrack" of each region.
std::vector<BoundingBox> boxes(const BufferPtr& buffer);

// The state that a state message reports.
std::string state_of(const StructurePtr& message);
guint64 id_of(const StructurePtr& message);

}  // namespace cltrack::test
