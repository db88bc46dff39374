// SPDX-License-Identifier: LGPL-2.1-or-later
#include "match/frame_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "compute/scoped_borrow.h"
#include "ops/planes/area_resample.h"

namespace cltrack {

namespace {

constexpr float kLeastStep = 0.75f;  // pixels of the frame for one of the reduced frame

}  // namespace

void FrameSearch::place(std::shared_ptr<Queue> queue) {
  queue_ = std::move(queue);
  scratch_ = {};
  plane_ = {};
  found_ = {};
}

MatchPlace FrameSearch::best_place(const ImageView& picture, MatchTemplate& pattern) {
  const ScopedBorrow borrowed(plane_, picture);
  return best_in({0, 0, picture.width, picture.height}, pattern);
}

MatchPlace FrameSearch::best_in(const Part& part, MatchTemplate& pattern) {
  const PlaneLayout whole = plane_.layout;
  plane_.layout.offset += part.y * whole.stride + part.x;
  plane_.layout.width = part.width;
  plane_.layout.height = part.height;
  best_match(*queue_, plane_, pattern, scratch_, found_);
  plane_.layout = whole;
  found_.fetch();
  queue_->finish();
  MatchPlace place = match_place(found_.host_read().front(), pattern);
  place.x += part.x;
  place.y += part.y;
  return place;
}

// All places farther than half a template from `place` are in one of four parts: above, below, left
// or right of it.
float FrameSearch::best_elsewhere(const MatchPlace& place, MatchTemplate& pattern) {
  const int width = plane_.width(), height = plane_.height();
  const int left = place.x - pattern.width() / 2, right = place.x + pattern.width() / 2;
  const int top = place.y - pattern.height() / 2, bottom = place.y + pattern.height() / 2;
  // The patches of places up to `left` extend a template further.
  const std::array<Part, 4> parts = {{
      {0, 0, width, top + pattern.height() - 1},
      {0, bottom + 1, width, height - bottom - 1},
      {0, 0, left + pattern.width() - 1, height},
      {right + 1, 0, width - right - 1, height},
  }};
  float best = 0;
  for (const Part& part : parts) {
    if (part.width < pattern.width() || part.height < pattern.height()) continue;
    best = std::max(best, best_in(part, pattern).score);
  }
  return best;
}

std::optional<FoundBox> FrameSearch::find(const ImageView& picture, TemplateModel& model,
                                          float width, float height, WindowSearch& window) {
  std::optional<FoundBox> best;
  MatchTemplate& pattern = model.coarse().first;
  float size = 1;
  for (int i = 0; i < config_.lost_sizes; ++i) size /= config_.lost_scale_step;
  for (int i = -config_.lost_sizes; i <= config_.lost_sizes; ++i) {
    const float box_width = width * size, box_height = height * size;
    size *= config_.lost_scale_step;
    // An enlarged frame has no more information, and takes longer.
    if (i != 0 && box_width < kLeastStep * static_cast<float>(pattern.width())) continue;
    // Pixels of the frame for one of the reduced frame.
    const float step_x = box_width / static_cast<float>(pattern.width());
    const float step_y = box_height / static_cast<float>(pattern.height());
    const auto columns = static_cast<int>(std::lround(static_cast<float>(picture.width) / step_x));
    const auto rows = static_cast<int>(std::lround(static_cast<float>(picture.height) / step_y));
    if (columns < pattern.width() || rows < pattern.height()) continue;
    reduced_.resize(columns, rows);
    resample_area(picture,
                  {0, 0, static_cast<float>(columns) * step_x, static_cast<float>(rows) * step_y},
                  reduced_);
    const ScopedBorrow borrowed(plane_, reduced_.view());
    const MatchPlace place = best_in({0, 0, columns, rows}, pattern);
    FoundBox found = window.refine(picture, model,
                                   {static_cast<float>(place.x) * step_x,
                                    static_cast<float>(place.y) * step_y, box_width, box_height});
    if (!best || found.likeness.first > best->likeness.first) {
      if (found.likeness.first >= config_.found_again && place.score > 0) {
        found.second = std::clamp(best_elsewhere(place, pattern) / place.score, 0.0f, 1.0f);
      }
      best = found;
    }
  }
  return best;
}

}  // namespace cltrack
