// SPDX-License-Identifier: LGPL-2.1-or-later
// The properties of all tracking elements: names and descriptions.
#pragma once

#include <gst/gst.h>

#include "metadata/state_messages.h"

namespace cltrack::gst {

enum BaseProperty : guint { kDrawRect = 1, kStats, kMessages, kNavigation };

struct BaseSettings {
  bool draw_rect = false;
  StateReports reports = StateReports::on_change;
  bool navigation = false;

  // Properties by their ids. False for those that are not among them.
  bool set(guint id, const GValue* value);
  bool get(guint id, GValue* value) const;
};

void install_base_properties(GObjectClass* klass);

}  // namespace cltrack::gst
