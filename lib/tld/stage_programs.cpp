// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/stage_programs.h"

#include <string>

#include "ops/flow/point_flow.h"

namespace cltrack {

std::vector<ProgramName> programs_of(Stage stage, const Device& device, const TldConfig& config) {
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
    case Stage::learn:
      return {{"fern_codes", ""},
              {"far_candidates", ""},
              {cpu ? "far_places_serial" : "far_places", ""},
              {cpu ? "fern_update_serial" : "fern_update", ""}};
    default:
      return {};
  }
}

}  // namespace cltrack
