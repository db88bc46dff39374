// SPDX-License-Identifier: LGPL-2.1-or-later
// Which stage of a tracker runs on which device. A placement holds device specs (device_info.h, or
// `auto`); resolve() finds the devices. The stages are in kTldStages, kTemplateStages and
// kColorStages.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cltrack/device_info.h"
#include "cltrack/export.h"

namespace cltrack {

// A part of a tracker whose device can be chosen. The texts are literals.
struct StageInfo {
  std::string_view name;      // "ferns"
  std::string_view property;  // the property that sets its device: "fern-device"
  bool divides = true;        // its results depend on the rounding of divisions

  friend bool operator==(const StageInfo&, const StageInfo&) = default;
};

// The spec for the fastest device, found by measurement.
inline constexpr std::string_view kAutoDevice = "auto";

struct CLTRACK_API Placement {
  std::string device = "auto";                               // for all stages
  std::map<std::string, std::string, std::less<>> stages{};  // by stage name; empty text: `device`

  // The spec that the stage of that name has of its own; empty if there is none.
  std::string& operator[](std::string_view stage);
  const std::string& operator[](std::string_view stage) const;

  // The spec that applies to the stage: its own, or `device`.
  const std::string& spec(const StageInfo& stage) const;

  // The same placement for these stages only.
  Placement of(std::span<const StageInfo> those) const;

  friend bool operator==(const Placement&, const Placement&) = default;
};

struct PlacedStage {
  StageInfo stage = {};
  std::string requested = {};  // the spec that applied
  bool automatic = false;      // it was `auto`: `device` is the first one and may change
  DeviceInfo device = {};
  std::string reason = {};  // the measured times, once `auto` has chosen
};

// One entry for each of `stages`, in their order. `auto` gives the host. Throws what find_device()
// throws, with a message that begins with the property, and Error{invalid_argument} if the
// placement names an unknown stage.
CLTRACK_API std::vector<PlacedStage> resolve(const Placement& placement,
                                             std::span<const StageInfo> stages);

// The same among `devices`.
CLTRACK_API std::vector<PlacedStage> resolve(const Placement& placement,
                                             std::span<const StageInfo> stages,
                                             const std::vector<DeviceInfo>& devices);

// Warnings for users: one for each stage whose results depend on the rounding of divisions and
// whose device does not round them correctly.
CLTRACK_API std::vector<std::string> placement_warnings(const std::vector<PlacedStage>& stages);

}  // namespace cltrack
