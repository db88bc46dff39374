// SPDX-License-Identifier: LGPL-2.1-or-later
// Which stage of a tracker runs on which device. A placement is data: device specs as somebody
// wrote them (device_info.h, or `auto`); resolving it gives the devices. What stages there are,
// each tracker says: kTldStages, kTemplateStages, kColorStages.
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

// A part of a tracker that may run on a device of its own. The texts are literals.
struct StageInfo {
  std::string_view name;      // "ferns"
  std::string_view property;  // what sets its device: "fern-device"
  bool divides = true;        // its results depend on divisions

  friend bool operator==(const StageInfo&, const StageInfo&) = default;
};

// The spec that leaves the choice to measurements.
inline constexpr std::string_view kAutoDevice = "auto";

struct CLTRACK_API Placement {
  std::string device = "auto";                               // for all stages
  std::map<std::string, std::string, std::less<>> stages{};  // for one, by name; empty: as `device`

  // The spec of the stage of that name.
  std::string& operator[](std::string_view stage);
  const std::string& operator[](std::string_view stage) const;

  // What decides on the stage: its own spec, or `device`.
  const std::string& spec(std::string_view stage) const;

  // What it says of these stages alone.
  Placement of(std::span<const StageInfo> those) const;

  friend bool operator==(const Placement&, const Placement&) = default;
};

struct PlacedStage {
  StageInfo stage = {};
  std::string requested = {};  // the spec that decided
  bool automatic = false;  // it was `auto`: `device` is where to begin, measurements may move it
  DeviceInfo device = {};
  std::string reason = {};  // of what `auto` chose: the figures behind it; empty before
};

// One entry for each of `stages`, in their order. `auto` is the host until something has been
// measured. Throws what find_device() throws; the message begins with the property at fault. And
// Error{invalid_argument} if the placement names another stage than these.
CLTRACK_API std::vector<PlacedStage> resolve(const Placement& placement,
                                             std::span<const StageInfo> stages);

// The same among `devices`.
CLTRACK_API std::vector<PlacedStage> resolve(const Placement& placement,
                                             std::span<const StageInfo> stages,
                                             const std::vector<DeviceInfo>& devices);

// What the user should know of a placement that works: one text for each stage whose results depend
// on divisions, on a device that rounds these in its own way.
CLTRACK_API std::vector<std::string> placement_warnings(const std::vector<PlacedStage>& stages);

}  // namespace cltrack
