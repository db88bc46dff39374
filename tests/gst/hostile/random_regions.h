// SPDX-License-Identifier: LGPL-2.1-or-later
// Random regions of interest, with params that have the names of this plugin's and random contents.
#pragma once

#include <gst/gst.h>

#include <string>

#include "random_values.h"

namespace cltrack::test {

// Adds none, a few, or very many.
void add_random_regions(RandomValues& random, GstBuffer* buffer, std::string& description);

}  // namespace cltrack::test
