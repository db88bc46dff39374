// SPDX-License-Identifier: LGPL-2.1-or-later
#include "random_events.h"

#include <string>

#include "../support/gst_ptr.h"

namespace cltrack::test {
namespace {

struct Size {
  int width, height;
};

Size random_size(RandomValues& random) {
  switch (random.between(0, 19)) {
    case 0:
      return {1, 1};
    case 1:
      return {1, random.between(1, 4096)};
    case 2:
      return {random.between(1, 4096), 1};
    case 3:
    case 4:
      return {random.between(1, 9), random.between(1, 9)};
    case 5:
      return {16384, 16384};
    case 6:
      return {G_MAXINT, random.between(1, 2) == 1 ? 1 : G_MAXINT};
    default:
      return {random.between(8, 120), random.between(8, 90)};
  }
}

void add_odd_fields(RandomValues& random, GstCaps* caps) {
  if (random.chance(0.2f)) {
    constexpr const char* kModes[] = {"interleaved", "mixed", "fields"};
    gst_caps_set_simple(caps, "interlace-mode", G_TYPE_STRING, random.pick(kModes), nullptr);
  }
  if (random.chance(0.1f)) {
    gst_caps_set_simple(caps, "pixel-aspect-ratio", GST_TYPE_FRACTION, random.between(1, 5), 3,
                        nullptr);
  }
  if (random.chance(0.1f)) {
    gst_caps_set_simple(caps, "views", G_TYPE_INT, 2, "multiview-mode", G_TYPE_STRING,
                        "side-by-side", nullptr);
  }
  if (random.chance(0.1f)) {
    constexpr const char* kColorimetries[] = {"bt2020", "1:3:5:1", "no such thing"};
    gst_caps_set_simple(caps, "colorimetry", G_TYPE_STRING, random.pick(kColorimetries), nullptr);
  }
}

void add_feature(RandomValues& random, GstCaps* caps) {
  constexpr const char* kMemories[] = {"memory:DMABuf", "memory:GLMemory",
                                       "meta:GstVideoOverlayComposition"};
  if (random.chance(0.05f)) {
    gst_caps_set_simple(caps, "interlace-mode", G_TYPE_STRING, "alternate", nullptr);
    gst_caps_set_features(caps, 0, gst_caps_features_new("format:Interlaced", nullptr));
  } else if (random.chance(0.07f)) {
    gst_caps_set_features(caps, 0, gst_caps_features_new(random.pick(kMemories), nullptr));
  }
}

}  // namespace

CapsPtr random_caps(RandomValues& random, const std::vector<GstVideoFormat>& formats) {
  const GstVideoFormat format = random.pick(formats);
  const Size size = random_size(random);
  CapsPtr caps(gst_caps_new_simple("video/x-raw", "format", G_TYPE_STRING,
                                   gst_video_format_to_string(format), "width", G_TYPE_INT,
                                   size.width, "height", G_TYPE_INT, size.height, nullptr));
  if (random.chance(0.7f)) {
    const int rate = random.chance(0.3f) ? 0 : random.between(1, 60);
    gst_caps_set_simple(caps.get(), "framerate", GST_TYPE_FRACTION, rate, 1, nullptr);
  }
  add_odd_fields(random, caps.get());
  add_feature(random, caps.get());
  return caps;
}

std::string describe_caps(const GstCaps* caps) {
  gchar* text = gst_caps_to_string(caps);
  std::string result = text;
  g_free(text);
  return result;
}

namespace {

constexpr GstClockTime kLongest = 100 * GST_SECOND;

guint64 random_time(RandomValues& random) {
  return random.chance(0.1f) ? random.wide_bits() >> 1 : random.wide_bits() % kLongest;
}

// Commands, some of which can be done.
GstStructure* random_control(RandomValues& random) {
  constexpr const char* kCommands[] = {"add", "move", "remove", "clear", "learning", "nonsense"};
  constexpr const char* kUnits[] = {"pixels", "fraction", "miles"};
  GstStructure* structure = gst_structure_new("cltrack-control", "command", G_TYPE_STRING,
                                              random.pick(kCommands), nullptr);
  for (const char* field : {"x", "y", "width", "height", "id", "request"}) {
    if (random.chance(0.1f)) continue;
    const int value =
        random.chance(0.1f) ? static_cast<int>(random.wide_bits()) : random.between(0, 60);
    if (random.chance(0.3f)) {
      gst_structure_set(structure, field, G_TYPE_DOUBLE, value * 0.7, nullptr);
    } else if (random.chance(0.3f)) {
      gst_structure_set(structure, field, G_TYPE_UINT64, static_cast<guint64>(value), nullptr);
    } else {
      gst_structure_set(structure, field, G_TYPE_INT, value, nullptr);
    }
  }
  if (random.chance(0.2f)) {
    gst_structure_set(structure, "units", G_TYPE_STRING, random.pick(kUnits), nullptr);
  }
  if (random.chance(0.5f)) {
    gst_structure_set(structure, "learning", G_TYPE_BOOLEAN, random.chance(0.5f), nullptr);
  }
  return structure;
}

// Of the mouse, fingers and keys: drags that end, and that do not, and nonsense.
GstStructure* random_navigation(RandomValues& random) {
  constexpr const char* kEvents[] = {
      "mouse-button-press", "mouse-button-release", "mouse-move", "mouse-move",
      "touch-down",         "touch-motion",         "touch-up",   "touch-cancel",
      "key-press",          "mouse-scroll",         "nonsense"};
  GstStructure* structure = gst_structure_new("application/x-gst-navigation", "event",
                                              G_TYPE_STRING, random.pick(kEvents), nullptr);
  for (const char* field : {"pointer_x", "pointer_y"}) {
    if (random.chance(0.05f)) continue;
    gst_structure_set(structure, field, G_TYPE_DOUBLE,
                      random.chance(0.1f) ? random.number() : random.between(-20, 100), nullptr);
  }
  gst_structure_set(structure, "button", G_TYPE_INT, random.between(0, 4), "identifier",
                    G_TYPE_UINT, static_cast<guint>(random.between(0, 2)), "key", G_TYPE_STRING,
                    random.chance(0.5f) ? "Escape" : "a", nullptr);
  if (random.chance(0.5f)) {
    gst_structure_set(structure, "state", GST_TYPE_BUFFER_FLAGS, random.chance(0.5f) ? 1 << 8 : 0,
                      nullptr);
  }
  return structure;
}

GstEvent* downstream_event(RandomValues& random, GstClockTime time) {
  constexpr const char* kStreams[] = {"first", "second", "third"};
  switch (random.between(0, 6)) {
    case 0: {
      const GstSegment segment = random_segment(random);
      return gst_event_new_segment(&segment);
    }
    case 1:
      return gst_event_new_gap(time, random.chance(0.5f) ? GST_CLOCK_TIME_NONE : GST_SECOND / 25);
    case 2:
      return gst_event_new_stream_start(random.pick(kStreams));
    case 3:
      return gst_event_new_tag(gst_tag_list_new(GST_TAG_TITLE, "title", nullptr));
    case 4:
      return random.chance(0.3f) ? gst_event_new_eos()
                                 : gst_event_new_segment_done(GST_FORMAT_TIME, 0);
    case 5:
      return gst_event_new_custom(
          GST_EVENT_CUSTOM_DOWNSTREAM,
          random.chance(0.7f) ? random_control(random) : gst_structure_new_empty("custom"));
    default:
      return gst_event_new_custom(
          GST_EVENT_CUSTOM_DOWNSTREAM_OOB,
          random.chance(0.7f) ? random_control(random) : gst_structure_new_empty("out-of-band"));
  }
}

GstEvent* upstream_event(RandomValues& random, GstClockTime time) {
  switch (random.between(0, 7)) {
    case 0:
      return gst_event_new_reconfigure();
    case 1:
      return gst_event_new_qos(GST_QOS_TYPE_UNDERFLOW, 1.5, random.between(-1000000, 100000000),
                               time);
    case 2:
      return gst_event_new_latency(random_time(random));
    case 3:
      return gst_event_new_seek(1, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH, GST_SEEK_TYPE_SET,
                                random.between(0, 1000), GST_SEEK_TYPE_NONE, -1);
    case 4:
    case 5:
    case 6:
      return gst_event_new_navigation(random_navigation(random));
    default:
      return gst_event_new_custom(
          GST_EVENT_CUSTOM_UPSTREAM,
          random.chance(0.7f) ? random_control(random) : gst_structure_new_empty("custom"));
  }
}

// Buffers that come in between are dropped.
void flush(RandomValues& random, GstHarness* harness) {
  gst_harness_push_event(harness, gst_event_new_flush_start());
  if (random.chance(0.3f)) {
    gst_harness_push(harness, gst_buffer_new_allocate(nullptr, 100, nullptr));
  }
  gst_harness_push_event(harness, gst_event_new_flush_stop(random.chance(0.5f)));
  const GstSegment segment = random_segment(random);
  gst_harness_push_event(harness, gst_event_new_segment(&segment));
}

CapsPtr caps_to_ask_for(RandomValues& random) {
  constexpr const char* kCaps[] = {"video/x-raw,format=I420,width=100,height=90",
                                   "video/x-raw(memory:DMABuf),format=NV12,width=[1,100]",
                                   "video/x-raw(ANY)",
                                   "audio/x-raw",
                                   "ANY",
                                   "EMPTY"};
  return caps_from(random.pick(kCaps));
}

CapsPtr fixed_caps(RandomValues& random) {
  constexpr const char* kCaps[] = {
      "video/x-raw,format=I420,width=100,height=90,framerate=25/1",
      "video/x-raw(memory:DMABuf),format=NV12,width=1,height=1,framerate=0/1",
      "audio/x-raw,format=U8,rate=8000,channels=1,layout=interleaved"};
  return random.chance(0.3f) ? nullptr : caps_from(random.pick(kCaps));
}

QueryPtr random_query(RandomValues& random) {
  switch (random.between(0, 7)) {
    case 0:
      return QueryPtr(
          gst_query_new_caps(random.chance(0.5f) ? nullptr : caps_to_ask_for(random).get()));
    case 1: {
      const CapsPtr caps = fixed_caps(random);
      if (caps) return QueryPtr(gst_query_new_accept_caps(caps.get()));
      return QueryPtr(gst_query_new_drain());
    }
    case 2:
      return QueryPtr(gst_query_new_allocation(fixed_caps(random).get(), TRUE));
    case 3:
      return QueryPtr(gst_query_new_latency());
    case 4:
      return QueryPtr(gst_query_new_position(GST_FORMAT_TIME));
    case 5:
      return QueryPtr(gst_query_new_duration(GST_FORMAT_BYTES));
    case 6:
      return QueryPtr(
          gst_query_new_context(random.chance(0.5f) ? "cltrack.devices" : "somebody.else.context"));
    default:
      return QueryPtr(gst_query_new_custom(GST_QUERY_CUSTOM, gst_structure_new_empty("custom")));
  }
}

}  // namespace

GstSegment random_segment(RandomValues& random) {
  constexpr double kRates[] = {1, 1, 1, 2, 0.5, -1, -1.5};
  GstSegment segment;
  gst_segment_init(&segment, random.chance(0.8f) ? GST_FORMAT_TIME : GST_FORMAT_BYTES);
  segment.rate = random.pick(kRates);
  segment.applied_rate = random.chance(0.2f) ? -1 : 1;
  segment.start = random.chance(0.7f) ? 0 : random_time(random);
  segment.position = segment.start;
  segment.time = random.chance(0.8f) ? segment.start : GST_CLOCK_TIME_NONE;
  if (random.chance(0.2f)) segment.stop = segment.start + random_time(random);
  if (random.chance(0.3f)) segment.base = random_time(random);
  if (random.chance(0.1f)) segment.offset = random_time(random);
  return segment;
}

void push_random_event(RandomValues& random, GstHarness* harness, GstClockTime time,
                       ActionNote& note) {
  if (random.chance(0.15f)) {
    note.say("flush");
    flush(random, harness);
    return;
  }
  const bool downstream = random.chance(0.7f);
  GstEvent* event = downstream ? downstream_event(random, time) : upstream_event(random, time);
  note.say(std::string("event ") + GST_EVENT_TYPE_NAME(event));
  if (downstream) {
    gst_harness_push_event(harness, event);
  } else {
    gst_harness_push_upstream_event(harness, event);
  }
}

void send_random_query(RandomValues& random, GstHarness* harness, PositionQueries position,
                       ActionNote& note) {
  const QueryPtr query = random_query(random);
  if (GST_QUERY_TYPE(query.get()) == GST_QUERY_POSITION && position == PositionQueries::left_out) {
    return;
  }
  const int type = GST_QUERY_TYPE(query.get());
  const bool from_upstream_only = (type & int{GST_QUERY_TYPE_UPSTREAM}) == 0;
  const char* name = from_upstream_only || random.chance(0.5f) ? "sink" : "src";
  note.say(std::string("query ") + GST_QUERY_TYPE_NAME(query.get()) + " of pad " + name);
  GstPad* pad = gst_element_get_static_pad(harness->element, name);
  gst_pad_query(pad, query.get());
  gst_object_unref(pad);
}

}  // namespace cltrack::test
