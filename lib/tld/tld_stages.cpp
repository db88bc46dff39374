// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/tld_stages.h"

#include <string>

#include "core/config_check.h"
#include "ops/flow/point_flow.h"

namespace cltrack {

const std::vector<StepInfo>& tld_steps() {
  static const std::vector<StepInfo> steps = {
      {"planes", {Stage::flow, Stage::ferns}},
      {"flow", {Stage::flow}},
      {"ferns", {Stage::ferns}},
      {"nn", {Stage::nn}},
      {"learn", {Stage::learn}},
      {"start", {Stage::learn}},
  };
  return steps;
}

std::vector<ProgramName> programs_of(std::size_t stage, const Device& device,
                                     const TldConfig& config) {
  const bool cpu = device.is_cpu();
  const std::string ferns =
      "-DFERNS=" + std::to_string(config.ferns) + " -DPAIRS=" + std::to_string(config.pairs);
  switch (stage) {
    case Stage::flow:
      return point_flow_programs(device);
    case Stage::ferns:
      return {{"blur", ""},
              {cpu ? "integral_bands" : "integral", ""},
              {cpu ? "scan_rows" : "scan", ferns},
              {cpu ? "select_best_serial" : "select_best", ""}};
    case Stage::nn:
      return {{cpu ? "extract_patches_vectors" : "extract_patches", ""},
              {"nearest_patches", cpu ? "-DVECTORS=1" : "-DVECTORS=0"}};
    default:
      return {{"fern_codes", ""},
              {"far_candidates", ""},
              {cpu ? "far_places_serial" : "far_places", ""},
              {cpu ? "fern_update_serial" : "fern_update", ""}};
  }
}

TrackerKind tld_kind(const TldConfig& config) {
  return {.name = kTldName,
          .stages = kTldStages,
          .groups = {{Stage::ferns, Stage::nn}, {Stage::ferns, Stage::nn, Stage::learn}},
          .settings = field_settings(config, tld_fields()),
          .programs = [config](std::size_t stage,
                               const Device& device) { return programs_of(stage, device, config); },
          .warm_up = [config](const std::vector<PlacedStage>& placement,
                              const std::stop_token& stop) { warm_up(config, placement, stop); }};
}

}  // namespace cltrack
