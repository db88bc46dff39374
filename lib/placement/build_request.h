// SPDX-License-Identifier: LGPL-2.1-or-later
// Prepares a device for trials: builds all programs and runs them once. Also as a command line for
// the helper program, which does this in its own process and leaves the programs in the caches of
// cltrack and of the driver.
#pragma once

#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "cltrack/placement.h"
#include "placement/tracker_kind.h"

namespace cltrack {

struct BuildRequest {
  TrackerKind kind;
  std::vector<PlacedStage> placement;  // programs are built for `automatic` stages
};

// Builds and runs. Throws what the devices throw, and Error{interrupted}.
void build_and_warm_up(const BuildRequest& request, const std::stop_token& stop);

// The request as arguments, with the version of this library.
std::vector<std::string> to_arguments(const BuildRequest& request);

// Makes the kind of that name with these settings; throws Error{invalid_argument} if the name or a
// setting is unknown.
using MakeKind =
    std::function<TrackerKind(std::string_view name, std::span<const std::string> settings)>;

// Throws Error{invalid_argument} for unknown arguments or another version's, and
// Error{device_missing} if a device is not present any more.
BuildRequest from_arguments(std::span<const std::string> arguments, const MakeKind& make_kind);

}  // namespace cltrack
