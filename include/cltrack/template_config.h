// SPDX-License-Identifier: LGPL-2.1-or-later
// Parameters of tracking by template matching. template_fields() and docs/notes/parameters.md have
// the ranges.
#pragma once

#include <array>
#include <span>

#include "cltrack/config_field.h"
#include "cltrack/export.h"
#include "cltrack/placement.h"
#include "cltrack/similarity.h"

namespace cltrack {

enum class TemplateSearch {
  window,  // around the predicted position, at several scales; the whole frame while it is lost
  // The whole frame, always, for the first template: exact, always reports a box, as in "Template
  // Matching Based on CUDA". Does not use scales, motion, second peaks and the running template.
  frame,
};

// The search of whole frames. Windows are always searched on the host.
inline constexpr std::array kTemplateStages = {StageInfo{"match", "match-device"}};

struct TemplateConfig {
  // The measure that locates the template. Loss and learning always depend on ncc, because cosine
  // is over 0.9 nearly everywhere.
  Similarity similarity = Similarity::ncc;
  TemplateSearch search = TemplateSearch::window;
  bool learning = true;  // initial value of Tracker::set_learning
  int threads = 2;       // of process(); changes no result
  int max_targets = 64;  // limit of add(); each target costs time on every frame
  // The device of each of kTemplateStages; changes no result.
  Placement placement = {};

  // --- resolution. Pictures are reduced (never enlarged) until the template has about the area of
  // a square with this side, in pixels.
  int coarse_side = 16;  // for finding peaks
  int fine_side = 48;    // for refining them

  // --- the search window, in sides of the box
  float window = 1.0f;         // largest distance from the predicted position
  float window_growth = 0.5f;  // added for each frame on which it was not seen
  float far_penalty = 0.2f;    // subtracted from scores at the edge of the window

  // --- scale
  float scale_step = 1.03f;     // factor to the sizes above and below the present one; 1: none
  float scale_penalty = 0.01f;  // subtracted from the score of another size
  float largest_change = 2.0f;  // largest size relative to the first one; its inverse: the smallest

  // --- decisions, by the ncc of the box with the better of the two templates
  float threshold = 0.5f;     // from this value the box is trusted
  float uncertain = 0.4f;     // under this value the target is lost,
  float usual_share = 0.7f;   //   and under this share of its usual value
  int patience = 2;           // frames in a row with an untrusted box, then the target is lost
  float found_again = 0.8f;   // from this value a lost target is found
  float second_peak = 0.85f;  // a box is not trusted if another place scores at least this share of
                              //   its score,
  float certain = 0.78f;      //   unless the target is not lost and its ncc is at least this
  int lost_sizes = 1;         // search for a lost target: sizes above and below the last one,
  float lost_scale_step = 1.25f;  //   and the factor between them

  // --- the running template, beside the first one, which never changes
  float update_rate = 0.05f;     // weight of a new frame in it; 0: no running template
  float learn_threshold = 0.5f;  // lowest ncc with the first template to learn from a frame
};

// Name, range, unit and description of each parameter that is a number or a bool.
CLTRACK_API std::span<const ConfigField<TemplateConfig>> template_fields();

// Throws Error{invalid_argument}: the message names the field, its value and what is allowed.
CLTRACK_API void validate(const TemplateConfig& config);

}  // namespace cltrack
