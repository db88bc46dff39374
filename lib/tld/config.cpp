// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/config.h"

#include <sstream>

#include "core/error.h"
#include "ops/ferns/fern_tables.h"
#include "ops/flow/point_flow.h"

namespace cltrack {
namespace {

template <typename T>
void check(const char* name, T value, T low, T high) {
  if (value >= low && value <= high) return;  // false for NaN
  std::ostringstream message;
  message << "TLD parameter " << name << " is " << value << ", but must be from " << low << " to "
          << high;
  throw Error(ErrorCode::invalid_argument, message.str());
}

void check(const char* prefix, const WarpConfig& warps) {
  const std::string name = std::string(prefix) + ".";
  check((name + "closest").c_str(), warps.closest, 1, 100);
  check((name + "warps").c_str(), warps.warps, 1, 100);
  check((name + "noise").c_str(), warps.noise, 0.0f, 50.0f);
  check((name + "angle").c_str(), warps.angle, 0.0f, 180.0f);
  check((name + "shift").c_str(), warps.shift, 0.0f, 0.5f);
  check((name + "scale").c_str(), warps.scale, 0.0f, 0.5f);
}

}  // namespace

void validate(const TldConfig& config) {
  check("threads", config.threads, 1, 64);
  check("scale_step", config.scale_step, 1.01f, 2.0f);
  check("scales_each_way", config.scales_each_way, 0, 20);
  check("shift", config.shift, 0.02f, 1.0f);
  check("min_window_ratio", config.min_window_ratio, 0.0f, 1.0f);
  check("min_window_low", config.min_window_low, 1.0f, 1000.0f);
  check("min_window_high", config.min_window_high, config.min_window_low, 1000.0f);
  check("variance_ratio", config.variance_ratio, 0.0f, 1.0f);
  check("ferns", config.ferns, 1, kMaxFerns);
  check("pairs", config.pairs, 1, kMaxPairs);
  check("fern_threshold", config.fern_threshold, 0.0f, 1.0f);
  check("max_candidates", config.max_candidates, 1, 1000);
  check("bootstrap", config.bootstrap, 1, 10);
  check("nn_threshold", config.nn_threshold, 0.0f, 1.0f);
  check("nn_valid_threshold", config.nn_valid_threshold, 0.0f, 1.0f);
  check("same_patch_ncc", config.same_patch_ncc, 0.0f, 1.0f);
  check("conservative_share", config.conservative_share, 0.0f, 1.0f);
  check("first_negatives", config.first_negatives, 2, 10000);
  check("max_positive_patches", config.max_positive_patches, 1, 10000);
  check("max_negative_patches", config.max_negative_patches, 1, 10000);
  check("flow_points", config.flow_points, 3, 30);
  check("flow_margin", config.flow_margin, 0.0f, 1000.0f);
  check("flow_window_ratio", config.flow_window_ratio, 0.0f, 1.0f);
  check("flow_window_min", config.flow_window_min, 3, kLargestFlowWindow);
  check("flow_window_max", config.flow_window_max, config.flow_window_min, kLargestFlowWindow);
  check("flow_levels", config.flow_levels, 0, 8);
  check("flow_iterations", config.flow_iterations, 1, 100);
  check("flow_epsilon", config.flow_epsilon, 0.001f, 10.0f);
  check("max_forward_backward", config.max_forward_backward, 0.0f, 1000.0f);
  check("smallest_box", config.smallest_box, 0.0f, 1.0f);
  check("cluster_overlap", config.cluster_overlap, 0.0f, 1.0f);
  check("jump_overlap", config.jump_overlap, 0.0f, 1.0f);
  check("near_overlap", config.near_overlap, 0.0f, 1.0f);
  check("track_weight", config.track_weight, 0.1f, 1000.0f);
  check("jump_confidence", config.jump_confidence, 0.0f, 1.0f);
  check("jump_margin", config.jump_margin, 0.0f, 1.0f);
  check("jump_margin_valid", config.jump_margin_valid, 0.0f, 1.0f);
  check("jump_support", config.jump_support, 0, 1000);
  check("lost_frames", config.lost_frames, 1, 1000);
  check("lost_relative", config.lost_relative, 0.0f, 1.0f);
  check("refined_detections", config.refined_detections, 0, 1000);
  check("refine_margin", config.refine_margin, 0.0f, 1.0f);
  check("learn_conservative", config.learn_conservative, 0.0f, 1.0f);
  check("learn_inside", config.learn_inside, 0.0f, 1.0f);
  check("first_warps", config.first_warps);
  check("update_warps", config.update_warps);
  check("positive_overlap", config.positive_overlap, 0.0f, 1.0f);
  check("negative_overlap", config.negative_overlap, 0.0f, 1.0f);
}

}  // namespace cltrack
