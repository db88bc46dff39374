// SPDX-License-Identifier: LGPL-2.1-or-later
// What a tracker has of a clip after its first frame: scan grid, pixel pairs, and ferns that have
// learnt the target. Ops are timed on it, so that they find as many candidates as in real use.
#pragma once

#include <cstdint>
#include <vector>

#include "benchmarks.h"
#include "cltrack/tld_config.h"
#include "core/random.h"
#include "ops/ferns/fern_tables.h"
#include "ops/ferns/scan.h"
#include "ops/patches/extract_patches.h"
#include "ops/planes/blur.h"
#include "ops/planes/integral.h"
#include "tld/scan_grid.h"
#include "tld/target_model.h"

namespace cltrack::accuracy {

inline constexpr std::size_t kPatches = 300;  // what a model holds after some hundred frames

// Frames of a clip, one after the other and again from the start.
class Frames {
 public:
  explicit Frames(const Clip& clip) : clip_(clip) {}
  ImageView next() {
    const auto& frames = clip_.footage.frames();
    return frames[index_++ % frames.size()]->frame().luma;
  }

 private:
  const Clip& clip_;
  std::size_t index_ = 0;
};

struct Scan {
  explicit Scan(const Clip& clip);

  // All windows of the first frame, on the host.
  void run(decltype(&reference::scan_rows) body, std::uint32_t minimum_score,
           CandidateList& candidates) const;

  // Patches all over the first frame.
  std::vector<Patch> patches(std::size_t count) const;

  // A warp such as learning makes of a target that was tracked.
  Warp random_warp(const BoundingBox& box);

  TldConfig config;
  Random random{1};
  ImageView frame;
  ScanGrid grid;
  FernEnsemble ferns{config, random};  // for its pixel pairs
  FernTables tables;                   // what was learnt
  Image blurred;
  Integrals integrals;
  std::vector<std::vector<PixelPair>> pairs;
  std::vector<ScanSize> sizes;
  std::vector<std::uint32_t> positives;  // windows that show the target, the best one first

 private:
  void learn(const BoundingBox& box);
};

}  // namespace cltrack::accuracy
