// SPDX-License-Identifier: LGPL-2.1-or-later
// What has to be known of a tracker to place its stages: what they are, what they launch, and how
// to run them once. Each tracker makes one of its config.
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
  std::span<const StageInfo> stages;  // elsewhere a stage is its number among these
  // What `auto` tries on one device besides all stages and each of them.
  std::vector<std::vector<std::size_t>> groups = {};
  // The config as "NAME=VALUE", for whoever makes the same kind in another process.
  std::vector<std::string> settings = {};
  // As the launches of the stage name them; see lib/ops/*_cl.cpp. Not for the host.
  std::function<std::vector<ProgramName>(std::size_t stage, const Device& device)> programs;
  // Runs every stage once, on a small made-up picture: drivers compile kernels again for each size
  // of work-groups (PoCL), or load them when they are first launched. These sizes depend on the
  // device and the config, not on the picture. Throws what the devices throw, and
  // Error{interrupted} once a stop is requested. Threading: any; the caller's thread does all.
  std::function<void(const std::vector<PlacedStage>& placement, const std::stop_token& stop)>
      warm_up;
};

// The argument of make_NAME_tracker(). Throws Error{invalid_argument} if it is null or of another
// kind.
std::shared_ptr<TrackerDevices> check_kind(std::shared_ptr<TrackerDevices> devices,
                                           std::string_view name);

}  // namespace cltrack
