// SPDX-License-Identifier: LGPL-2.1-or-later
// Random analytics metas, related at random.
#pragma once

#include <gst/gst.h>

#include <string>

#include "random_values.h"

namespace cltrack::test {

// Adds none, a few, or very many; none in a build without GstAnalytics.
void add_random_objects(RandomValues& random, GstBuffer* buffer, std::string& description);

}  // namespace cltrack::test
