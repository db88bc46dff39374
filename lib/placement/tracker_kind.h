// SPDX-License-Identifier: LGPL-2.1-or-later
// Describes a tracker for the placement of its stages: their names, their programs, and a function
// that runs them once. Each tracker makes one from its config.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "cltrack/placement.h"
#include "compute/device.h"

namespace cltrack {

class TrackerDevices;

struct TrackerKind {
  std::string_view name;              // "tld"
  std::span<const StageInfo> stages;  // functions refer to a stage by its index here
  // Groups of stages that `auto` tries on one device, besides all stages and single ones.
  std::vector<std::vector<std::size_t>> groups = {};
  // The config as "NAME=VALUE", to make the same kind in another process.
  std::vector<std::string> settings = {};
  // The programs that the stage launches; see lib/ops/. Not for the host.
  std::function<std::vector<ProgramName>(std::size_t stage, const Device& device)> programs;
  // Runs every stage once on a small synthetic picture, because drivers compile kernels for each
  // size of work-groups (PoCL) or load them at the first launch. These sizes depend on the device
  // and the config, not on the picture. Throws what the devices throw, and Error{interrupted} after
  // a stop request. Threading: any; uses the caller's thread only.
  std::function<void(const std::vector<PlacedStage>& placement, const std::stop_token& stop)>
      warm_up;
};

// The argument of make_NAME_tracker(). Throws Error{invalid_argument} if it is null or of another
// kind.
std::shared_ptr<TrackerDevices> check_kind(std::shared_ptr<TrackerDevices> devices,
                                           std::string_view name);

}  // namespace cltrack
