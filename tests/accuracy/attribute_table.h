// SPDX-License-Identifier: LGPL-2.1-or-later
// The table of attributes: how trackers do on sequences with occlusion, with motion blur, ...
#pragma once

#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "run.h"

namespace cltrack::accuracy {

// Mean AUC of each tracker over the sequences that have an attribute, for each attribute. Nothing
// if there is none.
void print_attributes(std::ostream& out, std::span<const Row> rows,
                      const std::vector<std::string>& trackers,
                      const std::vector<std::string>& sequences);

}  // namespace cltrack::accuracy
