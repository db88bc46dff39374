// SPDX-License-Identifier: LGPL-2.1-or-later
// Devices and statistics of stages as properties.
#pragma once

#include <gst/gst.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cltrack/placement.h"
#include "cltrack/tracker.h"
#include "metadata/track_messages.h"
#include "pictures/lent_buffer.h"
#include "properties/property_table.h"

namespace cltrack::gst {

// Where the stages of a tracker run: rows for "device", which is for all of them, for the device of
// one stage, and for "placement", which tells where they do.

template <typename Settings>
Property<Settings> device_property(Placement& (*placement)(Settings&)) {
  return {"device", [placement](Settings& settings) { return placement(settings).device; },
          [placement](Settings& settings, const GValue* value) {
            const std::string spec = string_of(value);
            placement(settings).device = spec.empty() ? Placement{}.device : spec;
          },
          kOnStart,
          "Device of all stages: auto (the fastest of the host, GPUs and accelerators), host, cpu, "
          "gpu, accelerator, an index such as 0.0, or part of a device's name (cltrack-devices "
          "lists them)"};
}

template <typename Settings>
Property<Settings> stage_property(const PropertyName& name, std::string_view stage,
                                  Placement& (*placement)(Settings&), const When& when,
                                  const std::string& blurb) {
  return {name,
          [=](Settings& settings) {
            const std::string& spec = std::as_const(placement(settings))[stage];
            return spec.empty() ? std::nullopt : std::optional(spec);
          },
          [=](Settings& settings, const GValue* value) {
            placement(settings)[stage] = string_of(value);
          },
          when, blurb};
}

template <typename Settings>
Property<Settings> placement_property() {
  return {"placement", "Which stage runs on which device, from the start of the element on"};
}

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
//   pictures-lent, pictures-copied, pictures-mapped: of pictures in other memory than the host's,
//           how many were read there, how many in a copy that the device had made first, and how
//           many came through the host (guint64); copied-because, mapped-because: why (string,
//           empty if none did)
//   pictures-pinned, pictures-staged: of pictures in the host's memory, while a device needed a
//           copy, how many it read from there by DMA, and how many the host had to copy first
//           (guint64)
//   targets (array of structures "target": id, windows, positive-patches, negative-patches
//           (guint64))
// which the caller owns.
GstStructure* make_stats_structure(const TrackerStats& stats, const EffortCounts& efforts,
                                   const PictureRoutes& routes);

}  // namespace cltrack::gst
