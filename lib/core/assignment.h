// SPDX-License-Identifier: LGPL-2.1-or-later
// The assignment problem: who belongs to whom, so that the sum of gains is the largest there is.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "cltrack/export.h"

namespace cltrack {

// `gains`: rows x columns, row by row, finite; 0 or less: these two do not belong together. Returns
// the column of each row, each column once at most. Kuhn's Hungarian method as Jonker and Volgenant
// have it, by shortest augmenting paths ("A shortest augmenting path algorithm for dense and sparse
// linear assignment problems", Computing 38, 1987): rows x rows x columns steps.
CLTRACK_API std::vector<std::optional<int>> assign(std::span<const float> gains, int rows,
                                                   int columns);

}  // namespace cltrack
