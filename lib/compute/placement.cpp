// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cltrack/placement.h"

#include <algorithm>
#include <cctype>

#include "cltrack/error.h"

namespace cltrack {
namespace {

bool is_auto(std::string_view spec) {
  return std::equal(
      spec.begin(), spec.end(), kAutoDevice.begin(), kAutoDevice.end(),
      [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; });
}

bool is_named(const Placement& placement, Stage stage) { return !placement[stage].empty(); }

PlacedStage place(const Placement& placement, Stage stage, const std::vector<DeviceInfo>& devices) {
  PlacedStage placed;
  placed.stage = stage;
  placed.requested = placement.spec(stage);
  placed.automatic = is_auto(placed.requested);
  try {
    placed.device =
        find_device(placed.automatic ? "host" : std::string_view(placed.requested), devices);
  } catch (const Error& error) {
    const char* property = is_named(placement, stage) ? property_name(stage) : "device";
    throw Error(error.code(),
                std::string(property) + ": " + error.what() + "; auto is allowed as well");
  }
  return placed;
}

}  // namespace

const char* to_string(Stage stage) {
  switch (stage) {
    case Stage::flow:
      return "flow";
    case Stage::ferns:
      return "ferns";
    case Stage::nn:
      return "nn";
    case Stage::learn:
      return "learn";
    case Stage::match:
      return "match";
    case Stage::color:
      break;
  }
  return "color";
}

const char* property_name(Stage stage) {
  switch (stage) {
    case Stage::flow:
      return "flow-device";
    case Stage::ferns:
      return "fern-device";
    case Stage::nn:
      return "nn-device";
    case Stage::learn:
      return "learn-device";
    case Stage::match:
      return "match-device";
    case Stage::color:
      break;
  }
  return "color-device";
}

const std::string& Placement::spec(Stage stage) const {
  const std::string& own = (*this)[stage];
  return own.empty() ? device : own;
}

std::vector<PlacedStage> resolve(const Placement& placement) {
  // Where only the host is asked for, drivers are left asleep.
  const bool host_only = std::all_of(kStages.begin(), kStages.end(), [&](Stage stage) {
    return placement.spec(stage) == "host" || is_auto(placement.spec(stage));
  });
  return resolve(placement,
                 host_only ? std::vector<DeviceInfo>{find_device("host")} : list_devices());
}

std::vector<PlacedStage> resolve(const Placement& placement,
                                 const std::vector<DeviceInfo>& devices) {
  std::vector<PlacedStage> placed;
  for (const Stage stage : kStages) placed.push_back(place(placement, stage, devices));
  return placed;
}

std::vector<std::string> placement_warnings(const std::vector<PlacedStage>& stages) {
  std::vector<std::string> warnings;
  for (const PlacedStage& placed : stages) {
    // Ferns are integers.
    if (placed.stage == Stage::ferns) continue;
    if (placed.device.exact_division) continue;
    warnings.push_back(std::string(to_string(placed.stage)) + " runs on " + placed.device.spec +
                       " (" + placed.device.name +
                       "), which rounds divisions in its own way: boxes may differ from those of "
                       "other devices; to have the same ones, set " +
                       property_name(placed.stage) + "=host");
  }
  return warnings;
}

}  // namespace cltrack
