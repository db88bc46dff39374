// SPDX-License-Identifier: LGPL-2.1-or-later
// Pyramidal Lucas-Kanade (J.-Y. Bouguet, "Pyramidal implementation of the Lucas Kanade feature
// tracker"), forward and backward. Every operation is that of kernels/flow/point_flow.cl, in the
// same order, so that the results are the same in every bit.
#include "ops/flow/point_flow.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "cltrack/error.h"
#include "compute/launch.h"
#include "core/processor.h"
#include "ops/flow/between_pixels_avx2.h"
#include "ops/flow/flow_window.h"
#include "ops/job_parts.h"

namespace cltrack {

namespace {

struct Search {
  FlowWindowBody body;
  int iterations;  // per level
  float epsilon;   // squared
};

bool overlaps(const Point& corner, int size, const ImageView& level) {
  const auto side = static_cast<float>(size);
  return corner.x >= -side && corner.x < static_cast<float>(level.width) && corner.y >= -side &&
         corner.y < static_cast<float>(level.height);
}

// Searches for the window at `corner` of one picture around `end` in the other picture, and moves
// `end` there. False if the window is too flat or outside of the picture.
bool refine(const PaddedView& from, const PaddedView& to, const Point& corner, const Search& search,
            FlowWindow& window, Point& end) {
  const int size = window.size;
  if (!overlaps(corner, size, from)) return false;
  const FlowSums sums = search.body.take(from, pixel_weights(corner.x, corner.y), window);
  constexpr float kScale = 1.0f / (1 << 20);
  const float xx = static_cast<float>(sums.xx) * kScale;
  const float xy = static_cast<float>(sums.xy) * kScale;
  const float yy = static_cast<float>(sums.yy) * kScale;
  const float determinant = xx * yy - xy * xy;
  const float smallest_eigenvalue = (yy + xx - std::sqrt((xx - yy) * (xx - yy) + 4 * xy * xy)) /
                                    static_cast<float>(2 * size * size);
  if (!(smallest_eigenvalue >= 1e-4f && determinant >= std::numeric_limits<float>::epsilon())) {
    return false;
  }
  const float inverse = 1 / determinant;

  const float to_centre = static_cast<float>(size - 1) * 0.5f;
  Point place = {end.x - to_centre, end.y - to_centre};
  Point before;
  for (int i = 1; i <= search.iterations && overlaps(place, size, to); ++i) {
    const FlowMismatch mismatch = search.body.compare(to, pixel_weights(place.x, place.y), window);
    const float bx = static_cast<float>(mismatch.x) * kScale;
    const float by = static_cast<float>(mismatch.y) * kScale;
    const Point move = {(xy * by - yy * bx) * inverse, (xy * bx - xx * by) * inverse};
    place = {place.x + move.x, place.y + move.y};
    end = {place.x + to_centre, place.y + to_centre};
    if (!(move.x * move.x + move.y * move.y > search.epsilon)) break;
    // Two opposite steps: the result lies between them.
    if (i > 1 && std::abs(move.x + before.x) <= 0.01f && std::abs(move.y + before.y) <= 0.01f) {
      end = {end.x - move.x * 0.5f, end.y - move.y * 0.5f};
      break;
    }
    before = move;
  }
  return true;
}

// Tracks `start` from the coarsest level to the finest one. Only the finest one decides whether it
// was found: a window that is flat at a coarse level may have structure at a finer one.
bool follow(const FlowPyramidView& from, const FlowPyramidView& to, const Point& start,
            const Search& search, FlowWindow& window, Point& end) {
  const float to_centre = static_cast<float>(window.size - 1) * 0.5f;
  const int top = std::min(from.levels.top, to.levels.top);
  bool found = false;
  for (int level = top; level >= 0; --level) {
    const float scale = 1.0f / static_cast<float>(1 << level);
    const Point here = {start.x * scale, start.y * scale};
    end = level == top ? here : Point{end.x * 2, end.y * 2};
    found = refine(from.level(level), to.level(level), {here.x - to_centre, here.y - to_centre},
                   search, window, end);
  }
  return found && overlaps({end.x - to_centre, end.y - to_centre}, window.size, to.level(0));
}

}  // namespace

void track_points(const FlowPyramidView& from, const FlowPyramidView& to,
                  std::span<const Point> points, const FlowSettings& settings,
                  const FlowWindowBody& body, decltype(&reference::point_similarity) similarity,
                  TrackedPoint* result) {
  check_point_flow(from, to, settings.window);
  const float epsilon = std::clamp(settings.epsilon, 0.0f, 10.0f);
  const Search search = {body, std::clamp(settings.iterations, 0, 100), epsilon * epsilon};
  FlowWindow window;
  window.size = settings.window;
  for (const Point& start : points) {
    TrackedPoint& tracked = *result++;
    tracked = {};
    Point end, back;
    if (!follow(from, to, start, search, window, end)) continue;
    if (!follow(to, from, end, search, window, back)) continue;
    const Point error = {back.x - start.x, back.y - start.y};
    tracked = {end.x, end.y, std::sqrt(error.x * error.x + error.y * error.y),
               similarity(from.level(0), start, to.level(0), end), 1};
  }
}

void reference::point_flow(const FlowPyramidView& from, const FlowPyramidView& to,
                           std::span<const Point> points, const FlowSettings& settings,
                           TrackedPoint* result) {
  track_points(from, to, points, settings, reference::flow_window(), reference::point_similarity,
               result);
}

void vector::point_flow(const FlowPyramidView& from, const FlowPyramidView& to,
                        std::span<const Point> points, const FlowSettings& settings,
                        TrackedPoint* result) {
  static const FlowWindowBody body = vector::flow_window();
  track_points(from, to, points, settings, body, vector::point_similarity, result);
}

namespace {

constexpr int kSide = kSimilaritySide;

using Square = std::array<std::int64_t, kSide * kSide>;

// The pixels around `point`, times 2^14.
Square square_around(const ImageView& image, const Point& point) {
  const PixelWeights at = pixel_weights(point.x - 0.5f * (kSide - 1), point.y - 0.5f * (kSide - 1));
  std::uint8_t pixels[(kSide + 1) * (kSide + 1)];
  std::size_t i = 0;
  for (int y = at.y; y <= at.y + kSide; ++y) {
    const std::uint8_t* row = image.row(std::clamp(y, 0, image.height - 1));
    for (int x = at.x; x <= at.x + kSide; ++x) {
      pixels[i++] = row[std::clamp(x, 0, image.width - 1)];
    }
  }
  Square square;
  i = 0;
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) {
      square[i++] = weigh(pixels + y * (kSide + 1) + x, kSide + 1, at);
    }
  }
  return square;
}

}  // namespace

