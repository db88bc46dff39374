// SPDX-License-Identifier: LGPL-2.1-or-later
// Elements between a source and a sink of the test, with a bus; signals, events and answers of
// those that track.
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

inline constexpr auto kErrorOrWarning =
    static_cast<GstMessageType>(int{GST_MESSAGE_ERROR} | int{GST_MESSAGE_WARNING});

class ElementHarness {
 public:
  static constexpr GstClockTime kFrameTime = GST_SECOND / 25;

  // What gst-launch would take.
  explicit ElementHarness(const std::string& line);
  // The properties are set, in the syntax of gst-launch, before the element is started.
  ElementHarness(const char* factory, const std::vector<Property>& properties);
  ~ElementHarness();
  ElementHarness(const ElementHarness&) = delete;
  ElementHarness& operator=(const ElementHarness&) = delete;

  GstHarness* get() { return harness_; }
  GstElement* element() { return element_.get(); }
  GObject* object() { return G_OBJECT(element_.get()); }

  void set(const std::string& property, const std::string& value);
  GstStateChangeReturn set_state(GstState state);

  // Pushes a buffer of 1/25 s at the time after the one before, unless it has a time already.
  GstFlowReturn push(BufferPtr buffer);
  // Pushes and pulls; null if nothing came out.
  BufferPtr pass(BufferPtr buffer);
  BufferPtr pull();
  void set_next_time(GstClockTime time) { next_ = time; }

  void push_event(GstEvent* event);
  void push_segment(GstClockTime start = 0, GstClockTime base = 0);
  void flush();

  // All messages of a type that are on the bus by now; the others are dropped.
  std::vector<MessagePtr> messages(GstMessageType type);
  // The texts of error or warning messages.
  std::vector<std::string> texts(GstMessageType type = kErrorOrWarning);

 protected:
  GstBus* bus() { return bus_.get(); }

 private:
  ElementHarness(GstElement* element, const std::vector<Property>& properties);

  ElementPtr element_;
  BusPtr bus_;
  GstHarness* harness_;
  GstClockTime next_ = 0;
};

// cltracker or clcolortracker.
class TrackerHarness : public ElementHarness {
 public:
  // TrackerHarness harness{{"targets", "<<1,2,30,40>>"}, {"seed", "1"}};
  TrackerHarness(std::initializer_list<Property> properties, const char* factory = "cltracker");
  TrackerHarness() : TrackerHarness(std::initializer_list<Property>{}) {}
  using ElementHarness::ElementHarness;

  void set_caps(int width, int height, GstVideoFormat format = GST_VIDEO_FORMAT_GRAY8);
  using ElementHarness::pass, ElementHarness::push;
  GstFlowReturn push(const Image& picture, GstVideoFormat format = GST_VIDEO_FORMAT_GRAY8);
  BufferPtr pass(const Image& picture, GstVideoFormat format = GST_VIDEO_FORMAT_GRAY8);

  // The structures of the messages "cltracker-state".
  std::vector<StructurePtr> states();
  StructurePtr stats() { return structure_property(object(), "stats"); }
};

// cltracker that gets pictures of 320x240 in grey.
struct GreyTracker : TrackerHarness {
  GreyTracker(std::initializer_list<Property> properties) : TrackerHarness(properties) {
    set_caps(320, 240);
  }
  GreyTracker() : GreyTracker(std::initializer_list<Property>{}) {}
};

std::vector<gst::TrackRegion> regions(const BufferPtr& buffer);

// The box in parts of pixels, from the parameters "cltrack" of each region.
std::vector<BoundingBox> boxes(const BufferPtr& buffer);

// The state that a state message reports.
std::string state_of(const StructurePtr& message);
guint64 id_of(const StructurePtr& message);

std::uint64_t add_target(TrackerHarness& harness, const BoundingBox& box, const char* label);
bool move_target(TrackerHarness& harness, std::uint64_t id, const BoundingBox& box);
bool remove_target(TrackerHarness& harness, std::uint64_t id);
void clear_targets(TrackerHarness& harness);

// An event cltrack-control with these fields, as gst-launch writes them.
GstEvent* control_event(GstEventType type, const std::string& fields);

// A message cltracker-target.
struct Answer {
  std::string action, label, source, reason;
  guint64 id = 0;
  gint64 request = 0;
  guint64 timestamp = 0, running_time = 0;
};

// All that are on the bus by now; other messages are dropped.
std::vector<Answer> answers(TrackerHarness& harness);
std::vector<std::string> actions(TrackerHarness& harness);

// Events cltrack-control that the element has passed on since the call before.
int control_events_downstream(TrackerHarness& harness);
int control_events_upstream(TrackerHarness& harness);

}  // namespace cltrack::test
