// SPDX-License-Identifier: LGPL-2.1-or-later
// Searches whole frames for templates, wherever the stage `match` runs.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>

#include "cltrack/bounding_box.h"
#include "cltrack/image_view.h"
#include "cltrack/search_region.h"
#include "cltrack/template_config.h"
#include "compute/array.h"
#include "compute/queue.h"
#include "match/template_model.h"
#include "match/window_search.h"
#include "ops/match/best_match.h"

namespace cltrack {

// Threading: one thread at a time.
class FrameSearch {
 public:
  // `config` must outlive this.
  FrameSearch(const TemplateConfig& config, std::shared_ptr<Queue> queue)
      : config_(config), queue_(std::move(queue)) {}

  // From now on, `queue` is used.
  void place(std::shared_ptr<Queue> queue);

  // Places outside of it are not found. Everywhere at first.
  void set_region(const SearchRegion& region) { region_ = region; }
  const SearchRegion& region() const { return region_; }

  // The exact best place of a template in the picture as it is. Nothing if no place of the region
  // is found: a place within half a template of a better one that is outside is not looked at, and
  // after 16 of these the search ends.
  std::optional<MatchPlace> best_place(const ImageView& picture, MatchTemplate& pattern);

  // The box that is most similar to the model's first template, of about the size `width` x
  // `height`: at the coarse resolution all places of some sizes (TemplateConfig::lost_sizes), the
  // best of each refined by `window`. Nothing if the template is larger than the picture at all
  // sizes, or nothing is found in the region, as with best_place().
  std::optional<FoundBox> find(const ImageView& picture, TemplateModel& model, float width,
                               float height, WindowSearch& window);

 private:
  struct Part {
    int x, y, width, height;
  };
  // The best place in a part of plane_.
  MatchPlace best_in(const Part& part, MatchTemplate& pattern);
  // The best place of the region in some parts of plane_.
  std::optional<MatchPlace> best_of_region(std::span<const Part> parts, MatchTemplate& pattern);
  static std::array<Part, 4> parts_beside(const MatchPlace& place, const Part& part,
                                          const MatchTemplate& pattern);
  Part around_region(const MatchTemplate& pattern) const;
  bool counts(const MatchPlace& place, const MatchTemplate& pattern) const;
  float best_elsewhere(const MatchPlace& place, MatchTemplate& pattern);

  const TemplateConfig& config_;
  std::shared_ptr<Queue> queue_;
  SearchRegion region_;
  MatchScratch scratch_;
  Image reduced_;
  Plane plane_;
  Array<MatchFound> found_;
};

}  // namespace cltrack
