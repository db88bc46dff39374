// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/flow/point_flow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "core/random.h"
#include "support/devices.h"
#include "support/errors.h"
#include "support/test_image.h"

namespace cltrack {
namespace {

using test::expect_rejected;
using test::noise_image;
using test::PaddedImage;
using test::Texture;

// Brightness at any place, bilinear, the border repeated.
double brightness(const ImageView& image, double x, double y) {
  const auto pixel = [&](double u, double v) -> double {
    return image.at(std::clamp(static_cast<int>(u), 0, image.width - 1),
                    std::clamp(static_cast<int>(v), 0, image.height - 1));
  };
  const double u = std::floor(x), v = std::floor(y);
  const double upper = std::lerp(pixel(u, v), pixel(u + 1, v), x - u);
  return std::lerp(upper, std::lerp(pixel(u, v + 1), pixel(u + 1, v + 1), x - u), y - v);
}

double exact_similarity(const ImageView& a, const Point& pa, const ImageView& b, const Point& pb) {
  double sa = 0, sb = 0, aa = 0, bb = 0, ab = 0;
  for (double y = -4.5; y < 5; ++y) {
    for (double x = -4.5; x < 5; ++x) {
      const double va = brightness(a, pa.x + x, pa.y + y);
      const double vb = brightness(b, pb.x + x, pb.y + y);
      sa += va;
      sb += vb;
      aa += va * va;
      bb += vb * vb;
      ab += va * vb;
    }
  }
  const double spreads = (100 * aa - sa * sa) * (100 * bb - sb * sb);
  return spreads > 1 ? (100 * ab - sa * sb) / std::sqrt(spreads) : 0;  // a corner repeated is flat
}

TEST(PointSimilarity, OfTheSameOfOppositesAndOfFlatPictures) {
  const PaddedImage image = noise_image(40, 30, 1, 3);
  const PaddedImage negative =
      PaddedImage(40, 30).fill([&](int x, int y) { return 255 - image.view().at(x, y); });
  const PaddedImage flat = PaddedImage(40, 30).fill([](int, int) { return 77; });
  const Point p = {20.25f, 15.5f};
  EXPECT_FLOAT_EQ(reference::point_similarity(image.view(), p, image.view(), p), 1);
  EXPECT_FLOAT_EQ(reference::point_similarity(image.view(), p, negative.view(), p), -1);
  EXPECT_EQ(reference::point_similarity(image.view(), p, flat.view(), p), 0);
  EXPECT_EQ(reference::point_similarity(flat.view(), p, image.view(), p), 0);
}

TEST(PointSimilarity, AgreesWithFloatingPointAlsoBeyondTheBorder) {
  const PaddedImage a = noise_image(64, 48, 2, 1);
  const PaddedImage b = PaddedImage(64, 48).fill([&, random = Random(4)](int x, int y) mutable {
    return (a.view().at(x, y) + random.below(128)) / 2;
  });
  Random random(3);
  for (int i = 0; i < 300; ++i) {
    const Point p = {random.uniform(-8, 72), random.uniform(-8, 56)};
    const Point q = {p.x + random.uniform(-1, 1), p.y + random.uniform(-1, 1)};
    EXPECT_NEAR(reference::point_similarity(a.view(), p, b.view(), q),
                exact_similarity(a.view(), p, b.view(), q), 3e-4)
        << p.x << " " << p.y;
    EXPECT_EQ(reference::point_similarity(a.view(), p, b.view(), q),
              vector::point_similarity(a.view(), p, b.view(), q));
  }
}

TEST(PointSimilarity, TakesTinyPicturesAndPointsFarOutside) {
  const PaddedImage tiny = noise_image(3, 2, 7);
  const PaddedImage white = PaddedImage(64, 48).fill([](int x, int) { return x & 1 ? 255 : 0; });
  for (const Point& p : {Point{1, 1}, {-900, 2}, {900, -900}, {62.5f, 46.5f}}) {
    for (const PaddedImage* image : {&tiny, &white}) {
      const float plain =
          reference::point_similarity(image->view(), p, white.view(), {31.25f, 20.5f});
      EXPECT_EQ(plain, vector::point_similarity(image->view(), p, white.view(), {31.25f, 20.5f}));
      EXPECT_LE(std::abs(plain), 1.00001f);
    }
  }
}

PaddedImage textured(int width, int height, float dx, float dy, int padding = 0) {
  const Texture texture(21);
  return PaddedImage(width, height, padding).fill([&](int x, int y) {
    return std::lround(texture.at(static_cast<float>(x) - dx, static_cast<float>(y) - dy));
  });
}

std::vector<Point> grid(float left, float top, float right, float bottom, int side) {
  std::vector<Point> points;
  for (int j = 0; j < side; ++j) {
    for (int i = 0; i < side; ++i) {
      const auto part = [&](int k) { return static_cast<float>(k) / static_cast<float>(side - 1); };
      points.push_back({left + (right - left) * part(i), top + (bottom - top) * part(j)});
    }
  }
  return points;
}

// Pyramids of two pictures, padded or not.
struct Pictures {
  Pictures(const ImageView& before, const ImageView& after, int window,
           decltype(&flow_pyramid_shape) shape = flow_pyramid_shape) {
    const ImageView images[2] = {before, after};
    for (int i = 0; i < 2; ++i) {
      const FlowPyramidShape at = shape(before.width, before.height, 5, window);
      pixels[i].resize(at.bytes());
      decltype(&reference::build_flow_pyramid) build = vector::build_flow_pyramid;
      if (at.padding == 0) build = reference::build_flow_pyramid;
      build(images[i], at, pixels[i].data());
      pyramids[i] = {at, pixels[i].data()};
    }
  }

