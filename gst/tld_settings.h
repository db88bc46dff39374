// SPDX-License-Identifier: LGPL-2.1-or-later
// The parameters of TLD that a user would turn, as properties. Defaults are those of TldConfig; a
// new parameter takes one line in the table of the .cpp.
#pragma once

#include <gst/gst.h>

#include "tld/config.h"

namespace cltrack::gst {

// Installs the properties with the ids first_id, first_id + 1, ... of `klass`.
void install_tld_settings(GObjectClass* klass, guint first_id);

// Reads or writes the field of `config` that belongs to the property `id`. Return false if it is
// none of those installed.
bool set_tld_setting(TldConfig& config, guint id, guint first_id, const GValue* value);
bool get_tld_setting(const TldConfig& config, guint id, guint first_id, GValue* value);

}  // namespace cltrack::gst
