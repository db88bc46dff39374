// SPDX-License-Identifier: LGPL-2.1-or-later
#include "placement/build_request.h"

#include <algorithm>

#include "cltrack/error.h"
#include "compute/device.h"
#include "compute/program_cache.h"
#include "core/interruption.h"

namespace cltrack {
namespace {

constexpr std::string_view kVersion = "version=" CLTRACK_VERSION;
constexpr std::string_view kTracker = "tracker=";
constexpr std::string_view kDevice = "-device=";  // after the name of a stage

[[noreturn]] void refuse(const std::string& argument) {
  throw Error(ErrorCode::invalid_argument,
              "\"" + argument + "\" is not an argument of cltrack " CLTRACK_VERSION);
}

std::string beginning(const StageInfo& stage) { return std::string(stage.name).append(kDevice); }

// "auto 0.0 NAME" or "named 0.0 NAME".
std::string where(const PlacedStage& placed) {
  return (placed.automatic ? "auto " : "named ") + placed.device.spec + " " + placed.device.name;
}

PlacedStage parse_stage(const StageInfo& stage, std::string_view text) {
  PlacedStage placed{.stage = stage, .automatic = text.starts_with("auto ")};
  for (const DeviceInfo& device : list_devices()) {
    placed.device = device;
    if (where(placed) == text) return placed;
  }
  throw Error(ErrorCode::device_missing,
              "device " + std::string(text.substr(text.find(' ') + 1)) + " is not present");
}

}  // namespace

void build_and_warm_up(const BuildRequest& request, const std::stop_token& stop) {
  for (std::size_t stage = 0; stage < request.placement.size(); ++stage) {
    if (!request.placement[stage].automatic) continue;
    const std::shared_ptr<Device> device = Device::open(request.placement[stage].device);
    for (const ProgramName& name : request.kind.programs(stage, *device)) {
      throw_if_stopped(stop);
      device->programs().program(name.program, name.options);
    }
  }
  request.kind.warm_up(request.placement, stop);
}

std::vector<std::string> to_arguments(const BuildRequest& request) {
  std::vector<std::string> arguments = {std::string(kVersion),
                                        std::string(kTracker).append(request.kind.name)};
  arguments.insert(arguments.end(), request.kind.settings.begin(), request.kind.settings.end());
  for (const PlacedStage& placed : request.placement) {
    arguments.push_back(beginning(placed.stage) + where(placed));
  }
  return arguments;
}

BuildRequest from_arguments(std::span<const std::string> arguments, const MakeKind& make_kind) {
  const auto expect = [&](std::string_view begin) {
    if (arguments.empty() || !arguments.front().starts_with(begin)) {
      refuse(arguments.empty() ? "" : arguments.front());
    }
    const std::string_view value = std::string_view(arguments.front()).substr(begin.size());
    arguments = arguments.subspan(1);
    return value;
  };
  if (!expect(kVersion).empty()) refuse(std::string(kVersion));
  const std::string_view name = expect(kTracker);
  const auto stages = std::ranges::find_if(arguments, [](const std::string& argument) {
    return argument.substr(0, argument.find('=') + 1).ends_with(kDevice);
  });
  BuildRequest request{make_kind(name, {arguments.begin(), stages}), {}};
  arguments = {stages, arguments.end()};
  for (const StageInfo& stage : request.kind.stages) {
    request.placement.push_back(parse_stage(stage, expect(beginning(stage))));
  }
  if (!arguments.empty()) refuse(arguments.front());
  return request;
}

}  // namespace cltrack