  std::vector<TrackedPoint> flow(
      const std::vector<Point>& points, const FlowSettings& settings,
      decltype(&reference::point_flow) body = reference::point_flow) const {
    std::vector<TrackedPoint> result(points.size());
    body(pyramids[0], pyramids[1], points, settings, result.data());
    return result;
  }

  std::vector<std::uint8_t> pixels[2];
  FlowPyramidView pyramids[2];
};

// Bodies and paddings: a window is read in place or, near borders, in a copy.
TEST(PointFlow, BodiesAgreeInEveryBit) {
  Random random(9);
  for (const auto& [width, height] : {std::pair{181, 133}, {64, 47}, {23, 11}}) {
    std::vector<Point> points;
    for (int i = 0; i < 300; ++i) {
      points.push_back({random.uniform(-20, static_cast<float>(width) + 20),
                        random.uniform(-20, static_cast<float>(height) + 20)});
    }
    const PaddedImage before = textured(width, height, 0, 0, 3);
    const PaddedImage after = textured(width, height, 1.7f, -0.6f, 1);
    for (int window = 3; window <= kLargestFlowWindow; window += 2) {
      const FlowSettings settings = {.window = window};
      const Pictures plain(before.view(), after.view(), window);
      const Pictures padded(before.view(), after.view(), window, padded_flow_pyramid_shape);
      const auto expected = plain.flow(points, settings);
      const auto equals_expected = [&](const std::vector<TrackedPoint>& result) {
        return std::memcmp(result.data(), expected.data(),
                           expected.size() * sizeof(TrackedPoint)) == 0;
      };
      EXPECT_TRUE(equals_expected(plain.flow(points, settings, vector::point_flow))) << width;
      EXPECT_TRUE(equals_expected(padded.flow(points, settings, vector::point_flow))) << width;
      EXPECT_TRUE(equals_expected(padded.flow(points, settings))) << width << ", " << window;
    }
  }
}

TEST(PointFlow, RejectsWindowsThatDoNotFit) {
  const PaddedImage image = textured(60, 50, 0, 0);
  for (const int window : {-1, 0, 1, 8, 17, 33}) {
    const Pictures pictures(image.view(), image.view(), window == 33 ? 33 : 15);
    for (const auto body : {reference::point_flow, vector::point_flow}) {
      expect_rejected([&] { pictures.flow({{30, 30}}, {.window = window}, body); });
    }
  }
}

class PointFlowOnDevice : public test::DeviceTest {
 protected:
  static constexpr int kLevels = 5;

