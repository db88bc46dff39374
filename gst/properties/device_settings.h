// SPDX-License-Identifier: LGPL-2.1-or-later
// Devices and statistics of stages as properties.
#pragma once

#include <gst/gst.h>

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "cltrack/placement.h"
#include "cltrack/template_config.h"
#include "cltrack/tld_config.h"
#include "cltrack/tracker.h"
#include "metadata/track_messages.h"

namespace cltrack::gst {

// Where the stages of a tracker run, as properties: "device" for all of them, and one for each.

// Those of cltracker, whatever its algorithm.
inline constexpr std::array kTrackerStages = [] {
  std::array<StageInfo, kTldStages.size() + kTemplateStages.size()> all;
  std::ranges::copy(kTemplateStages, std::ranges::copy(kTldStages, all.begin()).out);
  return all;
}();

// How many of them have a property of a former name, too.
inline constexpr guint kFormerDeviceSettings = std::ranges::count_if(
    kTrackerStages, [](const StageInfo& stage) { return !stage.former_property.empty(); });

// How many ids install_device_settings() takes.
inline constexpr guint kDeviceSettings = 1 + kTrackerStages.size() + kFormerDeviceSettings;

// Installs the properties with the ids first_id, first_id + 1, ... of `klass`.
void install_device_settings(GObjectClass* klass, guint first_id);

// Reads or writes the spec that belongs to the property `id`: first_id is "device", those behind it
// are the devices of `stages`, in their order, and then those that have a former name, by that.
// Return false if it is none of these.
bool set_device_setting(Placement& placement, guint id, guint first_id, const GValue* value,
                        std::span<const StageInfo> stages = kTrackerStages);
bool get_device_setting(const Placement& placement, guint id, guint first_id, GValue* value,
                        std::span<const StageInfo> stages = kTrackerStages);

// A structure "placement" with a string for each of the stages that have a choice: the device's
// spec and name; where `auto` was asked for, "auto: " before it, and what was measured behind it.
// The caller owns it.
GstStructure* make_placement_structure(const std::vector<PlacedStage>& stages);

// The property "stats": statistics of a tracker.

// A structure "cltracker-stats" with
//   frames (guint64)
//   frames-full, frames-near, frames-motion: of these, by the work on them; frames-skipped: those
//           that were not looked at (guint64)
//   stages  (array of structures "stage": name, device (string), calls (guint64), total-ms,
//           median-ms, p99-ms (double), bytes-up, bytes-down, waits (guint64))
//   targets (array of structures "target": id, windows, positive-patches, negative-patches
//           (guint64))
// which the caller owns.
GstStructure* make_stats_structure(const TrackerStats& stats, const EffortCounts& efforts);

}  // namespace cltrack::gst
