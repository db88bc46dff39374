// SPDX-License-Identifier: LGPL-2.1-or-later
#include "match/frame_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "compute/array.h"
#include "ops/planes/area_resample.h"

namespace cltrack {

namespace {

constexpr float kLeastStep = 0.75f;  // pixels of the frame for one of the reduced frame
constexpr int kMostOutside = 16;     // places outside of the region, after which a search ends

}  // namespace

void FrameSearch::place(std::shared_ptr<Queue> queue) {
  queue_ = std::move(queue);
  scratch_ = {};
  plane_ = {};
  found_ = {};
}

std::optional<MatchPlace> FrameSearch::best_place(const ImageView& picture,
                                                  MatchTemplate& pattern) {
  const ScopedBorrow borrowed(plane_, picture);
  return best_of_region({{around_region(pattern)}}, pattern);
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

// A part without the places within half a template of `place`: above, below, left and right of it.
std::array<FrameSearch::Part, 4> FrameSearch::parts_beside(const MatchPlace& place,
                                                           const Part& part,
                                                           const MatchTemplate& pattern) {
  // Places are those of a template's upper left corner; what has them extends a template further.
  const auto part_of = [&](int left, int top, int right, int bottom) {
    return Part{left, top, right - left + pattern.width(), bottom - top + pattern.height()};
  };
  const int first_x = part.x, last_x = part.x + part.width - pattern.width();
  const int first_y = part.y, last_y = part.y + part.height - pattern.height();
  const int left = place.x - pattern.width() / 2, right = place.x + pattern.width() / 2;
  const int top = place.y - pattern.height() / 2, bottom = place.y + pattern.height() / 2;
  const int middle_top = std::max(first_y, top), middle_bottom = std::min(last_y, bottom);
  return {{part_of(first_x, first_y, last_x, top - 1), part_of(first_x, bottom + 1, last_x, last_y),
           part_of(first_x, middle_top, left - 1, middle_bottom),
           part_of(right + 1, middle_top, last_x, middle_bottom)}};
}

// The part that has all places whose centre may be within the region.
FrameSearch::Part FrameSearch::around_region(const MatchTemplate& pattern) const {
  const Part whole = {0, 0, plane_.width(), plane_.height()};
  if (region_.within.empty()) return whole;
  float left = 1, top = 1, right = 0, bottom = 0;
  for (const Polygon& polygon : region_.within) {
    for (const RelativePoint& point : polygon) {
      left = std::min(left, point.x);
      top = std::min(top, point.y);
      right = std::max(right, point.x);
      bottom = std::max(bottom, point.y);
    }
  }
  // In pixels, from `low` to `high` of all; half a template around it, and a pixel for rounding.
  // Polygons may reach far beyond the picture, centres of boxes do not.
  const auto reach = [](float low, float high, int all, int side) {
    const auto pixels = static_cast<float>(all);
    const int begin = static_cast<int>(std::floor(std::max(low, 0.0f) * pixels)) - side / 2 - 1;
    const int end = static_cast<int>(std::ceil(std::min(high, 1.0f) * pixels)) + (side + 1) / 2 + 1;
    return std::pair(std::clamp(begin, 0, all), std::clamp(end, 0, all));
  };
  const auto [x_begin, x_end] = reach(left, right, whole.width, pattern.width());
  const auto [y_begin, y_end] = reach(top, bottom, whole.height, pattern.height());
  return {x_begin, y_begin, x_end - x_begin, y_end - y_begin};
}

bool FrameSearch::counts(const MatchPlace& place, const MatchTemplate& pattern) const {
  const BoundingBox box = {static_cast<float>(place.x), static_cast<float>(place.y),
                           static_cast<float>(pattern.width()),
                           static_cast<float>(pattern.height())};
  return region_.contains(box, plane_.width(), plane_.height());
}

std::optional<MatchPlace> FrameSearch::best_of_region(std::span<const Part> parts,
                                                      MatchTemplate& pattern) {
  struct Best {
    Part part;
    MatchPlace place;
  };
  std::vector<Best> open;
  const auto look_at = [&](const Part& part) {
    if (part.width < pattern.width() || part.height < pattern.height()) return;
    open.push_back({part, best_in(part, pattern)});
  };
  std::ranges::for_each(parts, look_at);
  for (int outside = 0; !open.empty() && outside < kMostOutside; ++outside) {
    const auto next = std::ranges::max_element(open, std::less(),
                                               [](const Best& best) { return best.place.score; });
    const Best best = *next;
    if (counts(best.place, pattern)) return best.place;
    open.erase(next);
    std::ranges::for_each(parts_beside(best.place, best.part, pattern), look_at);
  }
  return std::nullopt;
}

// The best of the places farther than half a template from `place`.
float FrameSearch::best_elsewhere(const MatchPlace& place, MatchTemplate& pattern) {
  const auto best = best_of_region(parts_beside(place, around_region(pattern), pattern), pattern);
  return best ? std::max(best->score, 0.0f) : 0;
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
    const auto place = best_of_region({{around_region(pattern)}}, pattern);
    if (!place) continue;
    FoundBox found = window.refine(picture, model,
                                   {static_cast<float>(place->x) * step_x,
                                    static_cast<float>(place->y) * step_y, box_width, box_height});
    if (!best || found.likeness.first > best->likeness.first) {
      if (found.likeness.first >= config_.found_again && place->score > 0) {
        found.second = std::clamp(best_elsewhere(*place, pattern) / place->score, 0.0f, 1.0f);
      }
      best = found;
    }
  }
  return best;
}

}  // namespace cltrack
