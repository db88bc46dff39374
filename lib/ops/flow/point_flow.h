// SPDX-License-Identifier: LGPL-2.1-or-later
// Sparse optical flow: pyramidal Lucas-Kanade, with the forward-backward error of each point.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cltrack/image_view.h"
#include "compute/array.h"
#include "compute/device.h"
#include "kernels/kernel_types.h"
#include "ops/flow/flow_pyramid.h"

namespace cltrack {

struct Point {
  float x = 0;  // pixels; the centre of the first pixel is (0, 0)
  float y = 0;
};

inline constexpr int kLargestFlowWindow = CLTRACK_LARGEST_FLOW_WINDOW;

struct FlowSearch {
  int iterations = 20;    // per level, 0 to 100
  float epsilon = 0.03f;  // a step shorter than this ends them, pixels, 0 to 10
};

struct FlowSettings {
  int window = 9;  // side of the integration window, pixels: odd, 3 to kLargestFlowWindow, and at
                   //   most that of the pyramids
  int iterations = FlowSearch().iterations;
  float epsilon = FlowSearch().epsilon;

  FlowSearch search() const { return {iterations, epsilon}; }
};

// Tracks the points of one job or more from one picture into the next and back in one launch:
// points.size() / windows.size() to each job, all in a window of windows[job] pixels. A job of
// window 0 has no points: its results are all 0. Resizes `result`. Devices that divide exactly
// agree with the host in every bit, others lie within 0.01 px. Does not wait, if the host knows the
// windows. Throws Error.
void point_flow(Queue& queue, const FlowPyramid& from, const FlowPyramid& to,
                const Array<Point>& points, const Array<std::int32_t>& windows,
                const FlowSearch& search, Array<TrackedPoint>& result);

// The programs of build_flow_pyramid() and point_flow(), to be built before the first frame. Not
// for the host.
std::vector<ProgramName> point_flow_programs(const Device& device);

// Tracks points from one picture into the next and back, with point_similarity() between the two
// pictures around each point that was found. All members of a point that was not found are 0.
// `result` has one entry for each of `points`, which may lie anywhere. Throws
// Error{invalid_argument} if the pyramids or the window do not fit. Threading: any number of
// threads, with results of their own.
namespace reference {
void point_flow(const FlowPyramidView& from, const FlowPyramidView& to,
                std::span<const Point> points, const FlowSettings& settings, TrackedPoint* result);
}
namespace vector {  // some ten times as fast with AVX2
void point_flow(const FlowPyramidView& from, const FlowPyramidView& to,
                std::span<const Point> points, const FlowSettings& settings, TrackedPoint* result);
}

// Throws as all bodies do.
void check_point_flow(const FlowPyramidShape& from, const FlowPyramidShape& to, int window);

// Similarity of two pictures around a point of each.

inline constexpr int kSimilaritySide = CLTRACK_SIMILARITY_SIDE;

// Zero-mean normalised cross-correlation of the kSimilaritySide x kSimilaritySide pixels around two
// points; -1 to 1, 0 where one of them is flat. Between pixels it is bilinear, with weights of 14
// bits; pixels outside a picture are the nearest one inside. Integers up to the last division. The
// points must lie within 1000 pixels of their pictures.
namespace reference {
float point_similarity(const ImageView& a, const Point& pa, const ImageView& b, const Point& pb);
}
namespace vector {  // the reference where the processor has no AVX2
float point_similarity(const ImageView& a, const Point& pa, const ImageView& b, const Point& pb);
}

// The last step of both: `sums` are those over both squares, of their values and of products of
// these.
struct SimilaritySums {
  std::int64_t a = 0, b = 0, aa = 0, bb = 0, ab = 0;
};
float correlation(const SimilaritySums& sums);

}  // namespace cltrack
