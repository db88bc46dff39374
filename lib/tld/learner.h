// SPDX-License-Identifier: LGPL-2.1-or-later
// Makes training samples out of frames: the P-expert (what is close to the target is the target,
// also when turned or shifted a little) and the N-expert (what is far from it is not).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/random.h"
#include "tld/config.h"
#include "tld/detector.h"
#include "tld/fern_ensemble.h"
#include "tld/frame_planes.h"

namespace cltrack {

// Fern codes of labelled windows, ferns() codes each.
class FernSampleList {
 public:
  explicit FernSampleList(int ferns) : ferns_(static_cast<std::size_t>(ferns)) {}

  // Room for the codes of one more sample, to be filled by the caller.
  std::uint16_t* add(bool positive);

  std::size_t size() const { return positive_.size(); }
  const std::uint16_t* codes_of(std::size_t sample) const { return &codes_[sample * ferns_]; }
  std::span<const std::uint16_t> codes() const { return codes_; }
  std::span<const std::uint8_t> positive() const { return positive_; }
  void shuffle(Random& random);

 private:
  std::size_t ferns_;
  std::vector<std::uint16_t> codes_;
  std::vector<std::uint8_t> positive_;
};

// Adds the codes of `windows`, each seen through `config.warps` warps of their common
// neighbourhood; the first warp is none.
void add_positives(const Detector& detector, int ferns, const FramePlanes& planes,
                   std::span<const std::uint32_t> windows, const WarpConfig& config, Random& random,
                   FernSampleList& samples);

// Adds the codes of the windows as they are.
void add_negatives(const Detector& detector, int ferns, const FramePlanes& planes,
                   std::span<const std::uint32_t> windows, FernSampleList& samples);

// The windows to learn as positives of a target at `box`: those that overlap it most, by more than
// config.positive_overlap, best first, at most `count`. The best one of all comes first even if it
// overlaps less. Empty if no window meets the box.
std::vector<std::uint32_t> positive_windows(const ScanGrid& grid, const BoundingBox& box, int count,
                                            const TldConfig& config);

}  // namespace cltrack
