// SPDX-License-Identifier: LGPL-2.1-or-later
// Fuzz test: elements get random input, and must still work afterwards. A failure or a crash prints
// the seed, the step and the action; repeat it with
//   CLTRACK_RANDOM_SEED   the seed, or the first and the last of several: 5 or 10-59
//   CLTRACK_RANDOM_STEPS  how many steps are done with each
#include <gmock/gmock.h>
#include <gst/video/gstvideometa.h>
#include <gst/video/video.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "../support/video_picture.h"
#include "action_note.h"
#include "hostile_subjects.h"
#include "random_buffers.h"
#include "random_events.h"
#include "random_properties.h"
#include "random_values.h"

namespace cltrack::test {
namespace {

// Random caps, buffers, events, queries, properties and state changes, in any order. Invariants are
// checked after each step.
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

std::string describe_info(const GstVideoInfo& info) {
  const GstVideoFormat format = GST_VIDEO_INFO_FORMAT(&info);
  if (format == GST_VIDEO_FORMAT_UNKNOWN) return "caps without a format";  // where all are taken
  return std::string(gst_video_format_to_string(format)) + ' ' +
         std::to_string(GST_VIDEO_INFO_WIDTH(&info)) + 'x' +
         std::to_string(GST_VIDEO_INFO_HEIGHT(&info));
}

RandomWalk::RandomWalk(const Subject& subject, std::uint64_t seed)
    : subject_(subject),
      random_(seed),
      note_(subject.name + ", CLTRACK_RANDOM_SEED=" + std::to_string(seed)),
      harness_(subject.factory, subject.properties) {
  gst_video_info_init(&info_);
  harness_.set_state(GST_STATE_NULL);
  set_known_properties(harness_, subject_);
  prepare_sink(harness_, subject_);
  EXPECT_EQ(harness_.set_state(GST_STATE_PLAYING), GST_STATE_CHANGE_SUCCESS);
  change_caps();
}

void RandomWalk::run(int steps) {
  for (int i = 1; i <= steps && !testing::Test::HasFailure(); ++i) {
    note_.begin_step(i);
    step();
    for (const std::string& line : log_.take()) {
      EXPECT_TRUE(is_expected_log(line)) << "logged: " << line;
    }
    drop_output(harness_.get());
    if (testing::Test::HasFailure()) ADD_FAILURE() << note_.text();
  }
  note_.say("after the walk");
}

void RandomWalk::step() {
  const int action = random_.between(0, 99);
  if (action < 55) {
    push_buffer();
  } else if (action < 66) {
    change_caps();
  } else if (action < 82) {
    set_random_property(random_, harness_.object(), note_);
    expect_no_error();
  } else if (action < 90) {
    push_random_event(random_, harness_.get(), next_time(), note_);
    expect_one_error_at_most();
  } else if (action < 95) {
    send_random_query(random_, harness_.get(), PositionQueries::sent, note_);
    expect_one_error_at_most();
  } else if (action < 97) {
    note_.say("read all properties");
    read_properties(harness_.object());
    expect_no_error();
  } else {
    restart();
  }
}

GstClockTime RandomWalk::next_time() {
  if (random_.chance(0.03f)) time_ = random_.chance(0.5f) ? 0 : time_ + GST_SECOND * 3600;
  return time_ += GST_SECOND / 25;
}

void RandomWalk::push_buffer() {
  std::string description = "push ";
  BufferPtr buffer = random_buffer(random_, info_, description);
  add_random_regions(random_, buffer.get(), description);
  add_random_objects(random_, buffer.get(), description);
  if (random_.chance(0.9f)) {
    GST_BUFFER_PTS(buffer.get()) = next_time();
  } else if (random_.chance(0.5f)) {
    GST_BUFFER_PTS(buffer.get()) = random_.wide_bits();
  }
  if (random_.chance(0.5f)) {
    GST_BUFFER_DURATION(buffer.get()) = random_.chance(0.2f) ? G_MAXUINT64 - 1 : GST_SECOND / 25;
  }
  // What somebody else holds as well is not to be changed.
  const bool shared = random_.chance(0.15f);
  const BufferPtr kept(shared ? gst_buffer_ref(buffer.get()) : nullptr);
  const auto before = shared ? bytes_of(buffer.get()) : std::vector<std::uint8_t>();
  const std::size_t regions_before = count_regions(buffer.get());
  GstVideoInfo info;
  const bool has_caps = get_current_info(harness_.element(), info);
  note_.say(description + (shared ? ", shared" : "") + ", to an element with " +
            (has_caps ? describe_info(info) : "no caps"));
  flow_ = gst_harness_push(harness_.get(), buffer.release());
  check_push(flow_, regions_before);
  if (shared) {
    EXPECT_TRUE(bytes_of(kept.get()) == before) << "a shared picture was changed";
    EXPECT_EQ(count_regions(kept.get()), regions_before);
  }
}

void RandomWalk::check_push(GstFlowReturn flow, std::size_t regions_before) {
  const BufferPtr result(gst_harness_try_pull(harness_.get()));
  EXPECT_EQ(result != nullptr, flow == GST_FLOW_OK) << gst_flow_get_name(flow);
  switch (flow) {
    case GST_FLOW_OK:
      expect_no_error();
      if (result) check_output(result.get(), regions_before);
      break;
    case GST_FLOW_EOS:
      expect_no_error();
      break;
    case GST_FLOW_NOT_NEGOTIATED:  // which whoever pushes reports
      expect_one_error_at_most();
      break;
    default:
      EXPECT_EQ(flow, GST_FLOW_ERROR) << gst_flow_get_name(flow);
      EXPECT_THAT(take_errors(harness_.element()), testing::SizeIs(1));
  }
}

void RandomWalk::check_output(GstBuffer* buffer, std::size_t regions_before) {
  if (!subject_.is_tracker) {
    EXPECT_EQ(count_regions(buffer), regions_before);
    return;
  }
  GstVideoInfo info;
  ASSERT_TRUE(get_current_info(harness_.element(), info));
  EXPECT_GE(count_regions(buffer), regions_before);
  check_regions(buffer, regions_before, info);
}

void RandomWalk::expect_no_error() {
  EXPECT_THAT(take_errors(harness_.element()), testing::IsEmpty());
}

void RandomWalk::expect_one_error_at_most() {
  const std::vector<std::string> errors = take_errors(harness_.element());
  for (const std::string& error : errors) EXPECT_EQ(error, errors.front());
}

void RandomWalk::change_caps() {
  const CapsPtr caps = random_caps(random_, subject_.formats);
  note_.say("caps " + describe_caps(caps.get()));
  GstVideoInfo info;
  if (gst_video_info_from_caps(&info, caps.get())) info_ = info;
  // After the end of a stream only another one is looked at.
  if (flow_ == GST_FLOW_EOS || random_.chance(0.1f)) {
    flow_ = GST_FLOW_OK;
    gst_harness_push_event(harness_.get(), gst_event_new_stream_start("next"));
    expect_one_error_at_most();
  }
  gst_harness_push_event(harness_.get(), gst_event_new_caps(caps.get()));
  expect_one_error_at_most();
  GstSegment segment;
  gst_segment_init(&segment, GST_FORMAT_TIME);
  if (random_.chance(0.2f)) segment = random_segment(random_);
  gst_harness_push_event(harness_.get(), gst_event_new_segment(&segment));
  expect_one_error_at_most();
}

void RandomWalk::restart() {
  GstElement* element = harness_.element();
  constexpr GstState kStates[] = {GST_STATE_NULL, GST_STATE_READY, GST_STATE_PAUSED};
  const GstState state = random_.pick(kStates);
  note_.say(std::string("to ") + gst_element_state_get_name(state));
  EXPECT_NE(gst_element_set_state(element, state), GST_STATE_CHANGE_FAILURE);
  for (int i = random_.between(0, 3); i > 0; --i) {
    set_random_property(random_, harness_.object(), note_);
  }
  expect_no_error();
  note_.say(std::string("from ") + gst_element_state_get_name(state) + " to PLAYING");
  if (gst_element_set_state(element, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE) {
    EXPECT_THAT(take_errors(harness_.element()), testing::SizeIs(1));
    note_.say("start after a start that failed");
    EXPECT_NE(gst_element_set_state(element, GST_STATE_NULL), GST_STATE_CHANGE_FAILURE);
    set_known_properties(harness_, subject_);
    EXPECT_EQ(gst_element_set_state(element, GST_STATE_PLAYING), GST_STATE_CHANGE_SUCCESS);
  }
  expect_no_error();
  flow_ = GST_FLOW_OK;
  gst_harness_push_event(harness_.get(), gst_event_new_stream_start("again"));
  change_caps();
}

constexpr int kSteps = 600;

std::string variable(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : otherwise;
}

std::vector<int> seeds() {
  const std::string range = variable("CLTRACK_RANDOM_SEED", "1-4");
  const std::size_t dash = range.find('-');
  const int first = std::atoi(range.c_str());
  const int last = dash == std::string::npos ? first : std::atoi(range.c_str() + dash + 1);
  std::vector<int> all;
  for (int seed = first; seed <= last; ++seed) all.push_back(seed);
  return all;
}

int steps() {
  return std::atoi(variable("CLTRACK_RANDOM_STEPS", std::to_string(kSteps).c_str()).c_str());
}

class RandomStream : public testing::TestWithParam<std::tuple<Subject, int>> {};

TEST_P(RandomStream, LeavesTheElementAsGoodAsNew) {
  const auto& [subject, seed] = GetParam();
  RandomWalk walk(subject, static_cast<std::uint64_t>(seed));
  walk.run(steps());
  TrackerHarness unharmed(subject.factory, subject.properties);
  prepare_sink(unharmed, subject);
  EXPECT_EQ(known_answer(walk.harness(), subject), known_answer(unharmed, subject));
}

INSTANTIATE_TEST_SUITE_P(Elements, RandomStream,
                         testing::Combine(testing::ValuesIn(hostile_subjects()),
                                          testing::ValuesIn(seeds())),
                         [](const auto& tested) {
                           return std::get<0>(tested.param).name + "_seed_" +
                                  std::to_string(std::get<1>(tested.param));
                         });

}  // namespace
}  // namespace cltrack::test