float correlation(const SimilaritySums& sums) {
  constexpr std::int64_t n = kSide * kSide;
  const std::int64_t spread_a = n * sums.aa - sums.a * sums.a;
  const std::int64_t spread_b = n * sums.bb - sums.b * sums.b;
  if (spread_a <= 0 || spread_b <= 0) return 0;
  return static_cast<float>(n * sums.ab - sums.a * sums.b) /
         std::sqrt(static_cast<float>(spread_a) * static_cast<float>(spread_b));
}

float reference::point_similarity(const ImageView& a, const Point& pa, const ImageView& b,
                                  const Point& pb) {
  const Square sa = square_around(a, pa);
  const Square sb = square_around(b, pb);
  SimilaritySums sums;
  for (std::size_t i = 0; i < sa.size(); ++i) {
    sums.a += sa[i];
    sums.b += sb[i];
    sums.aa += sa[i] * sa[i];
    sums.bb += sb[i] * sb[i];
    sums.ab += sa[i] * sb[i];
  }
  return correlation(sums);
}

// The similarity a row of the squares at a time. Sums of products are taken in double precision,
// which holds each of them exactly: 100 * (255 * 2^14)^2 < 2^53.

#if CLTRACK_X86

namespace avx2 {
namespace {

constexpr int kSide = kSimilaritySide;
constexpr int kColumns = 17;  // that vectors read

struct Square {
  PixelWeights at;
  ImageView pixels;
  std::uint8_t scratch[kColumns * (kSide + 1)] = {};

