// SPDX-License-Identifier: LGPL-2.1-or-later
// Trackers on a device that the user has named, and which fails: an error at once, nothing left
// behind.
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "cltrack/color_tracker.h"
#include "cltrack/network.h"
#include "cltrack/template_tracker.h"
#include "cltrack/tld_tracker.h"
#include "match/frame_search.h"
#include "support/color_image.h"
#include "support/fault_sweep.h"
#include "support/match_scenes.h"
#include "support/random_network.h"
#include "support/scene.h"

namespace cltrack {
namespace {

// What is told of a target on a frame: box, confidence, area, length of its trail.
using Seen = std::vector<std::tuple<BoundingBox, float, std::uint64_t, std::size_t>>;

// Of a target that goes to the right, on so many frames.
template <typename Config, typename Make>
Seen follow(Config config, const Make& make, const Seed& seed, int frames) {
  config.placement.device = "0.0";
  // Nothing else calls OpenCL while frames are processed.
  const auto devices = open_devices(config);
  devices->wait();
  const std::unique_ptr<Tracker> tracker = make(config, devices);
  tracker->add(seed);
  test::Scene scene(160, 120);
  Seen seen;
  for (int i = 0; i < frames; ++i) {
    const BoundingBox box{40 + static_cast<float>(i), 30, 40, 40};
    test::ColorImage colors(test::color_formats().back(), 160, 120);
    colors.fill_box(40 + i, 30, 40, 40, {200, 20, 20});
    Frame frame = scene.draw(box);
    frame.color = colors.picture();
    for (const Track& found : tracker->process(frame)) {
      const ColorExtent extent = found.extent.value_or(ColorExtent());
      seen.emplace_back(found.box, found.confidence, extent.area, extent.trail.size());
    }
  }
  return seen;
}

constexpr BoundingBox kBox = {40, 30, 40, 40};

Seen follow_by_colour(int blobs) {
  const auto make = [](const ColorConfig& config, const auto& devices) {
    return make_color_tracker(config, devices);
  };
  return follow(ColorConfig{.blobs = blobs, .trail = 3}, make, ColorModel::near(200, 20, 20, 30),
                4);
}

struct Kind {
  std::string name;
  std::function<Seen()> follow;
};

Seen follow_by_tld(const std::optional<Network>& network) {
  const auto make = [](const TldConfig& config, const auto& devices) {
    return make_tld_tracker(config, devices);
  };
  TldConfig config{.seed = 5, .threads = 2};
  config.network = network;
  return follow(config, make, kBox, 6);
}

const Kind kKinds[] = {
    {"tld", [] { return follow_by_tld({}); }},
    {"network",
     [] {
       static const Network network = Network::parse(test::RandomNetwork::make(1).bytes());
       return follow_by_tld(network);
     }},
    // With every frame searched whole, the device has work on each.
    {"template",
     [] {
       const auto make = [](const TemplateConfig& config, const auto& devices) {
         return make_template_tracker(config, devices);
       };
       return follow(TemplateConfig{.search = TemplateSearch::frame}, make, kBox, 4);
     }},
    {"sums", [] { return follow_by_colour(0); }},
    {"blobs", [] { return follow_by_colour(1); }},
};

class TrackerFaults : public testing::TestWithParam<std::tuple<const char*, Kind>> {};

TEST_P(TrackerFaults, OfAnyCallEndInOneError) {
  CLTRACK_NEEDS_OPENCL();
  const auto& [device, kind] = GetParam();
  const Seen seen = test::expect_every_failure_told(device, kind.follow, kind.name == "network");
  const bool is_tld = kind.name == "tld" || kind.name == "network";
  ASSERT_EQ(seen.size(), is_tld ? 6u : 4u);
  const auto& [box, confidence, area, trail] = seen.back();
  if (!is_tld) {
    EXPECT_EQ(box, (BoundingBox{43, 30, 40, 40}));
  }
  if (kind.name == "sums" || kind.name == "blobs") {
    EXPECT_EQ(area, 1600u);
    EXPECT_EQ(trail, 3u);
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, TrackerFaults,
                         testing::Combine(testing::Values(test::kFaultyCpu, test::kFaultyGpu),
                                          testing::ValuesIn(kKinds)),
                         [](const auto& tested) {
                           const bool is_cpu = std::get<0>(tested.param) == test::kFaultyCpu;
                           return (is_cpu ? "cpu_" : "gpu_") + std::get<1>(tested.param).name;
                         });

long buffers(const test::Faults& faults) {
  return faults.alive("clCreateBuffer", "clRetainMemObject", "clReleaseMemObject");
}

// A device that works in the host's memory has a buffer on the picture itself.
TEST(FrameSearchFaults, LeaveNoBufferOnThePicture) {
  CLTRACK_NEEDS_OPENCL();
  test::Faults faults(test::kFaultyCpu);
  const auto device = Device::open(find_device("0.0"));
  const TemplateConfig config;
  const test::PaddedImage scene = test::textured_image(97, 71, 1, 7);
  const test::PaddedImage shown = test::cut_out(scene, 41, 23, 25, 19);
  {  // whatever is compiled once
    FrameSearch search(config, device->make_queue());
    MatchTemplate pattern(shown.view(), Similarity::ncc);
    search.best_place(scene.view(), pattern);
  }

  long maps = 0, kept = 0;
  {
    FrameSearch search(config, device->make_queue());
    MatchTemplate pattern(shown.view(), Similarity::ncc);
    faults.set(test::kFaultyCpu);
    const auto place = search.best_place(scene.view(), pattern);
    ASSERT_TRUE(place);
    EXPECT_EQ(place->x, 41);
    EXPECT_EQ(place->y, 23);
    maps = faults.calls("clEnqueueMapBuffer");
    kept = buffers(faults);
    ASSERT_GT(maps, 0);
  }
  FrameSearch search(config, device->make_queue());
  MatchTemplate pattern(shown.view(), Similarity::ncc);
  // The last thing that is mapped is the place that was found, behind all of the search.
  faults.set(std::string(test::kFaultyCpu) + ",clEnqueueMapBuffer@" + std::to_string(maps) + "-" +
             std::to_string(maps) + "=-5");
  EXPECT_THROW(search.best_place(scene.view(), pattern), Error);
  EXPECT_EQ(faults.failures("clEnqueueMapBuffer"), 1);
  EXPECT_EQ(buffers(faults), kept) << "as many as after a search that did not fail";
  EXPECT_EQ(search.best_place(scene.view(), pattern)->x, 41) << "another picture may follow";
}

}  // namespace
}  // namespace cltrack
