// SPDX-License-Identifier: LGPL-2.1-or-later
// The table of attributes: how trackers do on sequences with occlusion, with motion blur, ...
#pragma once

#include <span>
#include <string>
#include <vector>

#include "run.h"
#include "table.h"

namespace cltrack::accuracy {

// Mean AUC of each tracker over the sequences that have an attribute, for each attribute. None if
// there is no attribute.
std::vector<Table> attribute_tables(std::span<const Row> rows,
                                    const std::vector<std::string>& trackers,
                                    const std::vector<std::string>& sequences);

}  // namespace cltrack::accuracy
