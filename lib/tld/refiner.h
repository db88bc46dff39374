// SPDX-License-Identifier: LGPL-2.1-or-later
// Moves detections from the windows of the grid to where they look most like the target: the grid
// is a tenth of the window coarse, and a fifth in size, which alone can cost a patch its likeness.
#pragma once

#include <vector>

#include "core/image_view.h"
#include "tld/config.h"
#include "tld/detector.h"
#include "tld/object_model.h"

namespace cltrack {

// Climbs from each of the config.refined_detections best detections, those within
// config.refine_margin of `nn_threshold`, to a local maximum of the relative similarity: steps of a
// twentieth of the box, then a fortieth. Box, patch and similarity of the detections are replaced.
void refine(std::vector<Detection>& detections, const ImageView& luma, const ObjectModel& model,
            float nn_threshold, const TldConfig& config);

}  // namespace cltrack
