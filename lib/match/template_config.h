// SPDX-License-Identifier: LGPL-2.1-or-later
// Parameters of tracking by template matching.
#pragma once

#include "../compute/placement.h"
#include "../core/export.h"
#include "../ops/match/similarity.h"

namespace cltrack {

enum class TemplateSearch {
  window,  // around where the target is expected, at several scales; the whole frame once it is
           // lost
  // The whole frame, each time, for the first template as it is: exact, always a box, as in
  // "Template Matching Based on CUDA". Scale, motion, second peaks and the running template count
  // for nothing.
  frame,
};

struct TemplateConfig {
  // What says where the template fits best. What decides on loss and learning is always ncc: cosine
  // is over 0.9 nearly everywhere.
  Similarity similarity = Similarity::ncc;
  TemplateSearch search = TemplateSearch::window;
  bool learning = true;  // initial value of Tracker::set_learning
  int threads = 2;       // that work inside process(), 1..64; changes no result
  // Only `match` is of interest: where whole frames are searched. Windows are always the host's.
  Placement placement = {};

  // --- what is compared. Pictures are reduced so that a template is about as large as a square of
  // so many pixels a side; never enlarged.
  int coarse_side = 16;  // where peaks are looked for, 8..64
  int fine_side = 48;    // where they are refined, 8..256

  // --- the search window, in sides of the box
  float window = 1.0f;         // how far the target may be from where it is expected, 0.1..10
  float window_growth = 0.5f;  // further for each frame on which it was not seen, 0..10
  float far_penalty = 0.2f;    // taken off the score of a place at the edge of the window, 0..1

  // --- scale
  float scale_step = 1.03f;     // size tried above and below the present one, 1..1.5; 1: none
  float scale_penalty = 0.01f;  // by which another size must score better, 0..1
  float largest_change = 2.0f;  // of the size, against the first one; its inverse is the smallest,
                                //   1..100

  // --- decisions: ncc of what the box shows and the better of the two templates
  float threshold = 0.5f;     // from here on the box is trusted, -1..1
  float uncertain = 0.4f;     // from here on there is a box at all, -1..threshold
  float usual_share = 0.7f;   // ... and from this share of what is usual for the target, 0..1
  int patience = 2;           // frames in a row with a box that is not trusted; then it is lost
  float found_again = 0.8f;   // what a lost target needs, -1..1
  float second_peak = 0.85f;  // the best place elsewhere must score less than this share of the
                              //   box's, or that is not trusted, 0..1
  float certain = 0.78f;      // but from here on a target that is not lost is trusted all the
                              //   same, -1..1
  int lost_sizes = 1;         // sizes above and below the last one that a whole frame is searched
  float lost_scale_step = 1.25f;  //   for, 0..4, and the factor between them, 1.01..2

  // --- the running template, beside the first one, which never changes
  float update_rate = 0.05f;     // share of a frame in it, 0..1; 0: there is none
  float learn_threshold = 0.5f;  // ncc with the first template that a frame needs, -1..1
};

// Throws Error{invalid_argument}: the message names the field, its value and what is allowed.
CLTRACK_API void validate(const TemplateConfig& config);

}  // namespace cltrack
