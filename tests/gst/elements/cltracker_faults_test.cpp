// SPDX-License-Identifier: LGPL-2.1-or-later
// A device that the user has named, and that fails: one error that says what to do, nothing lost of
// what has passed before, nothing left behind, and a new start when it works again.
#include "../../support/faults.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <optional>
#include <string>

#include "../support/pipeline.h"
#include "../support/tracker_harness.h"
#include "cltrack/device_info.h"

namespace cltrack::test {
namespace {

using testing::AllOf;
using testing::Ge;
using testing::HasSubstr;
using testing::Le;
using testing::SizeIs;

// While the element is stopped: its device may be kept open, for the next start.
void expect_nothing_in_use(const Faults& faults) {
  EXPECT_EQ(faults.alive("clCreateBuffer", "clRetainMemObject", "clReleaseMemObject"), 0);
  EXPECT_EQ(faults.alive("clCreateKernel", "clRetainKernel", "clReleaseKernel"), 0);
  EXPECT_EQ(faults.alive("clCreateCommandQueue", "clRetainCommandQueue", "clReleaseCommandQueue"),
            0);
}

void expect_nothing_alive(const Faults& faults) {
  expect_nothing_in_use(faults);
  EXPECT_EQ(faults.alive("clCreateProgramWithSource", "clRetainProgram", "clReleaseProgram") +
                faults.calls("clCreateProgramWithBinary"),
            0);
  EXPECT_EQ(faults.alive("clCreateContext", "clRetainContext", "clReleaseContext"), 0);
}

class ClTrackerFaults : public testing::Test {
 protected:
  void SetUp() override {
    const Faults none;
    if (list_devices().size() < 2) {
      GTEST_SKIP() << "NO OPENCL DEVICE: there is none that could fail";
    }
  }