  // The points of all jobs, in windows of their own.
  std::vector<TrackedPoint> flow(const ImageView& before, const ImageView& after,
                                 const std::vector<Point>& points,
                                 const std::vector<std::int32_t>& windows,
                                 const FlowSearch& search) {
    Plane planes[2];
    planes[0].borrow(before);
    planes[1].borrow(after);
    FlowPyramid pyramids[2];
    const int largest = std::max(std::ranges::max(windows), 9);
    build_flow_pyramid(*queue_, planes[0], kLevels, largest, pyramids[0]);
    build_flow_pyramid(*queue_, planes[1], kLevels, largest, pyramids[1]);
    const Array<Point> starts{std::span(points)};
    const Array<std::int32_t> sides{std::span(windows)};
    Array<TrackedPoint> result;
    const test::Canary canary(result, points.size(), *queue_);
    const std::uint64_t launches = queue_->count().launches;
    point_flow(*queue_, pyramids[0], pyramids[1], starts, sides, search, result);
    EXPECT_LE(queue_->count().launches - launches, 1u);
    EXPECT_TRUE(canary.is_intact());
    const auto tracked = result.host_read();
    return {tracked.begin(), tracked.end()};
  }

  std::vector<TrackedPoint> flow(const ImageView& before, const ImageView& after,
                                 const std::vector<Point>& points, const FlowSettings& settings) {
    return flow(before, after, points, {settings.window}, settings.search());
  }

  // In every bit where division is exact; within 0.01 px elsewhere, but for a few points.
  void check(const ImageView& before, const ImageView& after, const std::vector<Point>& points,
             const FlowSettings& settings = {}) {
    SCOPED_TRACE(std::to_string(before.width) + "x" + std::to_string(before.height) + ", window " +
                 std::to_string(settings.window));
    expect_equal(points, flow(before, after, points, settings),
                 host_flow(before, after, points, settings));
  }

  void expect_equal(const std::vector<Point>& points, std::span<const TrackedPoint> tracked,
                    std::span<const TrackedPoint> expected) const {
    ASSERT_EQ(tracked.size(), points.size());
    std::size_t others = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const TrackedPoint& t = tracked[i];
      const TrackedPoint& e = expected[i];
      if (!t.found) {
        EXPECT_EQ(t.x + t.y + t.forward_backward + t.similarity, 0);
      }
      if (device_->info().exact_division) {
        EXPECT_TRUE(same(t, e)) << "(" << points[i].x << ", " << points[i].y << "): " << t.found
                                << " (" << t.x << ", " << t.y << ") and " << e.found << " (" << e.x
                                << ", " << e.y << ")";
      } else if (t.found != e.found || std::hypot(t.x - e.x, t.y - e.y) > 0.01 ||
                 std::abs(t.forward_backward - e.forward_backward) > 0.01) {
        ++others;
      }
    }
    EXPECT_LE(others, 1 + points.size() / 50);
  }

  static bool same(const TrackedPoint& a, const TrackedPoint& b) {
    return std::memcmp(&a, &b, sizeof(a)) == 0;
  }

