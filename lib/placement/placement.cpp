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

bool is_among(std::string_view name, std::span<const StageInfo> stages) {
  return std::ranges::find(stages, name, &StageInfo::name) != stages.end();
}

void refuse_others(const Placement& placement, std::span<const StageInfo> stages) {
  for (const auto& [name, spec] : placement.stages) {
    if (spec.empty() || is_among(name, stages)) continue;
    std::string allowed;
    for (const StageInfo& stage : stages) {
      allowed.append(allowed.empty() ? "" : ", ").append(stage.name);
    }
    throw Error(ErrorCode::invalid_argument, "stage \"" + name + "\" is put on device \"" + spec +
                                                 "\", but this tracker has no such stage; it has " +
                                                 allowed);
  }
}

PlacedStage place(const Placement& placement, const StageInfo& stage,
                  const std::vector<DeviceInfo>& devices) {
  PlacedStage placed{.stage = stage, .requested = placement.spec(stage)};
  placed.automatic = is_auto(placed.requested);
  try {
    placed.device =
        find_device(placed.automatic ? "host" : std::string_view(placed.requested), devices);
  } catch (const Error& error) {
    const bool named = !placement[stage.name].empty();
    throw Error(error.code(), std::string(named ? stage.property : "device") + ": " + error.what() +
                                  "; auto is allowed as well");
  }
  return placed;
}

}  // namespace

std::string& Placement::operator[](std::string_view stage) { return stages[std::string(stage)]; }

const std::string& Placement::operator[](std::string_view stage) const {
  static const std::string none;
  const auto own = stages.find(stage);
  return own == stages.end() ? none : own->second;
}

const std::string& Placement::spec(const StageInfo& stage) const {
  const std::string& own = (*this)[stage.name];
  return own.empty() ? device : own;
}

Placement Placement::of(std::span<const StageInfo> those) const {
  Placement part = *this;
  std::erase_if(part.stages, [&](const auto& named) { return !is_among(named.first, those); });
  return part;
}

std::vector<PlacedStage> resolve(const Placement& placement, std::span<const StageInfo> stages) {
  // If only the host is needed, drivers are not loaded.
  const bool host_only = std::ranges::all_of(stages, [&](const StageInfo& stage) {
    return placement.spec(stage) == "host" || is_auto(placement.spec(stage));
  });
  return resolve(placement, stages,
                 host_only ? std::vector<DeviceInfo>{find_device("host")} : list_devices());
}

std::vector<PlacedStage> resolve(const Placement& placement, std::span<const StageInfo> stages,
                                 const std::vector<DeviceInfo>& devices) {
  refuse_others(placement, stages);
  std::vector<PlacedStage> placed;
  for (const StageInfo& stage : stages) placed.push_back(place(placement, stage, devices));
  return placed;
}

std::vector<std::string> placement_warnings(const std::vector<PlacedStage>& stages) {
  std::vector<std::string> warnings;
  for (const PlacedStage& placed : stages) {
    if (!placed.stage.divides || placed.device.exact_division) continue;
    warnings.push_back(std::string(placed.stage.name) + " runs on " + placed.device.spec + " (" +
                       placed.device.name +
                       "), which rounds divisions in its own way: boxes may differ from those of "
                       "other devices; to have the same ones, set " +
                       std::string(placed.stage.property) + "=host");
  }
  return warnings;
}

}  // namespace cltrack
