// SPDX-License-Identifier: LGPL-2.1-or-later
// The properties of clcolortracker: ids and descriptions.
#pragma once

#include <gst/gst.h>

namespace cltrack::gst {

enum ColorProperty : guint {
  kColors = 1,
  kColorLabel,
  kColorAllDevice,
  kColorDevice,
  kColorPlacement,
  kFirstColorSetting,
};

void install_color_properties(GObjectClass* klass, const char* default_label);

}  // namespace cltrack::gst
