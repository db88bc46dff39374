// SPDX-License-Identifier: LGPL-2.1-or-later
// Many streams on one device at a time: each has the boxes that it has alone, in every bit,
// whatever the others do.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "cltrack/error.h"
#include "cltrack/tld_tracker.h"
#include "core/random.h"
#include "support/devices.h"
#include "support/faults.h"
#include "support/scene.h"
#include "tld/moving_target.h"

namespace cltrack {
namespace {

constexpr int kStreams = 6;
constexpr int kFrames = 24;

using Seen = std::tuple<std::uint64_t, TrackState, float, BoundingBox>;
using Frames = std::vector<std::vector<Seen>>;  // tracks of each frame

struct Outcome {
  Frames frames;
  std::string error;
};

// Stream `number` has so many targets, and a size of its own; it can end early, or change its size.
struct Stream {
  int number;
  int targets;
  int frames = kFrames;
  int other_size_from = kFrames;
};

std::vector<Stream> all_streams() {
  std::vector<Stream> all;
  for (int i = 0; i < kStreams; ++i) all.push_back({.number = i, .targets = 1 + i % 3});
  all[1].frames = kFrames / 3;
  all[3].other_size_from = kFrames / 2;
  return all;
}

// Where they come in is different with each `arrival`.
Outcome follow(const Stream& stream, const std::string& device,
               std::optional<std::uint64_t> arrival = {}) {
  const auto seed = static_cast<std::uint64_t>(stream.number) + 1;
  TldConfig config = test::single_threaded(seed);
  config.placement.device = device;
  Random random(arrival.value_or(0) + seed);
  Outcome outcome;
  try {
    const auto tracker = make_tld_tracker(config);
    std::optional<test::Scene> scene;
    for (int i = 0; i < stream.frames; ++i) {
      const int wider = 8 * stream.number + (i >= stream.other_size_from ? 50 : 0);
      if (i == 0 || i == stream.other_size_from) scene.emplace(test::kWidth + wider, test::kHeight);
      const BoundingBox box = test::path(i);
      for (int target = 0; i == 0 && target < stream.targets; ++target) {
        const float shift = 12 * static_cast<float>(target);
        tracker->add({box.x - shift, box.y + shift, box.width, box.height});
      }
      const Frame frame = scene->draw(box, i);
      for (auto rest = arrival ? random.below(200) : 0; rest > 0; --rest) std::this_thread::yield();
      std::vector<Seen> seen;
      for (const Track& track : tracker->process(frame)) {
        seen.emplace_back(track.id, track.state, track.confidence, track.box);
      }
      outcome.frames.push_back(std::move(seen));
    }
  } catch (const Error& error) {
    outcome.error = error.what();
  }
  return outcome;
}

std::vector<Outcome> follow_together(const std::string& device, std::uint64_t arrival) {
  const std::vector<Stream> streams = all_streams();
  std::vector<Outcome> outcomes(streams.size());
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < streams.size(); ++i) {
    threads.emplace_back([&, i] { outcomes[i] = follow(streams[i], device, arrival); });
  }
  threads.clear();
  return outcomes;
}

// Of each stream alone, on the host.
const std::vector<Frames>& alone() {
  static const std::vector<Frames> all = [] {
    std::vector<Frames> made;
    for (const Stream& stream : all_streams()) made.push_back(follow(stream, "host").frames);
    return made;
  }();
  return all;
}

class Streams : public testing::TestWithParam<DeviceInfo> {};

TEST_P(Streams, HaveTheBoxesOfEachAlone) {
  for (std::uint64_t arrival = 1; arrival <= 5; ++arrival) {
    SCOPED_TRACE(arrival);
    const std::vector<Outcome> together = follow_together(GetParam().spec, 100 * arrival);
    for (std::size_t i = 0; i < together.size(); ++i) {
      EXPECT_EQ(together[i].error, "") << i;
      EXPECT_EQ(together[i].frames, alone()[i]) << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, Streams, testing::ValuesIn(test::devices()),
                         test::device_case_name);

// Whoever fails says so; until then its boxes were right, and so are all of the others'.
TEST(StreamsFaults, LeaveTheOthersAsTheyWere) {
  const char* const kind = std::getenv("CLTRACK_FAULTS");
  if (kind == nullptr) GTEST_SKIP() << "needs an OpenCL that fails on demand";
  CLTRACK_NEEDS_OPENCL();
  test::Faults faults(kind);
  follow_together("0.0", 0);  // whatever is compiled once
  for (const char* name : {"clEnqueueNDRangeKernel", "clSetKernelArg", "clEnqueueWriteBuffer",
                           "clEnqueueReadBuffer", "clWaitForEvents", "clCreateKernel"}) {
    for (const char* call : {"@1-1", "@30-30", "@170-171"}) {
      SCOPED_TRACE(std::string(name) + call);
      faults.set(std::string(kind) + "," + name + call + "=-5");
      const std::vector<Outcome> together = follow_together("0.0", 7);
      for (std::size_t i = 0; i < together.size(); ++i) {
        const auto& [frames, error] = together[i];
        ASSERT_LE(frames.size(), alone()[i].size());
        if (error.empty()) {
          EXPECT_EQ(frames, alone()[i]) << i;
        } else {
          EXPECT_NE(error.find("0.0"), std::string::npos) << error;
          EXPECT_TRUE(std::equal(frames.begin(), frames.end(), alone()[i].begin())) << i;
        }
      }
    }
  }
}

}  // namespace
}  // namespace cltrack
