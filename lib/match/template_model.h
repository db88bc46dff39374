// SPDX-License-Identifier: LGPL-2.1-or-later
// The appearance of one target: its first template, which never changes, and a running one that
// follows slowly. Both at two resolutions: a coarse one to find places, a fine one to verify them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cltrack/bounding_box.h"
#include "cltrack/image_view.h"
#include "cltrack/template_config.h"
#include "ops/match/best_match.h"

namespace cltrack {

// The templates at one resolution.
struct TemplateLevel {
  MatchTemplate first;
  std::optional<MatchTemplate> running;  // once something has been learnt

  int width() const { return first.width(); }
  int height() const { return first.height(); }
};

// ncc of a picture and the two templates.
struct Likeness {
  float first = 0;
  float running = 0;  // as `first` while nothing has been learnt
  float best() const { return first > running ? first : running; }
};

// Throws Error{invalid_argument} if a template is flat: the message states `box` and the contrast
// that is needed.
void check_contrast(const MatchTemplate& pattern, const BoundingBox& box);

class TemplateModel {
 public:
  // The model of the part of the picture in `box`, which is inside it. Throws what check_contrast()
  // throws.
  TemplateModel(const ImageView& picture, const BoundingBox& box, const TemplateConfig& config);

  // For searches; one at a time.
  TemplateLevel& coarse() { return coarse_; }
  TemplateLevel& fine() { return fine_; }

  // The size of a box at the fine resolution.
  int width() const { return fine_.width(); }
  int height() const { return fine_.height(); }

  // Both take a picture of that size, with the target filling it.
  Likeness compare(const ImageView& picture) const;
  void learn(const ImageView& picture, float rate);

  std::uint64_t templates() const { return running_.empty() ? 1 : 2; }

 private:
  void renew_running();

  Similarity similarity_;
  TemplateLevel coarse_;
  TemplateLevel fine_;
  // The same as fine_ where that compares by ncc.
  std::optional<MatchTemplate> first_ncc_, running_ncc_;
  std::vector<std::uint32_t> running_;  // grey levels with 16 bits behind the point
};

}  // namespace cltrack