  Square(const ImageView& image, const Point& point)
      : at(pixel_weights(point.x - 0.5f * (kSide - 1), point.y - 0.5f * (kSide - 1))) {
    if (at.x >= 0 && at.y >= 0 && at.x + kColumns <= image.width &&
        at.y + kSide + 1 <= image.height) {
      pixels = {image.row(at.y) + at.x, kColumns, kSide + 1, image.stride};
      return;
    }
    pixels = {scratch, kColumns, kSide + 1, kColumns};
    for (int y = 0; y <= kSide; ++y) {
      const std::uint8_t* row = image.row(std::clamp(at.y + y, 0, image.height - 1));
      for (int x = 0; x <= kSide; ++x) {
        scratch[y * kColumns + x] = row[std::clamp(at.x + x, 0, image.width - 1)];
      }
    }
  }
};

struct Sums {
  __m256d a, b, aa, bb, ab;

  CLTRACK_AVX2 void add(__m128i values_a, __m128i values_b) {
    const __m256d va = _mm256_cvtepi32_pd(values_a);
    const __m256d vb = _mm256_cvtepi32_pd(values_b);
    a = _mm256_add_pd(a, va);
    b = _mm256_add_pd(b, vb);
    aa = _mm256_add_pd(aa, _mm256_mul_pd(va, va));
    bb = _mm256_add_pd(bb, _mm256_mul_pd(vb, vb));
    ab = _mm256_add_pd(ab, _mm256_mul_pd(va, vb));
  }
};

CLTRACK_AVX2 std::int64_t total(__m256d values) {
  alignas(32) double four[4];
  _mm256_store_pd(four, values);
  return static_cast<std::int64_t>(four[0] + four[1] + four[2] + four[3]);
}

CLTRACK_AVX2 SimilaritySums add_up(const Square& a, const Square& b) {
  const Weights by_a = weights(a.at);
  const Weights by_b = weights(b.at);
  const __m128i two = _mm_set_epi32(0, 0, -1, -1);  // of columns 8 to 11, 8 and 9 count
  Columns upper_a = pairs(a.pixels.row(0));
  Columns upper_b = pairs(b.pixels.row(0));
  const __m256d zero = _mm256_setzero_pd();
  Sums sums = {zero, zero, zero, zero, zero};
  for (int y = 0; y < kSide; ++y) {
    const Columns lower_a = pairs(a.pixels.row(y + 1));
    const Columns lower_b = pairs(b.pixels.row(y + 1));
    const Columns va = weigh(upper_a, lower_a, by_a);
    const Columns vb = weigh(upper_b, lower_b, by_b);
    sums.add(_mm256_castsi256_si128(va.low), _mm256_castsi256_si128(vb.low));
    sums.add(_mm256_castsi256_si128(va.high), _mm256_castsi256_si128(vb.high));
    sums.add(_mm_and_si128(_mm256_extracti128_si256(va.low, 1), two),
             _mm_and_si128(_mm256_extracti128_si256(vb.low, 1), two));
    upper_a = lower_a;
    upper_b = lower_b;
  }
  return {total(sums.a), total(sums.b), total(sums.aa), total(sums.bb), total(sums.ab)};
}

float similarity(const ImageView& a, const Point& pa, const ImageView& b, const Point& pb) {
  return correlation(add_up({a, pa}, {b, pb}));
}

}  // namespace
}  // namespace avx2

#endif

float vector::point_similarity(const ImageView& a, const Point& pa, const ImageView& b,
                               const Point& pb) {
#if CLTRACK_X86
  static const auto body = fastest_body(reference::point_similarity, avx2::similarity);
  return body(a, pa, b, pb);
#else
  return reference::point_similarity(a, pa, b, pb);
#endif
}

