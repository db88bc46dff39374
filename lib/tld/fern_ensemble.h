// SPDX-License-Identifier: LGPL-2.1-or-later
// The ensemble of random ferns: which pixels its ferns compare, and what it has counted.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cltrack/tld_config.h"
#include "compute/queue.h"
#include "core/random.h"
#include "ops/ferns/fern_codes.h"
#include "ops/ferns/fern_tables.h"
#include "ops/ferns/fern_update.h"

namespace cltrack {

// What it has counted lies where it was last taught, and goes where somebody asks for it. While
// that is a device, the host keeps a copy that is some frames old, for the case that the device
// fails.
//
// Threading: one thread at a time, and that of the queue if a device teaches.
class FernEnsemble {
 public:
  // Draws the pixel pairs: axis-aligned, from points of a lattice over the unit square, between a
  // fifth and six fifths of its side long and cut off at its border, as the author's are.
  FernEnsemble(const TldConfig& config, Random& random);

  int ferns() const { return tables_.ferns; }
  int pairs() const { return tables_.pairs; }  // of a fern
  FernTableArrays& tables() { return tables_; }

  // The pairs in a window of width x height pixels, fern by fern.
  std::vector<PixelPair> pairs_for(int width, int height) const;

  // Shows the samples `passes` times. As in the author's reference they are cut into ten blocks and
  // taken from each in turn, which mixes positives and negatives that come one after the other.
  // (His loop forgets up to nine samples at the end; this one does not.) The one job of `samples`
  // is learnt into slot 0; negatives are learnt from a mean posterior of 0.5 on. Does not wait.
  void train(Queue& queue, const FernSampleArrays& samples, int passes);

  // The same, but blocks are cut from `order`, which names every sample, not from their places.
  void train(Queue& queue, FernSampleArrays& samples, std::span<const std::uint32_t> order,
             int passes);

  // Sum of the posteriors whose mean this is.
  std::uint32_t score(float mean) const {
    return static_cast<std::uint32_t>(
        mean * (static_cast<float>(tables_.ferns) * static_cast<float>(kPosteriorOne)));
  }

  // Sum of the posteriors from which on a negative is learnt.
  std::uint32_t negative_score() const {
    return static_cast<std::uint32_t>(tables_.ferns) * kPosteriorOne / 2;
  }

  // Mean posterior of one window, 0 to 1.
  float confidence(const std::uint16_t* codes);

  // Renews the host's copy, if the latest train() has queued that, as some do on a device. Waits,
  // unless the queue has been waited for since.
  void save();

  // Leaves all devices. What has been learnt stays; if the device that has it fails, what had been
  // learnt up to the last save, and a warning is logged.
  void leave_devices();

 private:
  void learn(Queue& queue, const FernSampleArrays& samples, int passes);

  struct UnitPair {
    float x1, y1, x2, y2;  // fractions of the window's sides, 0 to 1
  };
  std::vector<UnitPair> pairs_;
  FernTableArrays tables_;
  Array<std::uint32_t> order_;  // of samples, as they are learnt
  FernTables saved_;
  int unsaved_ = 0;  // lessons on a device since the last save
  bool saving_ = false;
};

}  // namespace cltrack