  // By the plain body.
  static std::vector<TrackedPoint> host_flow(const ImageView& before, const ImageView& after,
                                             const std::vector<Point>& points,
                                             const FlowSettings& settings, int largest = 9) {
    return Pictures(before, after, std::max(settings.window, largest)).flow(points, settings);
  }
};

TEST_P(PointFlowOnDevice, FollowsATextureByFractionsOfAPixel) {
  const PaddedImage before = textured(181, 133, 0, 0, 3);
  for (const auto& [dx, dy] : {std::pair{0.0f, 0.0f}, {2.3f, -1.6f}, {-9.5f, 6.25f}}) {
    const PaddedImage after = textured(181, 133, dx, dy, 11);
    const std::vector<Point> points = grid(40, 35, 140, 95, 10);
    const std::vector<TrackedPoint> tracked = flow(before.view(), after.view(), points, {});
    for (std::size_t i = 0; i < points.size(); ++i) {
      ASSERT_TRUE(tracked[i].found);
      EXPECT_NEAR(tracked[i].x, points[i].x + dx, 0.1);
      EXPECT_NEAR(tracked[i].y, points[i].y + dy, 0.1);
      EXPECT_LT(tracked[i].forward_backward, 0.1);
      EXPECT_GT(tracked[i].similarity, 0.98);
    }
    check(before.view(), after.view(), points);
  }
}

TEST_P(PointFlowOnDevice, AllWindows) {
  const PaddedImage before = textured(150, 121, 0, 0, 1);
  const PaddedImage after = textured(150, 121, 1.7f, -0.6f);
  for (int window = 3; window <= 31; window += 2) {
    check(before.view(), after.view(), grid(20, 20, 130, 100, 7), {.window = window});
  }
}

TEST_P(PointFlowOnDevice, NearAndBeyondTheBorder) {
  for (const auto& [width, height] : {std::pair{97, 61}, {64, 64}, {320, 33}}) {
    const PaddedImage before = textured(width, height, 0, 0, 2);
    const PaddedImage after = textured(width, height, -1.3f, 0.8f, 7);
    for (const int window : {9, 15}) {
      check(before.view(), after.view(),
            grid(-20, -20, static_cast<float>(width) + 20, static_cast<float>(height) + 20, 30),
            {.window = window});
    }
  }
}

TEST_P(PointFlowOnDevice, TinyPictures) {
  for (const auto& [width, height] : {std::pair{12, 9}, {5, 3}, {2, 1}, {1, 1}}) {
    const PaddedImage before = noise_image(width, height, 1);
    const PaddedImage after = noise_image(width, height, 2);
    check(before.view(), after.view(), grid(-12, -12, 20, 20, 9));
  }
}

TEST_P(PointFlowOnDevice, FlatPicturesAndPointsThatAreNone) {
  const PaddedImage flat = PaddedImage(100, 80).fill([](int, int) { return 128; });
  check(flat.view(), flat.view(), grid(0, 0, 99, 79, 5));
  const PaddedImage texture = textured(100, 80, 0, 0);
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const std::vector<Point> points = {
      {-500, -500}, {1e6f, 3}, {3, -1e30f}, {kNan, 5}, {5, kInfinity}};
  for (const TrackedPoint& t : flow(texture.view(), texture.view(), points, {})) {
    EXPECT_FALSE(t.found);
  }
  EXPECT_TRUE(flow(texture.view(), texture.view(), {}, {}).empty());
}

TEST_P(PointFlowOnDevice, Extremes) {
  // The largest derivatives and differences that there are.
  const PaddedImage stripes =
      PaddedImage(120, 90).fill([](int x, int y) { return (x ^ y) & 2 ? 255 : 0; });
  const PaddedImage opposite =
      PaddedImage(120, 90).fill([](int x, int y) { return (x ^ y) & 2 ? 0 : 255; });
  for (const int window : {9, 31}) {
    check(stripes.view(), opposite.view(), grid(-5, -5, 125, 95, 9), {.window = window});
  }
}

TEST_P(PointFlowOnDevice, SettingsAreRespected) {
  const PaddedImage before = textured(181, 133, 0, 0);
  const PaddedImage after = textured(181, 133, 3.4f, 2.2f);
  const std::vector<Point> points = grid(40, 35, 140, 95, 6);
  for (const FlowSettings& settings :
       {FlowSettings{9, 1, 0.03f}, {9, 3, 0}, {9, 20, 1}, {9, 0, 0}}) {
    check(before.view(), after.view(), points, settings);
  }
}

// The body for CPUs and the one for GPUs, on the same device.
TEST_P(PointFlowOnDevice, RunsAndBodiesAgreeInEveryBit) {
  if (queue_->is_host()) GTEST_SKIP() << "the host has one body";
  const PaddedImage before = textured(121, 93, 0, 0);
  const PaddedImage after = textured(121, 93, 3.4f, 2.2f);
  const std::vector<Point> points = grid(-5, -5, 126, 98, 6);
  DeviceInfo as_other = GetParam();
  as_other.type = device_->is_cpu() ? DeviceType::gpu : DeviceType::cpu;
  const auto queue = queue_, other = Device::open(as_other)->make_queue();
  for (const int window : {9, 31}) {
    const auto first = flow(before.view(), after.view(), points, {.window = window});
    for (const auto& again : {queue, other, other, queue}) {
      queue_ = again;
      const auto result = flow(before.view(), after.view(), points, {.window = window});
      EXPECT_EQ(std::memcmp(first.data(), result.data(), first.size() * sizeof(first[0])), 0);
    }
  }
}

// On several threads, where the queue has them.
TEST_P(PointFlowOnDevice, SeveralJobs) {
  if (queue_->is_host()) queue_ = device_->make_queue(3);
  const PaddedImage before = textured(150, 121, 0, 0, 1);
  const PaddedImage after = textured(150, 121, 1.7f, -0.6f);
  const std::vector<Point> points = grid(-8, -5, 155, 125, 14);
  for (const std::vector<std::int32_t>& windows :
       {std::vector{15}, std::vector{31, 3}, std::vector{9, 0, 21, 3, 31, 0, 9}, std::vector{0}}) {
    const int largest = std::max(9, std::ranges::max(windows));
    const std::size_t points_of_job = points.size() / windows.size();
    const std::vector<TrackedPoint> tracked =
        flow(before.view(), after.view(), points, windows, FlowSearch());
    ASSERT_EQ(tracked.size(), points.size());
    for (std::size_t job = 0; job < windows.size(); ++job) {
      SCOPED_TRACE(std::to_string(job) + " of " + std::to_string(windows.size()));
      const auto begin = points.begin() + static_cast<std::ptrdiff_t>(job * points_of_job);
      const std::vector<Point> own(begin, begin + static_cast<std::ptrdiff_t>(points_of_job));
      const std::vector<TrackedPoint> expected =
          windows[job] == 0
              ? std::vector<TrackedPoint>(own.size())
              : host_flow(before.view(), after.view(), own, {.window = windows[job]}, largest);
      expect_equal(own, std::span(tracked).subspan(job * points_of_job, points_of_job), expected);
    }
  }
}

TEST_P(PointFlowOnDevice, RejectsWhatItCannotDo) {
  const PaddedImage image = textured(60, 50, 0, 0);
  const PaddedImage other = textured(61, 50, 0, 0);
  Plane plane, other_plane;
  plane.borrow(image.view());
  other_plane.borrow(other.view());
  FlowPyramid a, b, empty;
  build_flow_pyramid(*queue_, plane, 3, 15, a);
  build_flow_pyramid(*queue_, other_plane, 3, 15, b);
  Array<Point> points{std::span<const Point>(std::vector<Point>(3, {30, 30}))};
  Array<TrackedPoint> result;
  const auto flow_of = [&](const FlowPyramid& from, const FlowPyramid& to, int window) {
    const std::int32_t sides[] = {9, 0, window};
    point_flow(*queue_, from, to, points, Array<std::int32_t>{std::span(sides)}, {}, result);
  };
  expect_rejected([&] { flow_of(a, b, 9); });
  expect_rejected([&] { flow_of(a, empty, 9); });
  for (const int window : {-1, 1, 8, 17}) expect_rejected([&] { flow_of(a, a, window); });
  flow_of(a, a, 15);
}

TEST_P(PointFlowOnDevice, NeedsOneWaitAndBringsBackTheResultsAlone) {
  const PaddedImage image = textured(160, 120, 0, 0);
  FlowPyramid pyramids[2];
  const std::vector<Point> starts = grid(30, 30, 130, 90, 10);
  Array<Point> points;
  Array<std::int32_t> windows(1);
  windows.host_write()[0] = 9;
  Array<TrackedPoint> result;
  Plane plane;
  plane.borrow(image.view());
  build_flow_pyramid(*queue_, plane, 3, 9, pyramids[0]);
  const TransferCount before = queue_->count();
  build_flow_pyramid(*queue_, plane, 3, 9, pyramids[1]);
  points.assign(starts);
  point_flow(*queue_, pyramids[0], pyramids[1], points, windows, {}, result);
  result.fetch();
  queue_->finish();
  EXPECT_EQ(result.host_read()[55].found, 1);
  if (queue_->is_host()) return;
  EXPECT_EQ(queue_->count().waits - before.waits, 1u);
  EXPECT_EQ(queue_->count().launches - before.launches, 3u);
  if (!device_->is_zero_copy()) {
    EXPECT_EQ(queue_->count().bytes_down - before.bytes_down, 100 * sizeof(TrackedPoint));
  }
}

CLTRACK_ON_EVERY_DEVICE(PointFlowOnDevice);

}  // namespace
}  // namespace cltrack
