// SPDX-License-Identifier: LGPL-2.1-or-later
// The values of the properties region and ignore-regions: polygons as strings, which every
// language can set.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cltrack/search_region.h"

namespace cltrack::gst {

// "0.1,0.2 0.9,0.2 0.5,0.8; ..." : points of fractions of the picture's width and height, three at
// least, polygons separated by semicolons. Throws Error{invalid_argument} that names `property`
// and what is wrong.
std::vector<Polygon> parse_polygons(const char* property, std::string_view text);

// What parse_polygons() reads.
std::string polygons_text(const std::vector<Polygon>& polygons);

}  // namespace cltrack::gst
