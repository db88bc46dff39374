// SPDX-License-Identifier: LGPL-2.1-or-later
// What `auto` wants of a device before it is tried: all programs built, and run once. And the same
// as a command line, for the helper program that does it in a process of its own, which leaves the
// results in the caches of cltrack and of the driver.
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
  std::vector<PlacedStage> placement;  // those that are `automatic` are what is built
};

// Builds and runs. Throws what the devices throw, and Error{interrupted}.
void build_and_warm_up(const BuildRequest& request, const std::stop_token& stop);

// The settings that decide what is compiled, and where it runs; of the version of this library.
std::vector<std::string> to_arguments(const BuildRequest& request);

// Makes the kind of that name with these settings; throws Error{invalid_argument} for what it does
// not know.
using MakeKind =
    std::function<TrackerKind(std::string_view name, std::span<const std::string> settings)>;

// Throws Error{invalid_argument} for what it does not know or another version has written, and
// Error{device_missing} if a device is no longer there.
BuildRequest from_arguments(std::span<const std::string> arguments, const MakeKind& make_kind);

}  // namespace cltrack
