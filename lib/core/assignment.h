// SPDX-License-Identifier: LGPL-2.1-or-later
// The assignment problem: who belongs to whom, so that the sum of gains is the largest there is.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "cltrack/export.h"

namespace cltrack {

// A row and a column that may belong together.
struct AssignmentPair {
  int row;
  int column;
  float gain;  // finite; 0 or less: as if the pair were not there
};

// Returns the column of each row, each column once at most; each pair may be there once. Kuhn's
// Hungarian method as Jonker and Volgenant have it for sparse problems, by shortest augmenting
// paths
// ("A shortest augmenting path algorithm for dense and sparse linear assignment problems",
// Computing 38, 1987): each row takes rows + columns steps, and those of the pairs that contend.
CLTRACK_API std::vector<std::optional<int>> assign(std::span<const AssignmentPair> pairs, int rows,
                                                   int columns);

}  // namespace cltrack
