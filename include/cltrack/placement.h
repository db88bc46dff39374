// SPDX-License-Identifier: LGPL-2.1-or-later
// Which stage of a tracker runs on which device. A placement is data: device specs as somebody
// wrote them (device_info.h, or `auto`); resolving it gives the devices.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cltrack/device_info.h"
#include "cltrack/export.h"

namespace cltrack {

enum class Stage {
  flow,   // optical flow
  ferns,  // variance, fern features, fern classification
  nn,     // patches and their correlation with the model
  learn,  // overlaps, samples, fern update
  match,  // template matching
  color,  // localisation by colour
};
inline constexpr std::size_t kStageCount = 6;
inline constexpr std::array<Stage, kStageCount> kStages = {
    Stage::flow, Stage::ferns, Stage::nn, Stage::learn, Stage::match, Stage::color};
// Those that TLD has.
inline constexpr std::array kTldStages = {Stage::flow, Stage::ferns, Stage::nn, Stage::learn};

// "flow", "ferns", "nn", "learn", "match" or "color".
CLTRACK_API const char* to_string(Stage stage);
// What sets the stage's device: "flow-device", "fern-device", "nn-device", ...
CLTRACK_API const char* property_name(Stage stage);

// The spec that leaves the choice to measurements.
inline constexpr std::string_view kAutoDevice = "auto";

struct CLTRACK_API Placement {
  std::string device = "auto";                       // for all stages
  std::array<std::string, kStageCount> stages = {};  // for one; empty: as `device`

  std::string& operator[](Stage stage) { return stages[static_cast<std::size_t>(stage)]; }
  const std::string& operator[](Stage stage) const {
    return stages[static_cast<std::size_t>(stage)];
  }

  // What decides on the stage: its own spec, or `device`.
  const std::string& spec(Stage stage) const;

  friend bool operator==(const Placement&, const Placement&) = default;
};

struct PlacedStage {
  Stage stage = Stage::flow;
  std::string requested;   // the spec that decided
  bool automatic = false;  // it was `auto`: `device` is where to begin, measurements may move it
  DeviceInfo device;
  std::string reason = {};  // of what `auto` chose: the figures behind it; empty before
};

// One entry per stage in the order of kStages. `auto` is the host until something has been
// measured. Throws what find_device() throws; the message begins with the property at fault.
CLTRACK_API std::vector<PlacedStage> resolve(const Placement& placement);

// The same among `devices`.
CLTRACK_API std::vector<PlacedStage> resolve(const Placement& placement,
                                             const std::vector<DeviceInfo>& devices);

// What the user should know of a placement that works: one text for each stage whose results depend
// on divisions, on a device that rounds these in its own way.
CLTRACK_API std::vector<std::string> placement_warnings(const std::vector<PlacedStage>& stages);

}  // namespace cltrack
