// SPDX-License-Identifier: LGPL-2.1-or-later
// What has been learnt about a target: a value that can be copied and compared. Where the target is
// does not belong to it.
#pragma once

#include <algorithm>

#include "cltrack/tld_config.h"
#include "cltrack/tracker.h"
#include "core/random.h"
#include "tld/fern_ensemble.h"
#include "tld/object_model.h"

namespace cltrack {

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

  friend bool operator==(const TargetModel&, const TargetModel&) = default;
};

}  // namespace cltrack
