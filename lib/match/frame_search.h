// SPDX-License-Identifier: LGPL-2.1-or-later
// Looks for templates in whole frames, on the device of the stage `match`.
#pragma once

#include <memory>
#include <optional>

#include "cltrack/bounding_box.h"
#include "cltrack/image_view.h"
#include "cltrack/template_config.h"
#include "compute/array.h"
#include "compute/plane.h"
#include "compute/queue.h"
#include "core/thread_pool.h"
#include "match/template_model.h"
#include "match/window_search.h"
#include "ops/match/match_template.h"

namespace cltrack {

// Threading: one thread at a time.
class FrameSearch {
 public:
  // All but the config is shared, `pool` must outlive this.
  FrameSearch(const TemplateConfig& config, std::shared_ptr<Queue> queue, ThreadPool& pool)
      : config_(config), queue_(std::move(queue)), pool_(pool) {}

  // Searches are done on that queue from now on.
  void place(std::shared_ptr<Queue> queue);

  // The exact best place of a template in the picture as it is.
  MatchPlace best_place(const ImageView& picture, MatchTemplate& pattern);

  // The box that looks most like the model's first template, of about the size `width` x `height`:
  // at the coarse resolution all places of some sizes (TemplateConfig::lost_sizes), the best of
  // each refined by `window`. Nothing if the template is larger than the picture at all of them.
  std::optional<FoundBox> find(const ImageView& picture, TemplateModel& model, float width,
                               float height, WindowSearch& window);

 private:
  struct Part {
    int x, y, width, height;
  };
  // The best place in a part of plane_.
  MatchPlace best_in(const Part& part, MatchTemplate& pattern);
  float best_elsewhere(const MatchPlace& place, MatchTemplate& pattern);

  const TemplateConfig& config_;
  std::shared_ptr<Queue> queue_;
  ThreadPool& pool_;
  MatchScratch scratch_;
  Image reduced_;
  Plane plane_;
  Array<MatchFound> found_;
};

}  // namespace cltrack
