// SPDX-License-Identifier: LGPL-2.1-or-later
// The table of --shift-first: AUC from shifted first boxes beside that from the given one.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "run.h"
#include "table.h"

namespace cltrack::accuracy {

// None if no run has a shifted box.
std::vector<Table> shift_tables(std::span<const Row> rows, const std::vector<std::string>& trackers,
                                const std::vector<std::string>& sequences);

}  // namespace cltrack::accuracy
