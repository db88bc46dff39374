// SPDX-License-Identifier: LGPL-2.1-or-later
// The table "States and presence": each tracker over all frames of all its runs.
#pragma once

#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "run.h"

namespace cltrack::accuracy {

void print_states(std::ostream& out, std::span<const Row> rows,
                  const std::vector<std::string>& trackers);

}  // namespace cltrack::accuracy
