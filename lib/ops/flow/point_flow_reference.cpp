// SPDX-License-Identifier: LGPL-2.1-or-later
// Pyramidal Lucas-Kanade (J.-Y. Bouguet, "Pyramidal implementation of the Lucas Kanade feature
// tracker"), forward and backward. Every operation is that of kernels/flow/point_flow.cl, in the
// same order, so that the results are the same in every bit.
#include <algorithm>
#include <cmath>
#include <limits>

#include "ops/flow/flow_window.h"
#include "ops/flow/point_flow.h"

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

}  // namespace cltrack
