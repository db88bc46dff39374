// SPDX-License-Identifier: LGPL-2.1-or-later
// The tables of all trackers and sequences: figures and speeds.
#pragma once

#include <span>
#include <string>

#include "run.h"
#include "table.h"

namespace cltrack::accuracy {

// Both are of runs from given first boxes. Each tracker on each sequence, means over seeds; then
// each tracker's mean over the sequences.
Table sequence_table(std::span<const Row> rows);
Table speed_table(std::span<const Row> rows);

// Why a run has no figures.
std::string failure(const Row& row);

}  // namespace cltrack::accuracy
