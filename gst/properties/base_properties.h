// SPDX-License-Identifier: LGPL-2.1-or-later
// The properties of all tracking elements: names and descriptions.
#pragma once

#include <gst/gst.h>

#include "metadata/track_messages.h"

namespace cltrack::gst {

enum BaseProperty : guint {
  kDrawRect = 1,
  kStats,
  kMessages,
  kNavigation,
  kRegionIds,
  kMaxLatency
};

// What the ids of regions are.
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

  // Properties by their ids. False for those that are not among them.
  bool set(guint id, const GValue* value);
  bool get(guint id, GValue* value) const;
};

void install_base_properties(GObjectClass* klass);

}  // namespace cltrack::gst
