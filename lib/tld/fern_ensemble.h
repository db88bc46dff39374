// SPDX-License-Identifier: LGPL-2.1-or-later
// The ensemble of random ferns: which pixels its ferns compare, and what it has counted.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/random.h"
#include "ops/fern_codes.h"
#include "ops/fern_tables.h"
#include "tld/config.h"

namespace cltrack {

class FernEnsemble {
 public:
  // Draws the pixel pairs: axis-aligned, from points of a lattice over the unit square, between a
  // fifth and six fifths of its side long and cut off at its border, as the author's are.
  FernEnsemble(const TldConfig& config, Random& random);

  int ferns() const { return tables_.ferns; }
  const FernTables& tables() const { return tables_; }

  // The pairs in a window of width x height pixels, fern by fern.
  std::vector<PixelPair> pairs_for(int width, int height) const;

  // Shows the samples `passes` times. As in the author's reference they are cut into ten blocks and
  // taken from each in turn, which mixes positives and negatives that come one after the other.
  // (His loop forgets up to nine samples at the end; this one does not.) `positive_score`: mean
  // posterior up to which positives are learnt; negatives are from 0.5 on.
  void train(std::span<const std::uint16_t> codes, std::span<const std::uint8_t> positive,
             float positive_score, int passes);

  // Mean posterior of one window, 0 to 1.
  float confidence(const std::uint16_t* codes) const;

 private:
  struct UnitPair {
    float x1, y1, x2, y2;  // fractions of the window's sides, 0 to 1
  };
  std::vector<UnitPair> pairs_;
  FernTables tables_;
};

}  // namespace cltrack
