// SPDX-License-Identifier: LGPL-2.1-or-later
// point_flow() on recorded pictures: devices must land where the host does.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "accuracy/frame_source.h"
#include "accuracy/test_data.h"
#include "ops/flow/flow_pyramid.h"
#include "ops/flow/point_flow.h"
#include "support/devices.h"

namespace cltrack {
namespace {

using accuracy::real_data;

// What became of the points on the host and on a device.
struct Comparison {
  std::vector<double> distances;  // where both found them
  int points = 0;
  int equal = 0;          // in every bit
  int disagreements = 0;  // on whether they were found

  double percentile(double part) {
    std::sort(distances.begin(), distances.end());
    const auto last = static_cast<double>(distances.size() - 1);
    return distances.at(static_cast<std::size_t>(std::ceil(part * last)));
  }
};

class PointFlowVideoOnDevice : public test::DeviceTest {
 protected:
  static constexpr std::size_t kFrames = 6;
  static constexpr int kLevels = 5;
  static constexpr int kLargestWindow = kLargestFlowWindow;
  static void SetUpTestSuite() { gst_init(nullptr, nullptr); }

  static std::vector<Point> points_on(const ImageView& picture) {
    // All over the picture, at places between its pixels, with a margin on both sides of its
    // border.
    std::vector<Point> points;
    constexpr int kSide = 24;
    for (int j = 0; j < kSide; ++j) {
      for (int i = 0; i < kSide; ++i) {
        points.push_back({(static_cast<float>(i) + 0.37f) / kSide * (picture.width + 8.0f) - 4,
                          (static_cast<float>(j) + 0.61f) / kSide * (picture.height + 8.0f) - 4});
      }
    }
    return points;
  }

  void compare(const std::vector<std::shared_ptr<const accuracy::VideoFrame>>& frames, int window,
               Comparison& comparison) {
    FlowPyramid host[2], device[2];
    Plane plane;
    Array<Point> points;
    Array<TrackedPoint> result, again;
    const FlowSettings settings = {.window = window};
    const Array<std::int32_t> windows{std::span<const std::int32_t>(&window, 1)};
    for (std::size_t i = 0; i < frames.size(); ++i) {
      const ImageView picture = frames[i]->frame().luma;
      // With the padding of the vector bodies.
      FlowPyramid& own = host[i % 2];
      own.reshape(
          padded_flow_pyramid_shape(picture.width, picture.height, kLevels, kLargestWindow));
      vector::build_flow_pyramid(picture, own, own.pixels.host_write().data());
      plane.borrow(picture);
      build_flow_pyramid(*queue_, plane, kLevels, kLargestWindow, device[i % 2]);
      queue_->finish();
      plane.release();
      if (i == 0) continue;
      const std::vector<Point> starts = points_on(picture);
      std::vector<TrackedPoint> expected(starts.size());
      vector::point_flow(host[(i + 1) % 2].host_view(), host[i % 2].host_view(), starts, settings,
                         expected.data());
      points.assign(starts);
      point_flow(*queue_, device[(i + 1) % 2], device[i % 2], points, windows, settings.search(),
                 result);
      point_flow(*queue_, device[(i + 1) % 2], device[i % 2], points, windows, settings.search(),
                 again);
      const auto tracked = result.host_read();
      ASSERT_EQ(std::memcmp(tracked.data(), again.host_read().data(), tracked.size_bytes()), 0);
      for (std::size_t k = 0; k < starts.size(); ++k) {
        ++comparison.points;
        if (std::memcmp(&tracked[k], &expected[k], sizeof(TrackedPoint)) == 0) ++comparison.equal;
        if (tracked[k].found != expected[k].found) {
          ++comparison.disagreements;
        } else if (tracked[k].found) {
          comparison.distances.push_back(
              std::hypot(tracked[k].x - expected[k].x, tracked[k].y - expected[k].y));
        }
      }
    }
  }
};

TEST_P(PointFlowVideoOnDevice, LandsWhereTheHostDoes) {
  if (queue_->is_host()) GTEST_SKIP() << "the host is what others are compared with";
  const auto folder = real_data("tld");
  SKIP_WITHOUT_DATA(folder);
  const std::filesystem::path folders[] = {folder};
  for (const accuracy::Sequence& sequence : accuracy::find_sequences(folders)) {
    const accuracy::Footage footage(sequence, kFrames);
    for (const int window : {9, 21}) {
      SCOPED_TRACE(sequence.name + ", window " + std::to_string(window));
      Comparison comparison;
      compare(footage.frames(), window, comparison);
      ASSERT_GT(comparison.distances.size(), 1000u);
      if (device_->info().exact_division) {
        EXPECT_EQ(comparison.equal, comparison.points);
      }
      EXPECT_LT(comparison.percentile(0.5), 0.001);
      EXPECT_LT(comparison.percentile(0.99), 0.01);
      EXPECT_LE(comparison.disagreements, comparison.points / 100);
      // Figures for the log; --gtest_output=xml keeps them.
      const auto record = [&](const char* name, auto value) {
        RecordProperty(sequence.name + "_" + std::to_string(window) + "_" + name,
                       std::to_string(value));
      };
      record("equal", comparison.equal);
      record("median", comparison.percentile(0.5));
      record("p99", comparison.percentile(0.99));
      record("largest", comparison.percentile(1));
      record("disagreements", comparison.disagreements);
      record("points", comparison.points);
    }
  }
}

CLTRACK_ON_EVERY_DEVICE(PointFlowVideoOnDevice);

}  // namespace
}  // namespace cltrack
