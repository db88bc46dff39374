// SPDX-License-Identifier: LGPL-2.1-or-later
// A tracker that `auto` has put on a device which fails: one warning, and the track goes on.
#include <gmock/gmock.h>

#include <barrier>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "cltrack/color_tracker.h"
#include "cltrack/log.h"
#include "cltrack/template_tracker.h"
#include "cltrack/tld_tracker.h"
#include "placement/auto_placement.h"
#include "placement/candidate_devices.h"
#include "support/color_image.h"
#include "support/errors.h"
#include "support/fault_sweep.h"
#include "support/scene.h"

namespace cltrack {
namespace {

using test::Faults;
using testing::AllOf;
using testing::HasSubstr;

// Enough for a trial of everything on the device, and for parts of it.
constexpr int kFrames = AutoPlacement::kFramesBefore + 40;

void wait_a_little() { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }

struct Outcome {
  std::vector<Track> tracks;
  std::size_t trail_points = 0;
  std::vector<std::string> warnings;
  std::string log;
  long failures = 0;  // of the function that fails, while frames were processed
};

// A tracker of each kind with its frames: two targets, the second one from the middle on.
struct Tld {
  TldConfig config{.seed = 5, .threads = 2};
  std::unique_ptr<Tracker> make(std::shared_ptr<TrackerDevices> devices) const {
    return make_tld_tracker(config, std::move(devices));
  }
  std::span<const Track> process(Tracker& tracker, int i) {
    const float t = 0.05f * static_cast<float>(i);
    const BoundingBox box{60 + 30 * std::sin(t), 40 + 10 * std::cos(t), 40, 40};
    if (i == 0) tracker.add(box);
    if (i == kFrames - 30) tracker.add({5, 70, 30, 30});
    return tracker.process(scene.draw(box, i));
  }
  test::Scene scene{160, 120};
};

// Every frame is searched whole.
struct Template : Tld {
  TemplateConfig config{.search = TemplateSearch::frame};
  std::unique_ptr<Tracker> make(std::shared_ptr<TrackerDevices> devices) const {
    return make_template_tracker(config, std::move(devices));
  }
};

struct Color {
  ColorConfig config{.trail = 5};
  std::unique_ptr<Tracker> make(std::shared_ptr<TrackerDevices> devices) const {
    return make_color_tracker(config, std::move(devices));
  }
  std::span<const Track> process(Tracker& tracker, int i) {
    if (i == 0) tracker.add(ColorModel::near(200, 20, 20, 30));
    if (i == kFrames - 30) tracker.add(ColorModel::near(20, 200, 20, 30));
    test::ColorImage image(test::color_formats().back(), 64, 48);
    image.fill_box(10 + i % 20, 20, 16, 12, {200, 20, 20});
    image.fill_box(10, 4 + i % 8, 12, 10, {20, 200, 20});
    Frame frame;
    frame.color = image.picture();
    return tracker.process(frame);
  }
};
struct Blobs : Color {
  Blobs() { config.blobs = 2; }
};

// A tracker and its frames. `begin_trial` is called when devices are about to be tried.
template <typename Kind, typename BeginTrial>
void follow(const Placement& placement, const BeginTrial& begin_trial, Outcome& result) {
  Kind kind;
  kind.config.placement = placement;
  const auto devices = open_devices(kind.config);
  const auto tracker = kind.make(devices);
  for (int i = 0; i < kFrames; ++i) {
    if (i == AutoPlacement::kFramesBefore) {
      // No frame waits for this, but this test does.
      if (placement.device == "auto") devices->candidates().start();
      while (placement.device == "auto" && !devices->candidates().is_complete()) wait_a_little();
      begin_trial();
    }
    for (const Track& track : kind.process(*tracker, i)) {
      result.tracks.push_back(track);
      result.trail_points += track.extent.value_or(ColorExtent()).trail.size();
    }
    for (std::string& warning : tracker->take_warnings()) {
      result.warnings.push_back(std::move(warning));
    }
  }
}

// All warnings that are logged during `work`.
template <typename Work>
std::string logged_by(const Work& work) {
  std::mutex mutex;
  std::string log;
  set_log_handler([&](LogLevel level, std::string_view message) {
    const std::lock_guard lock(mutex);
    if (level == LogLevel::warning) log += std::string(message) + "\n";
  });
  work();
  set_log_handler({});
  return log;
}

// `fault` begins when the device is about to be tried.
template <typename Kind = Tld>
Outcome run(const Placement& placement, Faults& faults, const std::string& fault,
            const char* function = "") {
  Outcome result;
  result.log = logged_by([&] {
    follow<Kind>(
        placement, [&] { faults.set(fault); }, result);
  });
  result.failures = faults.failures(function);
  return result;
}

// The same of many streams at a time.
std::vector<Outcome> run_streams(std::size_t count, Faults& faults, const std::string& fault,
                                 std::string& log) {
  std::vector<Outcome> results(count);
  log = logged_by([&] {
    std::barrier all_ready(static_cast<std::ptrdiff_t>(count),
                           [&]() noexcept { faults.set(fault); });
    std::vector<std::jthread> streams;
    for (Outcome& result : results) {
      streams.emplace_back([&] {
        follow<Tld>(
            {}, [&] { all_ready.arrive_and_wait(); }, result);
      });
    }
  });
  return results;
}

// Whether what a device has learnt is lost with it, by what was logged.
bool has_lost(const std::string& log) {
  return log.find("learnt from are lost") != std::string::npos ||
         log.find("begin anew") != std::string::npos;
}

// What a device has learnt since it was last saved is lost with it, so boxes may be others from
// then on; they are the same if nothing was lost.
void expect_same(const std::vector<Track>& result, const std::vector<Track>& expected,
                 bool nothing_lost = true) {
  ASSERT_EQ(result.size(), expected.size());
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (nothing_lost) {
      ASSERT_EQ(result[i].box, expected[i].box) << i;
    } else {
      ASSERT_GT(overlap(result[i].box, expected[i].box), 0.8f) << i;
    }
    ASSERT_EQ(result[i].state, expected[i].state) << i;
    ASSERT_EQ(result[i].id, expected[i].id) << i;
  }
}

// `auto` looks at GPUs only.
const std::string kGpu = test::kFaultyGpu;

class AutoFaults : public testing::Test {
 protected:
  void SetUp() override { CLTRACK_NEEDS_OPENCL(); }
};

// Every function that is used fails at some of these calls, and from then on. Trackers that learn
// nothing on devices lose nothing.
template <typename Kind>
void expect_tracks_as_they_were(const std::vector<int>& calls, int least_failures) {
  Faults faults(kGpu);
  const Outcome expected = run<Kind>({.device = "host"}, faults, kGpu);
  ASSERT_EQ(expected.tracks.back().state, TrackState::tracking);
  faults.set(kGpu);
  const Outcome good = run<Kind>({}, faults, kGpu);
  expect_same(good.tracks, expected.tracks);
  EXPECT_TRUE(good.warnings.empty()) << good.warnings[0];
  ASSERT_GT(faults.calls("clEnqueueNDRangeKernel"), least_failures) << "the device was tried";

  constexpr bool learns = std::is_same_v<Kind, Tld>;
  int failed = 0;
  for (const std::string_view name :
       {"clCreateCommandQueue", "clCreateKernel", "clSetKernelArg", "clCreateBuffer",
        "clEnqueueNDRangeKernel", "clEnqueueWriteBuffer", "clEnqueueReadBuffer",
        "clEnqueueMapBuffer", "clFlush", "clWaitForEvents", "clFinish"}) {
    for (const int call : calls) {
      const std::string fault = std::string(name) + "@" + std::to_string(call) + "=-5";
      SCOPED_TRACE(fault);
      faults.set(kGpu);
      const Outcome bad = run<Kind>({}, faults, kGpu + "," + fault, std::string(name).c_str());
      const bool used = bad.failures > 0;
      const bool lost = has_lost(bad.log);
      EXPECT_TRUE(learns || !lost);
      expect_same(bad.tracks, expected.tracks, !lost);
      EXPECT_EQ(bad.trail_points, expected.trail_points);
      // Devices that copy make, map and end nothing by these but memory to be locked, which they
      // can do without: arrays are pieces of a buffer that is there.
      const bool is_noticed =
          used && name != "clCreateBuffer" && name != "clEnqueueMapBuffer" && name != "clFinish";
      if (learns) {
        ASSERT_EQ(bad.log.empty(), !is_noticed);
      }
      // One for each device that was tried. A device that fails as the ferns leave it anyway is not
      // in use any more: then the log alone says that something was lost.
      ASSERT_LT(bad.warnings.size(), list_devices().size());
      failed += used;
      if (bad.warnings.empty()) continue;
      EXPECT_THAT(bad.warnings[0], AllOf(HasSubstr("device 0."), HasSubstr("auto")));
      EXPECT_THAT(bad.log, HasSubstr(bad.warnings[0]));
    }
  }
  EXPECT_GT(failed, least_failures);
}

TEST_F(AutoFaults, LeaveTheTrackAsItWas) { expect_tracks_as_they_were<Tld>({1, 5, 40}, 15); }
TEST_F(AutoFaults, LeaveTemplateMatchingAsItWas) {
  expect_tracks_as_they_were<Template>({1, 4}, 5);
}
TEST_F(AutoFaults, LeaveColoursAsTheyWere) { expect_tracks_as_they_were<Color>({1, 4}, 5); }
TEST_F(AutoFaults, LeaveBlobsAsTheyWere) { expect_tracks_as_they_were<Blobs>({1, 4}, 5); }

// Whichever of their common calls fails, for all or for one of them.
TEST_F(AutoFaults, LeaveEightStreamsAsTheyWere) {
  constexpr std::size_t kStreams = 8;
  Faults faults(kGpu);
  const Outcome expected = run({.device = "host"}, faults, kGpu);
  std::string log;
  faults.set(kGpu);
  for (const Outcome& good : run_streams(kStreams, faults, kGpu, log)) {
    expect_same(good.tracks, expected.tracks);
  }
  EXPECT_EQ(log, "");
  const struct {
    const char* name;
    const char* calls;  // these, or all from then on
    bool once = false;
  } kFaults[] = {{"clSetKernelArg", "@5"},
                 {"clEnqueueNDRangeKernel", "@5"},
                 {"clEnqueueNDRangeKernel", "@60-60", true},
                 {"clEnqueueWriteBuffer", "@5"},
                 {"clEnqueueReadBuffer", "@5"},
                 {"clEnqueueMarkerWithWaitList", "@5"},
                 {"clFlush", "@5"},
                 {"clWaitForEvents", "@5"},
                 {"clWaitForEvents", "@20-20", true}};
  for (const auto& [name, calls, once] : kFaults) {
    const std::string fault = std::string(name) + calls + "=-5";
    SCOPED_TRACE(fault);
    faults.set(kGpu);
    const auto all = run_streams(kStreams, faults, kGpu + "," + fault, log);
    EXPECT_GT(faults.failures(name), 0);
    const bool lost = has_lost(log);
    for (const Outcome& bad : all) {
      expect_same(bad.tracks, expected.tracks, !lost);
      if (once) {
        EXPECT_LE(bad.warnings.size(), 1u);
      } else {
        EXPECT_EQ(bad.warnings.size(), 1u);
      }
    }
  }
}

TEST_F(AutoFaults, OfADeviceThatWasNamedAreErrors) {
  Faults faults(kGpu);
  Placement placement;
  placement["ferns"] = "0.0";  // all else is auto
  const Error error =
      test::error_of([&] { run(placement, faults, kGpu + ",clEnqueueNDRangeKernel@5=-5"); });
  EXPECT_EQ(error.code(), ErrorCode::device_failed);
  EXPECT_THAT(error.what(), HasSubstr("0.0"));
  set_log_handler({});
}

// What cannot even be made ready is left out, without a word to the user.
TEST_F(AutoFaults, BeforeADeviceIsReadyLeaveItOut) {
  for (const char* fault :
       {"clCreateContext=-6", "clCreateCommandQueue=-6",
        "clBuildProgram=-11,clCreateProgramWithBinary=-42", "clEnqueueNDRangeKernel=-5"}) {
    SCOPED_TRACE(fault);
    Faults faults(kGpu + "," + fault);
    for (const auto& devices :
         {open_devices(TldConfig{}), open_devices(TemplateConfig{}), open_devices(ColorConfig{})}) {
      devices->candidates().start();
      while (!devices->candidates().is_complete()) wait_a_little();
      EXPECT_EQ(devices->candidates().ready_count(), 0u) << devices->stages()[0].stage.name;
    }
  }
}

// They are not even opened.
TEST_F(AutoFaults, CpusAreLeftToTheHost) {
  Faults faults(test::kFaultyCpu);
  std::string log;
  set_log_handler([&](LogLevel, std::string_view message) { log += message; });
  const auto devices = open_devices(TldConfig{});
  devices->candidates().start();
  while (!devices->candidates().is_complete()) wait_a_little();
  set_log_handler({});
  EXPECT_EQ(devices->candidates().ready_count(), 0u);
  EXPECT_EQ(faults.calls("clCreateContext"), 0);
  EXPECT_THAT(log, HasSubstr("is left out: the host makes better use of CPUs"));
}

}  // namespace
}  // namespace cltrack
