// SPDX-License-Identifier: LGPL-2.1-or-later
// How probable it is that a box shows the target, from all that is known of the box.
//
// A logistic regression. Its weights were fitted to what the tracker itself met on sequences, on
// what was made of them, and on videos with pasted targets that vanish;
// docs/notes/tld-experiments.md says how and what it is worth on sequences that were left out.
#pragma once

namespace cltrack {

struct Evidence {
  // What the filter answers, as a multiple of what it answered while it was taught
  // (usual_quality.h). The answer itself says little: a filter that is taught background answers
  // to that as well as it did to the target.
  float filter_ratio = 1;
  float filter_psr = 20;  // how far the answer stands out, see peak_to_sidelobe.h
  // How far that of the colours does, as a multiple of what it did; and how much that says, 0 to 1:
  // nothing if the target has the colours of what is around it.
  float color_ratio = 1;
  float color_weight = 1;
  // How high the colours answer, as a multiple of what they did, while the target is not surely
  // here, or of another place: there the highest answer of a window stands out whatever it is.
  // Where the target was a moment ago, its colours are changed by light and shadow alone, and this
  // is 1.
  float color_level = 1;
  float conservative = 0;  // similarity of the box's patch to the object model
  int support = 0;         // windows that passed the ferns and overlap the box by more than half
  // Frames in a row, this one included, on which the box was more like what is not the target.
  int strange = 0;
  float inside = 1;  // share of the box that is in the picture
  // Frames since somebody said where the target is, of the box that motion has carried on from
  // there: it cannot be far, and what is usual for it is not known yet.
  int age = kGrownUp;

  static constexpr int kGrownUp = 12;  // from here on, all are alike
};

// 0 to 1: the share of such boxes that overlap the target by at least a quarter.
float presence(const Evidence& evidence);

// What has made presence() fall most since the frame of `before`: "filter" (its answer, or how far
// that stands out), "colors", "object-model", "detector", "background" (the box is more like that)
// or "outside".
const char* fallen_evidence(const Evidence& before, const Evidence& now);

}  // namespace cltrack
