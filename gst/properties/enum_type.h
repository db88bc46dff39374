// SPDX-License-Identifier: LGPL-2.1-or-later
// Enumerations of properties.
#pragma once

#include <gst/gst.h>

namespace cltrack::gst {

// Once for each name. `values`, ended by {0, nullptr, nullptr}, must stay valid.
inline GType register_enum(const char* name, const GEnumValue* values) {
  const GType type = g_enum_register_static(name, values);
  gst_type_mark_as_plugin_api(type, static_cast<GstPluginAPIFlags>(0));
  return type;
}

}  // namespace cltrack::gst