namespace {

// CPUs have work-groups of one item, see kernels/parts/flow_window.cl.
const char* options(const Device& device) { return device.is_cpu() ? "-DITEMS=1" : ""; }

// Points of one part of the host's work: fewer than a target has, because it may be the only one.
constexpr std::uint32_t kPointsOfAPart = 12;

void track_on_host(Queue& queue, const FlowPyramidView& from, const FlowPyramidView& to,
                   const Array<Point>& points, std::span<const std::int32_t> windows,
                   const FlowSearch& search, std::span<TrackedPoint> result) {
  const std::span<const Point> starts = points.host_read();
  const std::size_t points_of_job = starts.size() / windows.size();
  std::vector<std::uint32_t> counts;
  for (std::size_t job = 0; job < windows.size(); ++job) {
    const bool tracks = windows[job] != 0;
    counts.push_back(tracks ? static_cast<std::uint32_t>(points_of_job) : 0);
    if (!tracks)
      std::ranges::fill(result.subspan(job * points_of_job, points_of_job), TrackedPoint());
  }
  run_job_parts(queue, counts, kPointsOfAPart,
                [&](std::size_t job, std::size_t first, std::size_t end) {
                  const std::size_t begin = job * points_of_job + first;
                  vector::point_flow(from, to, starts.subspan(begin, end - first),
                                     {windows[job], search.iterations, search.epsilon},
                                     result.data() + begin);
                });
}

}  // namespace

void check_point_flow(const FlowPyramidShape& from, const FlowPyramidShape& to, int window) {
  if (from.empty() || to.empty()) {
    throw Error(ErrorCode::invalid_argument, "point flow: both pyramids must have been built");
  }
  if (from.width() != to.width() || from.height() != to.height()) {
    throw Error(ErrorCode::invalid_argument,
                "point flow: pictures of different sizes, " + std::to_string(from.width()) + "x" +
                    std::to_string(from.height()) + " and " + std::to_string(to.width()) + "x" +
                    std::to_string(to.height()));
  }
  const int largest = std::min({from.largest_window, to.largest_window, kLargestFlowWindow});
  if (window < 3 || window > largest || window % 2 == 0) {
    throw Error(ErrorCode::invalid_argument,
                "point flow: window of " + std::to_string(window) +
                    " pixels; it must be odd, at least 3 and at most " + std::to_string(largest));
  }
}

void point_flow(Queue& queue, const FlowPyramid& from, const FlowPyramid& to,
                const Array<Point>& points, const Array<std::int32_t>& windows,
                const FlowSearch& search, Array<TrackedPoint>& result) {
  result.resize(points.size());
  if (points.size() == 0) return;
  const std::span<const std::int32_t> sides = windows.host_read();
  int largest = 3;
  for (const std::int32_t side : sides) {
    if (side != 0) check_point_flow(from, to, side);
    largest = std::max(largest, side);
  }
  if (queue.is_host()) {
    track_on_host(queue, from.host_view(), to.host_view(), points, sides, search,
                  result.host_write());
    return;
  }
  const bool vectors = queue.device().is_cpu();
  const int stride = std::max(largest + 3, kSimilaritySide + 1);
  // Vectors may begin at the last pixel.
  const int part = stride * stride + (vectors ? CLTRACK_FLOW_LANES : 0);
  const int items = vectors ? 1 : CLTRACK_FLOW_ITEMS;
  const int iterations = std::clamp(search.iterations, 0, 100);
  const float epsilon = std::clamp(search.epsilon, 0.0f, 10.0f);
  const auto points_of_job = static_cast<cl_int>(points.size() / windows.size());
  launch(queue, {"point_flow", "point_flow", options(queue.device())},
         global(points.size() * static_cast<std::size_t>(items)), local(items), in(from.pixels),
         from.levels, in(to.pixels), to.levels, in(points), points_of_job, in(windows),
         cl_int{iterations}, epsilon * epsilon, out(result),
         local_memory<cl_float>(static_cast<std::size_t>(6 * part)),
         local_memory<cl_long2>(static_cast<std::size_t>(items + CLTRACK_FLOW_PARTS)));
}

std::vector<ProgramName> point_flow_programs(const Device& device) {
  return {{"flow_pyramid", ""}, {"point_flow", options(device)}};
}

}  // namespace cltrack
