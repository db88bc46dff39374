// SPDX-License-Identifier: LGPL-2.1-or-later
// Fuzz test with threads: buffers flow while other threads change the state of the element, set and
// read its properties, and send events and queries. Each thread's actions are reproducible, their
// order is not, and the checks do not depend on it. Most useful under a thread sanitizer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "hostile_subjects.h"
#include "random_events.h"
#include "random_properties.h"

namespace cltrack::test {
namespace {

constexpr int kBuffers = 120;
constexpr int kBuffersOfAState = 4;

class HostileThreads : public testing::TestWithParam<Subject> {
 protected:
  HostileThreads()
      : note_(GetParam().name + ", one of several threads"),
        harness_(GetParam().factory, GetParam().properties) {
    harness_.set_state(GST_STATE_NULL);
    prepare_sink(harness_, GetParam());
    set_known_properties(harness_, GetParam());
    EXPECT_EQ(harness_.set_state(GST_STATE_PLAYING), GST_STATE_CHANGE_SUCCESS);
  }

  void push_buffers() {
    RandomValues random(1);
    const CapsPtr caps = known_caps(GetParam());
    GstSegment segment;
    gst_segment_init(&segment, GST_FORMAT_TIME);
    for (int i = 0; i < kBuffers; ++i) {
      // A stop drops earlier events, and after EOS nothing passes.
      if (i == 0 || random.chance(0.4f)) {
        begin_stream(harness_.get(), random.chance(0.7f) ? "one" : "another", caps.get(), segment);
      }
      const GstFlowReturn flow = harness_.push(known_picture(GetParam(), i));
      // GStreamer's pads answer with an error when they cannot hand on an event while they stop.
      EXPECT_THAT(flow, testing::AnyOf(GST_FLOW_OK, GST_FLOW_FLUSHING, GST_FLOW_EOS,
                                       GST_FLOW_NOT_NEGOTIATED, GST_FLOW_ERROR));
      drop_output(harness_.get());
      ++pushed_;
    }
  }

  // What other threads do is spread over all buffers.
  void wait_for_buffers(int count) {
    while (pushed_ < count) std::this_thread::yield();
  }

  void change_states() {
    RandomValues random(2);
    constexpr GstState kStates[] = {GST_STATE_NULL, GST_STATE_READY, GST_STATE_PAUSED};
    for (int buffers = kBuffersOfAState; buffers < kBuffers; buffers += kBuffersOfAState) {
      wait_for_buffers(buffers);
      const GstState state = random.pick(kStates);
      note_.say(std::string("to ") + gst_element_state_get_name(state) + " and back");
      harness_.set_state(state);
      if (harness_.set_state(GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE) {
        start_failed_ = true;
      }
    }
  }

  void use_properties() {
    RandomValues random(3);
    for (int i = 0; i < kBuffers; ++i) {
      wait_for_buffers(i);
      // Or no further buffer would find it running.
      if (start_failed_.exchange(false)) set_known_properties(harness_, GetParam());
      set_random_property(random, harness_.object(), note_);
      if (random.chance(0.3f)) read_properties(harness_.object());
    }
  }

  void send_events() {
    RandomValues random(4);
    for (int i = 0; i < kBuffers; ++i) {
      wait_for_buffers(i);
      if (random.chance(0.5f)) {
        push_random_event(random, harness_.get(), GST_SECOND, note_);
      } else {
        send_random_query(random, harness_.get(), PositionQueries::left_out, note_);
      }
    }
  }

  ActionNote note_;
  LogWatch log_;
  TrackerHarness harness_;
  std::atomic<int> pushed_ = 0;
  std::atomic<bool> start_failed_ = false;
};

// Other threads may flush, or stop the element, between an event and the buffer that it is for.
bool is_of_the_test(const std::string& line) {
  return line.find("Got data flow before") != std::string::npos ||
         line.find("Sticky event misordering") != std::string::npos || is_expected_log(line);
}

TEST_P(HostileThreads, LeaveTheElementAsGoodAsNew) {
  std::thread states([&] { change_states(); });
  std::thread properties([&] { use_properties(); });
  std::thread events([&] { send_events(); });
  push_buffers();
  states.join();
  properties.join();
  events.join();
  for (const std::string& line : log_.take()) {
    EXPECT_TRUE(is_of_the_test(line)) << "logged: " << line;
  }
  take_errors(harness_.element());

  TrackerHarness unharmed(GetParam().factory, GetParam().properties);
  prepare_sink(unharmed, GetParam());
  EXPECT_EQ(known_answer(harness_, GetParam()), known_answer(unharmed, GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Elements, HostileThreads, testing::ValuesIn(hostile_subjects()),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace cltrack::test
