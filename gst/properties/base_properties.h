// SPDX-License-Identifier: LGPL-2.1-or-later
// The properties of all tracking elements, and the label of those that have one each of their own.
#pragma once

#include <gst/gst.h>

#include <string>

#include "metadata/track_messages.h"
#include "properties/property_table.h"

namespace cltrack::gst {

// The ids of regions.
enum class RegionIdKind {
  track,
  detection,  // the id of the ODMtd beside it
};

struct BaseSettings {
  bool draw_rect = false;
  StateReports reports = StateReports::on_change;
  bool navigation = false;
  RegionIdKind region_ids = RegionIdKind::track;
  GstClockTime max_latency = 0;  // 0: pictures may take all the time
};

const PropertyTable<BaseSettings>& base_properties();

inline constexpr const char* kDefaultLabel = "object";

// Settings::label. `targets` are called so in the description.
template <typename Settings>
Property<Settings> label_property(const std::string& targets) {
  return {"label", [](Settings& settings) { return settings.label; },
          [](Settings& settings, const GValue* value) {
            const std::string label = parse_label("label", value);
            settings.label = label.empty() ? kDefaultLabel : label;
          },
          kWhilePlaying,
          "Label of " + targets + " without a label of their own" + kAtAnyTime.note +
              ", applies to " + targets + " that are set later"};
}

}  // namespace cltrack::gst
