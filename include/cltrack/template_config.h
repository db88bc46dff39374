// SPDX-License-Identifier: LGPL-2.1-or-later
// Parameters of tracking by template matching. template_fields() and docs/parameters.md have the
// ranges.
#pragma once

#include <array>
#include <span>

#include "cltrack/config_field.h"
#include "cltrack/export.h"
#include "cltrack/placement.h"
#include "cltrack/similarity.h"

namespace cltrack {

enum class TemplateSearch {
  window,  // around where the target is expected, at several scales; the whole frame once it is
           // lost
  // The whole frame, each time, for the first template as it is: exact, always a box, as in
  // "Template Matching Based on CUDA". Scale, motion, second peaks and the running template count
  // for nothing.
  frame,
};

// The search of whole frames. Windows are always the host's.
inline constexpr std::array kTemplateStages = {StageInfo{"match", "match-device"}};

struct TemplateConfig {
  // What says where the template fits best. What decides on loss and learning is always ncc: cosine
  // is over 0.9 nearly everywhere.
  Similarity similarity = Similarity::ncc;
  TemplateSearch search = TemplateSearch::window;
  bool learning = true;  // initial value of Tracker::set_learning
  int threads = 2;       // that work inside process(); changes no result
  int max_targets = 64;  // that add() takes; each costs time on every frame
  // On which device each of kTemplateStages runs; changes no result.
  Placement placement = {};

  // --- what is compared. Pictures are reduced so that a template is about as large as a square of
  // so many pixels a side; never enlarged.
  int coarse_side = 16;  // where peaks are looked for
  int fine_side = 48;    // where they are refined

  // --- the search window, in sides of the box
  float window = 1.0f;         // how far the target may be from where it is expected
  float window_growth = 0.5f;  // further for each frame on which it was not seen
  float far_penalty = 0.2f;    // taken off the score of a place at the edge of the window

  // --- scale
  float scale_step = 1.03f;     // size tried above and below the present one; 1: none
  float scale_penalty = 0.01f;  // by which another size must score better
  float largest_change = 2.0f;  // of the size, against the first one; its inverse is the smallest

  // --- decisions: ncc of what the box shows and the better of the two templates
  float threshold = 0.5f;     // from here on the box is trusted
  float uncertain = 0.4f;     // from here on there is a box at all
  float usual_share = 0.7f;   // ... and from this share of what is usual for the target
  int patience = 2;           // frames in a row with a box that is not trusted; then it is lost
  float found_again = 0.8f;   // what a lost target needs
  float second_peak = 0.85f;  // the best place elsewhere must score less than this share of the
                              //   box's, or that is not trusted
  float certain = 0.78f;      // but from here on a target that is not lost is trusted all the
                              //   same
  int lost_sizes = 1;         // sizes above and below the last one that a whole frame is searched
  float lost_scale_step = 1.25f;  //   for, and the factor between them

  // --- the running template, beside the first one, which never changes
  float update_rate = 0.05f;     // share of a frame in it; 0: there is none
  float learn_threshold = 0.5f;  // ncc with the first template that a frame needs
};

// Name, range, unit and meaning of each parameter that is a number or a truth value.
CLTRACK_API std::span<const ConfigField<TemplateConfig>> template_fields();

// Throws Error{invalid_argument}: the message names the field, its value and what is allowed.
CLTRACK_API void validate(const TemplateConfig& config);

}  // namespace cltrack
