// SPDX-License-Identifier: LGPL-2.1-or-later
// The parameters of template matching as properties: those of template_fields(), and its choices.
#pragma once

#include <gst/gst.h>

#include "cltrack/template_config.h"

namespace cltrack::gst {

// Installs the properties with the ids first_id, first_id + 1, ... of `klass`.
void install_template_settings(GObjectClass* klass, guint first_id);

// Reads or writes the field of `config` that belongs to the property `id`. Return false if it is
// none of those installed.
bool set_template_setting(TemplateConfig& config, guint id, guint first_id, const GValue* value);
bool get_template_setting(const TemplateConfig& config, guint id, guint first_id, GValue* value);

}  // namespace cltrack::gst
