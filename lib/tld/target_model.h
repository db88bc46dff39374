// SPDX-License-Identifier: LGPL-2.1-or-later
// The model of a target, as learnt so far: ferns, patches, thresholds.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "cltrack/tld_config.h"
#include "cltrack/tracker.h"
#include "core/random.h"
#include "ops/ferns/fern_codes.h"
#include "ops/ferns/fern_tables.h"
#include "ops/ferns/scan_windows.h"
#include "tld/object_model.h"
#include "tld/scan_grid.h"

namespace cltrack {

// The ensemble of random ferns: which pixels its ferns compare, and what it has counted.

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

// Blue, green and red of each pixel of a square picture of a target, row by row.
using TemplatePixels = std::vector<std::uint8_t>;

// All that has been learnt about a target: a value that can be copied and compared. Where the
// target is does not belong to it.

struct TargetModel {
  // Before anything is learnt about a target of width x height pixels.
  TargetModel(float target_width, float target_height, const TldConfig& config, std::uint64_t seed)
      : random(seed),
        ferns(config, random),
        patches(config),
        width(target_width),
        height(target_height),
        fern_threshold(config.fern_threshold),
        nn_threshold(config.nn_threshold),
        nn_valid_threshold(config.nn_valid_threshold) {}

  // Sets the sides, as far as a grid can be made of them on a frame of this size.
  void resize(float target_width, float target_height, int frame_width, int frame_height) {
    const auto within = [](float side, int frame) {
      return std::clamp(side, kMinimumBoxSide,
                        std::max(kMinimumBoxSide, static_cast<float>(frame)));
    };
    width = within(target_width, frame_width);
    height = within(target_height, frame_height);
  }

  Random random;  // the state that the next choice begins from
  FernEnsemble ferns;
  ObjectModel patches;
  float width;  // of the box that the scan grid is made of, pixels
  float height;
  float minimum_variance = 0;  // grey levels squared, under which a window or patch is rejected
  float fern_threshold;        // mean posterior that a detection must exceed
  float nn_threshold;          // relative similarity that a detection must exceed
  float nn_valid_threshold;    // conservative similarity from which a tracked box is valid
  TemplatePixels shown = {};   // by a network's template; empty without

  friend bool operator==(const TargetModel&, const TargetModel&) = default;
};

// A grid as operations take it.

// The sizes of the grid, with the pixel pairs of each. They refer to the grid.
class ScanSizes {
 public:
  // `minimum_variance`: in grey levels squared.
  ScanSizes(const ScanGrid& grid, const FernEnsemble& ferns, float minimum_variance) {
    for (const ScanScale& scale : grid.scales()) {
      pairs_.push_back(ferns.pairs_for(scale.width, scale.height));
      const double pixels = static_cast<double>(scale.width) * scale.height;
      const double least = std::ceil(static_cast<double>(minimum_variance) * pixels * pixels);
      sizes_.push_back({.width = scale.width,
                        .height = scale.height,
                        .xs = scale.xs,
                        .ys = scale.ys,
                        .first = scale.first,
                        .pairs = pairs_.back(),
                        .minimum_variance = static_cast<std::uint64_t>(least)});
    }
  }

  std::span<const ScanSize> view() const { return sizes_; }

 private:
  std::vector<std::vector<PixelPair>> pairs_;  // moving the outer vector leaves the inner ones
  std::vector<ScanSize> sizes_;
};

}  // namespace cltrack
