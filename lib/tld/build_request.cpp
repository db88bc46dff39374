// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/build_request.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include "cltrack/error.h"
#include "compute/device.h"
#include "compute/program_cache.h"
#include "core/interruption.h"
#include "tld/stage_programs.h"
#include "tld/warm_up.h"

namespace cltrack {
namespace {

struct Number {
  std::string_view name;
  int TldConfig::*field;
};
constexpr std::array kNumbers = {
    Number{"ferns", &TldConfig::ferns},
    Number{"pairs", &TldConfig::pairs},
    Number{"max_candidates", &TldConfig::max_candidates},
    Number{"max_positive_patches", &TldConfig::max_positive_patches},
    Number{"max_negative_patches", &TldConfig::max_negative_patches},
    Number{"flow_points", &TldConfig::flow_points},
    Number{"flow_window_min", &TldConfig::flow_window_min},
    Number{"flow_window_max", &TldConfig::flow_window_max},
    Number{"flow_levels", &TldConfig::flow_levels},
};

// Behind the name of a stage; ferns are a number as well.
constexpr std::string_view kDevice = "-device";

constexpr std::string_view kVersion = "version=" CLTRACK_VERSION;

[[noreturn]] void refuse(const std::string& argument) {
  throw Error(ErrorCode::invalid_argument,
              "\"" + argument + "\" is nothing that cltrack " CLTRACK_VERSION " asks for");
}

// "auto 0.0 NAME" or "named 0.0 NAME".
std::string where(const PlacedStage& placed) {
  return (placed.automatic ? "auto " : "named ") + placed.device.spec + " " + placed.device.name;
}

PlacedStage parse_stage(Stage stage, std::string_view text) {
  PlacedStage placed{.stage = stage, .requested = {}, .automatic = false, .device = {}};
  placed.automatic = text.starts_with("auto ");
  for (const DeviceInfo& device : list_devices()) {
    placed.device = device;
    if (where(placed) == text) return placed;
  }
  throw Error(ErrorCode::device_missing,
              "device " + std::string(text.substr(text.find(' ') + 1)) + " is not there");
}

bool parse_number(std::string_view name, std::string_view text, TldConfig& config) {
  const auto number = std::ranges::find(kNumbers, name, &Number::name);
  if (number == kNumbers.end()) return false;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, config.*number->field);
  return error == std::errc() && stop == end;
}

}  // namespace

void build_and_warm_up(const BuildRequest& request, const std::stop_token& stop) {
  for (const PlacedStage& placed : request.placement) {
    if (!placed.automatic) continue;
    const std::shared_ptr<Device> device = Device::open(placed.device);
    for (const ProgramName& name : programs_of(placed.stage, *device, request.config)) {
      throw_if_stopped(stop);
      device->programs().program(name.program, name.options);
    }
  }
  warm_up(request.config, request.placement, stop);
}

std::vector<std::string> to_arguments(const BuildRequest& request) {
  std::vector<std::string> arguments = {std::string(kVersion)};
  for (const Number& number : kNumbers) {
    arguments.push_back(std::string(number.name) + "=" +
                        std::to_string(request.config.*number.field));
  }
  for (const PlacedStage& placed : request.placement) {
    arguments.push_back(to_string(placed.stage) + std::string(kDevice) + "=" + where(placed));
  }
  return arguments;
}

BuildRequest from_arguments(std::span<const std::string> arguments) {
  if (arguments.empty() || arguments.front() != kVersion) {
    refuse(arguments.empty() ? "" : arguments.front());
  }
  BuildRequest request;
  for (const std::string& argument : arguments.subspan(1)) {
    const std::size_t equals = std::min(argument.find('='), argument.size());
    const std::string_view name = std::string_view(argument).substr(0, equals);
    const std::string_view value =
        std::string_view(argument).substr(std::min(equals + 1, argument.size()));
    const auto stage = std::ranges::find_if(
        kTldStages, [&](Stage s) { return to_string(s) + std::string(kDevice) == name; });
    if (stage != kTldStages.end()) {
      request.placement.push_back(parse_stage(*stage, value));
    } else if (!parse_number(name, value, request.config)) {
      refuse(argument);
    }
  }
  validate(request.config);
  return request;
}

}  // namespace cltrack
