// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/flow/flow_window.h"

namespace cltrack {

void vector::point_flow(const FlowPyramidView& from, const FlowPyramidView& to,
                        std::span<const Point> points, const FlowSettings& settings,
                        TrackedPoint* result) {
  static const FlowWindowBody body = vector::flow_window();
  track_points(from, to, points, settings, body, vector::point_similarity, result);
}

}  // namespace cltrack
