// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/tld_stages.h"

#include <utility>

#include "core/config_check.h"
#include "motion/correlation_filter.h"
#include "motion/median_flow.h"
#include "ops/ferns/scan.h"
#include "ops/flow/point_flow.h"
#include "ops/patches/nearest_patches.h"
#include "tld/network_search.h"

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

std::vector<StepInfo> tld_steps(const TldConfig& config) {
  std::vector<StepInfo> steps = {
      {"planes", {Stage::motion, Stage::ferns}},
      {"motion", {Stage::motion}},
      {"ferns", {Stage::ferns}},
      {"nn", {Stage::nn}},
      {"learn", {Stage::learn}},
      {"start", {Stage::learn}},
  };
  if (config.network) steps.push_back({"network", {Stage::network}});
  return steps;
}

std::vector<ProgramName> programs_of(std::size_t stage, const Device& device,
                                     const TldConfig& config) {
  switch (stage) {
    case Stage::motion:
      return config.motion == kCorrelation ? correlation_filter_programs()
                                           : point_flow_programs(device);
    case Stage::ferns:
      return {{"blur", ""},
              {"integral", ""},
              {"scan", scan_options(config.ferns, config.pairs)},
              {"select_best", ""}};
    case Stage::nn:
      return {{"extract_patches", ""}, {"nearest_patches", ""}};
    case Stage::network:
      return NetworkSearch::programs();
    default:
      return {{"fern_codes", ""}, {"far_candidates", ""}, {"far_places", ""}, {"fern_update", ""}};
  }
}

namespace {

constexpr const char* kHasNetwork = "network=";  // the last one of the settings

// The network's stage is the last one.
TrackerKind make_kind(const TldConfig& config, bool has_network) {
  std::vector<std::string> settings = field_settings(config, tld_fields());
  if (has_network) settings.push_back(kHasNetwork);
  return {.name = kTldName,
          .stages = std::span(kTldStages).first(has_network ? kTldStages.size() : Stage::network),
          .groups = {{Stage::ferns, Stage::nn}, {Stage::ferns, Stage::nn, Stage::learn}},
          .settings = std::move(settings),
          .programs = [config](std::size_t stage,
                               const Device& device) { return programs_of(stage, device, config); },
          .warm_up = [config](const std::vector<PlacedStage>& placement,
                              const std::stop_token& stop) { warm_up(config, placement, stop); }};
}

}  // namespace

TrackerKind tld_kind(const TldConfig& config) {
  return make_kind(config, config.network.has_value());
}

TrackerKind tld_kind(std::span<const std::string> settings) {
  const bool has_network = !settings.empty() && settings.back() == kHasNetwork;
  if (has_network) settings = settings.first(settings.size() - 1);
  const TldConfig config = config_of(tld_fields(), settings);
  validate(config);
  return make_kind(config, has_network);
}

}  // namespace cltrack
