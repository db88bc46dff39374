// SPDX-License-Identifier: LGPL-2.1-or-later
// What `auto` wants of a device before it is tried: all programs built, and run once. And the same
// as a command line, for the helper program that does it in a process of its own, which leaves the
// results in the caches of cltrack and of the driver.
#pragma once

#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "cltrack/placement.h"
#include "cltrack/tld_config.h"

namespace cltrack {

struct BuildRequest {
  TldConfig config;                    // without its placement
  std::vector<PlacedStage> placement;  // those that are `automatic` are what is built
};

// Builds and runs. Throws what the devices throw, and Error{interrupted}.
void build_and_warm_up(const BuildRequest& request, const std::stop_token& stop);

// The numbers that decide what is compiled, and where it runs; of the version of this library.
std::vector<std::string> to_arguments(const BuildRequest& request);
// Throws Error{invalid_argument} for what it does not know or another version has written, and
// Error{device_missing} if a device is no longer there.
BuildRequest from_arguments(std::span<const std::string> arguments);

}  // namespace cltrack
