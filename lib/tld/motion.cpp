// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/motion.h"

#include <utility>

#include "motion/correlation_filter.h"
#include "motion/median_flow.h"

namespace cltrack {

std::unique_ptr<MotionEstimator> make_motion_estimator(const TldConfig& config,
                                                       std::shared_ptr<Queue> queue,
                                                       bool may_move) {
  if (config.motion == kCorrelation) {
    return std::make_unique<CorrelationFilter>(CorrelationFilterConfig{}, std::move(queue));
  }
  const MedianFlowConfig flow = {
      .points = {.points = config.flow_points,
                 .margin = config.flow_margin,
                 .max_error = config.max_forward_backward},
      .search = {.iterations = config.flow_iterations, .epsilon = config.flow_epsilon},
      .levels = config.flow_levels,
      .window_ratio = config.flow_window_ratio,
      .window_min = config.flow_window_min,
      .window_max = config.flow_window_max};
  return std::make_unique<MedianFlow>(flow, std::move(queue), may_move);
}

}  // namespace cltrack
