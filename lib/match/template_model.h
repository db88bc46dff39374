// SPDX-License-Identifier: LGPL-2.1-or-later
// How one target looks: its first template, which never changes, and beside it a running one that
// follows slowly. Both at two resolutions: a coarse one to find places, a fine one to judge them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cltrack/bounding_box.h"
#include "cltrack/image_view.h"
#include "cltrack/template_config.h"
#include "ops/match/match_template.h"

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

// Throws Error{invalid_argument} if a template is flat: the message says how much contrast is
// needed. `box` is what to call it.
void check_contrast(const MatchTemplate& pattern, const BoundingBox& box);

class TemplateModel {
 public:
  // What the box shows, inside the picture. Throws what check_contrast() throws.
  TemplateModel(const ImageView& picture, const BoundingBox& box, const TemplateConfig& config);

  // For searches; one at a time.
  TemplateLevel& coarse() { return coarse_; }
  TemplateLevel& fine() { return fine_; }

  // The size that a box at fine resolution has.
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
