// SPDX-License-Identifier: LGPL-2.1-or-later
// Random values of list properties: valid and invalid targets and colours.
#pragma once

#include <glib-object.h>

#include <string>

#include "random_values.h"

namespace cltrack::test {

// In the syntax of gst-launch.
std::string random_targets_text(RandomValues& random);
// An array of arrays. To be unset by the caller.
GValue random_targets_value(RandomValues& random);

std::string random_color(RandomValues& random);
// An array of texts. To be unset by the caller.
GValue random_colors_value(RandomValues& random);

}  // namespace cltrack::test
