// SPDX-License-Identifier: LGPL-2.1-or-later
// Saved models as files. Both functions throw Error{invalid_argument} that names the file.
#pragma once

#include <string>

#include "cltrack/saved_model.h"

namespace cltrack::gst {

// A file that is no model, however large, takes no memory of more than one.
SavedModel load_model(const std::string& path);

// Replaces what was in the file only once all is written, by renaming another one beside it.
void save_model(const SavedModel& model, const std::string& path);

}  // namespace cltrack::gst
