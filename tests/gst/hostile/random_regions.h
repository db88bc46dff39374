// SPDX-License-Identifier: LGPL-2.1-or-later
// Regions of interest that some element may leave on a buffer, with parameters that look like this
// plugin's and hold anything.
#pragma once

#include <gst/gst.h>

#include <string>

#include "random_values.h"

namespace cltrack::test {

// Adds none, a few, or very many.
void add_random_regions(RandomValues& random, GstBuffer* buffer, std::string& description);

}  // namespace cltrack::test
