// SPDX-License-Identifier: LGPL-2.1-or-later
// Moves detections from the windows of the grid to where they look most like the target: the grid
// is a tenth of the window coarse, and a fifth in size, which alone can cost a patch its likeness.
#pragma once

#include <vector>

#include "cltrack/image_view.h"
#include "cltrack/tld_config.h"
#include "tld/detection.h"
#include "tld/object_model.h"

namespace cltrack {

// What is worth refining: the config.refined_detections best detections, those within
// config.refine_margin of `nn_threshold`, the most similar one first.
std::vector<Detection*> promising(std::vector<Detection>& detections, float nn_threshold,
                                  const TldConfig& config);

// Climbs from a detection to a local maximum of the relative similarity: steps of a twentieth of
// the box, then a fortieth, and larger ones before them where the detection's window is further
// from its neighbours: `shift`, fraction of the shorter side. Replaces its box and similarity.
// Several threads may refine a detection each.
void refine(Detection& detection, const ImageView& luma, const ObjectModel& model, float shift);

}  // namespace cltrack
