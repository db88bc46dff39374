// SPDX-License-Identifier: LGPL-2.1-or-later
// The best candidates of a scan.
#pragma once

#include <cstddef>
#include <vector>

#include "ops/scan.h"

namespace cltrack {

// Keeps the `count` candidates with the highest score, best first, ties by rising window index.
void select_best(std::vector<Candidate>& candidates, std::size_t count);

}  // namespace cltrack
