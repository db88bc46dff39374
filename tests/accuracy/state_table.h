// SPDX-License-Identifier: LGPL-2.1-or-later
// What states and confidences are worth: each tracker over all frames of all its runs.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "run.h"
#include "table.h"

namespace cltrack::accuracy {

// "States and presence", and the share of right boxes by confidence. None if nothing ran.
std::vector<Table> state_tables(std::span<const Row> rows,
                                const std::vector<std::string>& trackers);

}  // namespace cltrack::accuracy
