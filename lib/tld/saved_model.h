// SPDX-License-Identifier: LGPL-2.1-or-later
// Models in files: what was learnt about targets.
#pragma once

#include <cstdint>
#include <vector>

#include "cltrack/tld_config.h"
#include "ops/ferns/fern_tables.h"
#include "ops/patches/extract_patches.h"
#include "tld/detector.h"
#include "tld/target_model.h"

namespace cltrack {

// A target's model as a file keeps it: all that was learnt, and no parameter. Where the target was,
// and what its correlation filter knows of the picture around it, is of that video alone.

struct SavedTarget {
  // The size of the frames that it was learnt from, pixels.
  int frame_width = 0;
  int frame_height = 0;
  // As in TargetModel.
  float width = 0;
  float height = 0;
  float minimum_variance = 0;
  float fern_threshold = 0;
  float nn_threshold = 0;
  float nn_valid_threshold = 0;
  std::vector<UnitPair> points;  // of FernEnsemble
  FernTables tables;
  std::vector<Patch> positives;  // of ObjectModel, in its order
  std::vector<Patch> negatives;
  TemplatePixels shown = {};

  friend bool operator==(const SavedTarget&, const SavedTarget&) = default;
};

// `tables`: the latest ones, which may be elsewhere than in the model.
SavedTarget save_target(const TargetModel& model, const FernTables& tables, int frame_width,
                        int frame_height);

// Throws Error{invalid_argument} if a tracker with this config has other ferns.
void check_ferns(const SavedTarget& saved, const TldConfig& config);

// The model for a tracker that check_ferns() passes, and for frames of this size: where they are
// larger than the frames before, so is the target. Patches beyond the config's limits are left out:
// the youngest positives and the oldest negatives.
TargetModel restore_model(const SavedTarget& saved, const TldConfig& config, std::uint64_t seed,
                          int frame_width, int frame_height);

}  // namespace cltrack