  static std::string target() { return targets_text(moving_target(0)); }
};

struct Report {
  GQuark domain = 0;
  int code = 0;
  std::string text;
  std::string debug;
};

std::vector<Report> errors_of(TrackerHarness& harness) {
  std::vector<Report> reports;
  for (const MessagePtr& message : harness.messages(GST_MESSAGE_ERROR)) {
    GError* error = nullptr;
    gchar* debug = nullptr;
    gst_message_parse_error(message.get(), &error, &debug);
    reports.push_back({error->domain, error->code, error->message, debug != nullptr ? debug : ""});
    g_error_free(error);
    g_free(debug);
  }
  return reports;
}

TEST_F(ClTrackerFaults, StopTheStartIfThereIsNoDevice) {
  for (const char* fault : {"clGetPlatformIDs=-1001", "clGetDeviceIDs=-1", "clCreateContext=-5"}) {
    SCOPED_TRACE(fault);
    Faults faults;
    TrackerHarness harness;
    harness.set_state(GST_STATE_NULL);
    harness.set("device", "0.0");
    faults.set(fault);
    EXPECT_EQ(harness.set_state(GST_STATE_PAUSED), GST_STATE_CHANGE_FAILURE);
    const auto errors = errors_of(harness);
    ASSERT_EQ(errors.size(), 1u);
    EXPECT_EQ(errors[0].domain, GST_RESOURCE_ERROR);
    EXPECT_THAT(errors[0].text, AllOf(HasSubstr("0.0"), HasSubstr("host")));
    harness.set_state(GST_STATE_NULL);
    expect_nothing_alive(faults);
    faults.set({});
    EXPECT_EQ(harness.set_state(GST_STATE_PAUSED), GST_STATE_CHANGE_SUCCESS);
  }
}

TEST_F(ClTrackerFaults, OfTheUserAreNamed) {
  if (list_devices().size() < 3) {
    GTEST_SKIP() << "ONE OPENCL DEVICE: no name is ambiguous (POCL_DEVICES=\"pthread pthread\")";
  }
  const struct {
    const char* spec;
    const char* text;
  } kCases[] = {{"cpu", "ambiguous"}, {"0.7", "no device"}, {"a quantum computer", "no device"}};
  for (const auto& [spec, text] : kCases) {
    TrackerHarness harness;
    harness.set_state(GST_STATE_NULL);
    harness.set("nn-device", spec);
    EXPECT_EQ(harness.set_state(GST_STATE_PAUSED), GST_STATE_CHANGE_FAILURE);
    const auto errors = errors_of(harness);
    ASSERT_EQ(errors.size(), 1u);
    EXPECT_EQ(errors[0].domain, GST_RESOURCE_ERROR);
    EXPECT_EQ(errors[0].code, GST_RESOURCE_ERROR_SETTINGS);
    EXPECT_THAT(errors[0].text, AllOf(HasSubstr("nn-device"), HasSubstr(spec), HasSubstr(text),
                                      HasSubstr("0.0 (cpu"), HasSubstr("0.1 (cpu")));
  }
}

TEST_F(ClTrackerFaults, OfRoundingAreAWarning) {
  const Faults faults("CL_DEVICE_SINGLE_FP_CONFIG=63");
  TrackerHarness inexact{{"device", "host"}, {"nn-device", "0.0"}};
  const auto warnings = inexact.texts(GST_MESSAGE_WARNING);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings[0],
              AllOf(HasSubstr("nn"), HasSubstr("0.0 ("), HasSubstr("rounds divisions")));
  // The ferns do not divide.
  TrackerHarness integers{{"device", "host"}, {"fern-device", "0.0"}};
  EXPECT_TRUE(integers.texts(GST_MESSAGE_WARNING).empty());
}

TEST_F(ClTrackerFaults, ThatStopAStreamAreOneErrorEach) {
  const struct {
    const char* fault;
    int code;
    const char* text;
    const char* debug;
  } kCases[] = {
      {"clBuildProgram=-11", GST_RESOURCE_ERROR_FAILED, "CL_BUILD_PROGRAM_FAILURE",
       "this kernel shall not build"},
      {"clCreateBuffer=-4", GST_RESOURCE_ERROR_NO_SPACE_LEFT, "CL_MEM_OBJECT_ALLOCATION_FAILURE",
       ""},
      {"clCreateBuffer=-61", GST_RESOURCE_ERROR_NO_SPACE_LEFT, "CL_INVALID_BUFFER_SIZE", ""},
      {"CL_DEVICE_MAX_MEM_ALLOC_SIZE=50000", GST_RESOURCE_ERROR_NO_SPACE_LEFT,
       "at most 50000 bytes are allowed", ""},
      {"clCreateCommandQueue=-5", GST_RESOURCE_ERROR_FAILED, "making a queue", ""},
      {"clEnqueueNDRangeKernel=-5", GST_RESOURCE_ERROR_FAILED, "CL_OUT_OF_RESOURCES", ""},
      {"clFinish=-36,clWaitForEvents=-14", GST_RESOURCE_ERROR_FAILED, "waiting for", ""},
  };
  for (const auto& [fault, code, text, debug] : kCases) {
    SCOPED_TRACE(fault);
    Faults faults(fault);
    std::optional<TrackerHarness> harness(
        std::in_place, std::initializer_list<Property>{{"device", "0.0"}, {"targets", target()}});
    harness->set_caps(320, 240);
    EXPECT_EQ(harness->push(moving_scene(0)), GST_FLOW_ERROR);
    const auto errors = errors_of(*harness);
    ASSERT_EQ(errors.size(), 1u);
    EXPECT_EQ(errors[0].domain, GST_RESOURCE_ERROR);
    EXPECT_EQ(errors[0].code, code);
    EXPECT_THAT(errors[0].text,
                AllOf(HasSubstr(text), HasSubstr("0.0 ("), HasSubstr("host, which always works")));
    EXPECT_THAT(errors[0].debug, HasSubstr(debug));
    gst_element_set_state(harness->element(), GST_STATE_NULL);
    expect_nothing_in_use(faults);
    harness.reset();
    expect_nothing_alive(faults);
  }
}

// Wherever in a frame it happens: on each of several launches after the first frames.
TEST_F(ClTrackerFaults, InTheMiddleOfAStreamLoseNoBuffer) {
  constexpr int kCleanFrames = 3, kFrames = 8, kLaunches = 12;
  Faults faults;
  for (int launch = 1; launch <= kLaunches; ++launch) {
    SCOPED_TRACE(launch);
    faults.set({});
    TrackerHarness harness{{"device", "0.0"}, {"targets", target()}};
    harness.set_caps(320, 240);
    int passed = 0;
    const auto push_until = [&](int frames) {
      while (passed < frames && harness.push(moving_scene(passed)) == GST_FLOW_OK) ++passed;
    };
    push_until(kCleanFrames);
    ASSERT_EQ(passed, kCleanFrames);
    faults.add("clEnqueueNDRangeKernel@" + std::to_string(launch) + "=-5");
    push_until(kFrames);
    EXPECT_LT(passed, kFrames);
    for (int i = 0; i < passed; ++i) {
      const BufferPtr buffer = harness.pull();
      ASSERT_NE(buffer, nullptr) << i;
      EXPECT_EQ(boxes(buffer).size(), 1u) << i;
    }
    EXPECT_EQ(errors_of(harness).size(), 1u);
    // Upstream need not stop at the first error.
    EXPECT_EQ(harness.push(moving_scene(passed)), GST_FLOW_ERROR);
    harness.set_state(GST_STATE_NULL);
    expect_nothing_in_use(faults);
  }
}

// As an application sees it: threads, queues, a state change from outside.
TEST_F(ClTrackerFaults, StopAPipelineThatStartsAgain) {
  Faults faults;
  Pipeline pipeline(
      "videotestsrc num-buffers=30 pattern=ball ! video/x-raw,format=GRAY8,width=160,height=120 ! "
      "queue ! cltracker name=tracker device=0.0 targets=\"<<40,30,40,40>>\" ! queue ! "
      "fakesink name=sink sync=false");
  for (int round = 0; round < 3; ++round) {
    faults.set("clEnqueueNDRangeKernel@60=-5");
    EXPECT_THAT(pipeline.run(), HasSubstr("0.0 ("));
    expect_nothing_in_use(faults);
    faults.set({});
    EXPECT_EQ(pipeline.run(), "");
    expect_nothing_in_use(faults);
  }
}

// Under `auto` another place is found: here the host, which is all there is besides.
TEST_F(ClTrackerFaults, UnderAutoAreAWarning) {
  Faults faults("CL_DEVICE_TYPE=4");
  GreyTracker harness{{"targets", target()}};
  const auto ferns = [&] {
    return string_of(structure_property(harness.object(), "placement").get(), "ferns");
  };
  // Devices get ready in the background, while buffers pass; then they are tried.
  int buffers = 0;
  while (ferns().starts_with("auto: host")) {
    ASSERT_LT(++buffers, 50000) << "no device was ever tried";
    ASSERT_TRUE(harness.pass(moving_scene(0)));
  }
  EXPECT_TRUE(harness.texts(GST_MESSAGE_WARNING).empty());
  faults.set("CL_DEVICE_TYPE=4,clEnqueueNDRangeKernel=-5");
  for (int i = 0; i < 5; ++i) {
    const BufferPtr buffer = harness.pass(moving_scene(0));
    ASSERT_TRUE(buffer);
    EXPECT_EQ(boxes(buffer).size(), 1u);
  }
  // One for each of the two devices that was tried by then.
  const auto warnings = harness.texts(GST_MESSAGE_WARNING);
  ASSERT_THAT(warnings, SizeIs(AllOf(Ge(1u), Le(2u))));
  EXPECT_THAT(warnings[0], HasSubstr("ferns"));
  for (const char* device : {"0.0", "0.1"}) {
    const std::string left = std::string("leave device ") + device + " ";
    const auto told = [&](const std::string& text) { return text.find(left) != text.npos; };
    EXPECT_LE(std::ranges::count_if(warnings, told), 1) << device;
  }
  EXPECT_TRUE(harness.texts(GST_MESSAGE_ERROR).empty());
  EXPECT_THAT(ferns(), HasSubstr("auto: host"));
}

}  // namespace
}  // namespace cltrack::test
