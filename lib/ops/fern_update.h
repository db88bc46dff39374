// SPDX-License-Identifier: LGPL-2.1-or-later
// Teaches the ferns: samples are shown one after the other, and only those that the ensemble gets
// wrong change it.
#pragma once

#include <cstdint>
#include <span>

#include "ops/fern_tables.h"

namespace cltrack {

// Codes of many samples, tables.ferns of them each.
struct FernSamples {
  std::span<const std::uint16_t> codes;
  std::span<const std::uint8_t> positive;  // 1 or 0 for each sample
};

// Visits the samples in the given order. A positive counts if its score is at most
// `positive_score`, a negative if its score is at least `negative_score`; each time the posteriors
// follow at once.
void update_ferns(FernTables& tables, const FernSamples& samples, std::uint32_t positive_score,
                  std::uint32_t negative_score);

}  // namespace cltrack
