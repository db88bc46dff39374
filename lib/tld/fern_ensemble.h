// SPDX-License-Identifier: LGPL-2.1-or-later
// The ensemble of random ferns: which pixels its ferns compare, and what it has counted.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "cltrack/tld_config.h"
#include "core/random.h"
#include "ops/ferns/fern_codes.h"
#include "ops/ferns/fern_tables.h"

namespace cltrack {

// The two points that are compared: fractions of a window's sides, 0 to 1.
struct UnitPair {
  float x1, y1, x2, y2;
  friend bool operator==(const UnitPair&, const UnitPair&) = default;
};

class FernEnsemble {
 public:
  // Draws the pixel pairs: axis-aligned, from points of a lattice over the unit square, between a
  // fifth and six fifths of its side long and cut off at its border, as the author's are.
  FernEnsemble(const TldConfig& config, Random& random);

  // As it was before: points() and tables() of another one.
  FernEnsemble(std::vector<UnitPair> points, FernTables tables)
      : pairs_(std::move(points)), tables_(std::move(tables)) {}

  // Fern by fern.
  const std::vector<UnitPair>& points() const { return pairs_; }
  // The pairs in a window of width x height pixels, fern by fern.
  std::vector<PixelPair> pairs_for(int width, int height) const;

  // Counts of the samples that it has learnt. While a device learns, they are some frames old.
  const FernTables& tables() const { return tables_; }
  FernTables& tables() { return tables_; }

  friend bool operator==(const FernEnsemble&, const FernEnsemble&) = default;

 private:
  std::vector<UnitPair> pairs_;
  FernTables tables_;
};

// Sum of the posteriors of `ferns` ferns from which on a negative is learnt: a mean of 0.5.
inline std::uint32_t negative_score(int ferns) {
  return static_cast<std::uint32_t>(ferns) * kPosteriorOne / 2;
}

// The sum of posteriors that the mean posterior `threshold` stands for.
inline float score_of(float threshold, int ferns) {
  return threshold * static_cast<float>(ferns) * static_cast<float>(kPosteriorOne);
}

}  // namespace cltrack
