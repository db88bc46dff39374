// SPDX-License-Identifier: LGPL-2.1-or-later
// The elements of the fuzz tests, what they must pass after any input, and checks that they still
// work afterwards.
#pragma once

#include <gst/video/video.h>

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

#include "../support/tracker_harness.h"

namespace cltrack::test {

struct Subject {
  std::string name;
  const char* factory;
  std::vector<Property> properties;  // with which it finds something in known_answer()
  std::vector<GstVideoFormat> formats;
  bool is_tracker;  // adds regions
  bool may_attach;  // the sink draws compositions itself
};

// Every element, cltracker with each of its algorithms, trackoverlay with each kind of sink.
std::vector<Subject> hostile_subjects();
inline void PrintTo(const Subject& subject, std::ostream* out) { *out << subject.name; }

// Sets up the harness's sink for the subject. For a new element.
void prepare_sink(TrackerHarness& harness, const Subject& subject);

// All properties as they were when the element was made, but for those of the subject. For a
// stopped element.
void set_known_properties(TrackerHarness& harness, const Subject& subject);

// A short, simple scene with an object that the subject tracks.
CapsPtr known_caps(const Subject& subject);
BufferPtr known_picture(const Subject& subject, int index);

// Starts the element anew and passes the scene: all that comes out, a line a picture.
// The same for an element whatever it went through. Fails the test if nothing is found.
std::vector<std::string> known_answer(TrackerHarness& harness, const Subject& subject);

// Drops the output.
void drop_output(GstHarness* harness);

// Begins a stream of such caps; whether the element takes it.
bool begin_stream(GstHarness* harness, const char* id, GstCaps* caps, const GstSegment& segment);

// Of the caps that the element has taken; false if there are none.
bool get_current_info(GstElement* element, GstVideoInfo& info);

std::size_t count_regions(GstBuffer* buffer);
// All regions after the first `before` are a tracker's: inside the picture, no number infinite.
void check_regions(GstBuffer* buffer, std::size_t before, const GstVideoInfo& info);

// The texts of the errors on the bus of the element. No text of an error or a warning may be empty,
// and no warning unexpected.
std::vector<std::string> take_errors(GstElement* element);

// Whether a line of LogWatch is a warning about invalid input.
bool is_expected_log(const std::string& line);

}  // namespace cltrack::test
