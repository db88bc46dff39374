// SPDX-License-Identifier: LGPL-2.1-or-later
// The property "targets-json": the same as "targets", for those who have strings only:
//   [{"x": 10, "y": 20, "width": 50, "height": 50, "label": "car"}, ...]
#pragma once

#include <gst/gst.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "properties/target_list.h"

namespace cltrack::gst {

// A list of objects, or one of them; "" is an empty list. Throws Error{invalid_argument} that names
// what is no target: text that is no JSON, another field, a number that is missing or not finite, a
// side that is not greater than 0.
std::vector<Target> parse_targets_json(std::string_view text);

// The same in return.
std::string targets_json(std::span<const Target> targets);

}  // namespace cltrack::gst
