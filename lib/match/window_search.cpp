// SPDX-License-Identifier: LGPL-2.1-or-later
#include "match/window_search.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/box_sizes.h"
#include "ops/planes/area_resample.h"

namespace cltrack {

std::vector<Peak> find_peaks(const ScoreMap& map, int count, int apart_x, int apart_y) {
  std::vector<Peak> peaks;
  const auto is_near = [&](int x, int y) {
    return std::any_of(peaks.begin(), peaks.end(), [&](const Peak& peak) {
      return std::abs(static_cast<int>(peak.x) - x) <= apart_x &&
             std::abs(static_cast<int>(peak.y) - y) <= apart_y;
    });
  };
  while (std::ssize(peaks) < count) {
    int best_x = -1, best_y = 0;
    float best = 0;
    for (int y = 0; y < map.height; ++y) {
      const float* row = map.row(y);
      for (int x = 0; x < map.width; ++x) {
        if ((best_x >= 0 && row[x] <= best) || is_near(x, y)) continue;
        best = row[x];
        best_x = x;
        best_y = y;
      }
    }
    if (best_x < 0) break;
    peaks.push_back({static_cast<float>(best_x), static_cast<float>(best_y), best});
  }
  return peaks;
}

Peak refined_peak(const ScoreMap& map) {
  Peak peak = find_peaks(map, 1, 0, 0).front();
  const int x = static_cast<int>(peak.x), y = static_cast<int>(peak.y);
  if (x == 0 || y == 0 || x + 1 == map.width || y + 1 == map.height) return peak;
  // s = a + b dx + c dy + d dx dy + e dx^2 + f dy^2 by least squares over the nine.
  float left = 0, right = 0, up = 0, down = 0, column = 0, line = 0;
  for (int i = -1; i <= 1; ++i) {
    left += map.at(x - 1, y + i);
    right += map.at(x + 1, y + i);
    up += map.at(x + i, y - 1);
    down += map.at(x + i, y + 1);
    column += map.at(x, y + i);
    line += map.at(x + i, y);
  }
  const float b = (right - left) / 6, c = (down - up) / 6;
  const float d =
      (map.at(x - 1, y - 1) + map.at(x + 1, y + 1) - map.at(x + 1, y - 1) - map.at(x - 1, y + 1)) /
      4;
  const float e = (left + right - 2 * column) / 6, f = (up + down - 2 * line) / 6;
  const float determinant = 4 * e * f - d * d;
  if (!(e < 0) || !(determinant > 0)) return peak;  // a ridge, or no top
  const float dx = (c * d - 2 * b * f) / determinant, dy = (b * d - 2 * c * e) / determinant;
  peak.x += std::clamp(dx, -0.5f, 0.5f);
  peak.y += std::clamp(dy, -0.5f, 0.5f);
  return peak;
}

namespace {

constexpr int kRefinedPeaks = 3;
constexpr float kOutside = -2;  // score of places that do not count

}  // namespace

// The mean score of the two templates.
void WindowSearch::score_places(TemplateLevel& level) {
  map_.resize(plane_.width() - level.width() + 1, plane_.height() - level.height() + 1);
  vector::match_map(plane_.view(), level.first, map_.scores.data(), map_.width);
  if (!level.running) return;
  running_map_.resize(map_.width, map_.height);
  vector::match_map(plane_.view(), *level.running, running_map_.scores.data(), map_.width);
  for (std::size_t i = 0; i < map_.scores.size(); ++i) {
    map_.scores[i] = 0.5f * (map_.scores[i] + running_map_.scores[i]);
  }
}

void WindowSearch::penalize_distance() {
  const float middle_x = 0.5f * static_cast<float>(map_.width - 1);
  const float middle_y = 0.5f * static_cast<float>(map_.height - 1);
  for (int y = 0; y < map_.height; ++y) {
    const float dy = (static_cast<float>(y) - middle_y) / std::max(middle_y, 1.0f);
    for (int x = 0; x < map_.width; ++x) {
      const float dx = (static_cast<float>(x) - middle_x) / std::max(middle_x, 1.0f);
      map_.row(y)[x] -= config_.far_penalty * 0.5f * (dx * dx + dy * dy);
    }
  }
}

std::optional<FoundBox> WindowSearch::find(const ImageView& picture, TemplateModel& model,
                                           const BoundingBox& expected, float reach_x,
                                           float reach_y) {
  TemplateLevel& level = model.coarse();
  const float step_x = expected.width / static_cast<float>(level.width());
  const float step_y = expected.height / static_cast<float>(level.height());
  const int places_x = std::max(1, static_cast<int>(std::ceil(reach_x / step_x)));
  const int places_y = std::max(1, static_cast<int>(std::ceil(reach_y / step_y)));
  plane_.resize(level.width() + 2 * places_x, level.height() + 2 * places_y);
  resample_area(picture,
                with_sides(expected, static_cast<float>(plane_.width()) * step_x,
                           static_cast<float>(plane_.height()) * step_y),
                plane_);
  score_places(level);
  penalize_distance();
  // Centres outside the picture.
  const auto width = static_cast<float>(picture.width), height = static_cast<float>(picture.height);
  for (int y = 0; y < map_.height; ++y) {
    const float center_y = expected.center_y() + static_cast<float>(y - places_y) * step_y;
    for (int x = 0; x < map_.width; ++x) {
      const float center_x = expected.center_x() + static_cast<float>(x - places_x) * step_x;
      const bool inside = center_x >= 0 && center_x < width && center_y >= 0 && center_y < height;
      if (!inside) map_.row(y)[x] = kOutside;
    }
  }
  const std::vector<Peak> peaks =
      find_peaks(map_, kRefinedPeaks, level.width() / 3, level.height() / 3);
  const float fine_step_x = expected.width / static_cast<float>(model.width());
  const float fine_step_y = expected.height / static_cast<float>(model.height());
  const int fine_x = static_cast<int>(std::ceil(step_x / fine_step_x)) + 1;
  const int fine_y = static_cast<int>(std::ceil(step_y / fine_step_y)) + 1;
  Place best;
  float best_penalized = kOutside;
  std::vector<Place> places;
  for (const Peak& peak : peaks) {
    if (peak.score <= kOutside) continue;
    const float x = expected.center_x() + (peak.x - static_cast<float>(places_x)) * step_x;
    const float y = expected.center_y() + (peak.y - static_cast<float>(places_y)) * step_y;
    const Place place = fine_place(
        picture, model, centred_box(x, y, expected.width, expected.height), fine_x, fine_y);
    places.push_back(place);
    const float dx = (place.box.x - expected.x) / reach_x;
    const float dy = (place.box.y - expected.y) / reach_y;
    const float penalized = place.score - config_.far_penalty * 0.5f * (dx * dx + dy * dy);
    if (penalized <= best_penalized) continue;
    best = place;
    best_penalized = penalized;
  }
  if (places.empty()) return std::nullopt;
  FoundBox found;
  for (const Place& place : places) {
    const bool elsewhere = std::abs(place.box.x - best.box.x) > 0.5f * expected.width ||
                           std::abs(place.box.y - best.box.y) > 0.5f * expected.height;
    if (elsewhere && best.score > 0)
      found.second = std::max(found.second, place.score / best.score);
  }
  found.box = best_size(picture, model, best).box;
  found.likeness = model.compare(patch_at(picture, model, found.box).view());
  return found;
}

WindowSearch::Place WindowSearch::fine_place(const ImageView& picture, TemplateModel& model,
                                             const BoundingBox& near, int reach_x, int reach_y) {
  TemplateLevel& level = model.fine();
  const float step_x = near.width / static_cast<float>(level.width());
  const float step_y = near.height / static_cast<float>(level.height());
  plane_.resize(level.width() + 2 * reach_x, level.height() + 2 * reach_y);
  resample_area(picture,
                with_sides(near, static_cast<float>(plane_.width()) * step_x,
                           static_cast<float>(plane_.height()) * step_y),
                plane_);
  score_places(level);
  const Peak peak = refined_peak(map_);
  return {{near.x + (peak.x - static_cast<float>(reach_x)) * step_x,
           near.y + (peak.y - static_cast<float>(reach_y)) * step_y, near.width, near.height},
          peak.score};
}

// The top of the parabola through the scores at three sizes, each at its own best place.
WindowSearch::Place WindowSearch::best_size(const ImageView& picture, TemplateModel& model,
                                            const Place& place) {
  const float step = config_.scale_step;
  if (!(step > 1)) return place;
  const Place smaller = fine_place(picture, model, scaled(place.box, 1 / step), 2, 2);
  const Place larger = fine_place(picture, model, scaled(place.box, step), 2, 2);
  float exponent = 0;
  const Place* best = &place;
  const float least = place.score + config_.scale_penalty;
  if (smaller.score > least && smaller.score >= larger.score) {
    best = &smaller;
    exponent = -1;
  } else if (larger.score > least) {
    best = &larger;
    exponent = 1;
  }
  const float change = 1 + std::abs(exponent) * (step - 1);
  const float size = exponent < 0 ? 1 / change : change;
  return {centred_box(best->box.center_x(), best->box.center_y(), place.box.width * size,
                      place.box.height * size),
          best->score};
}

FoundBox WindowSearch::refine(const ImageView& picture, TemplateModel& model,
                              const BoundingBox& coarse) {
  const TemplateLevel& level = model.coarse();
  const int reach_x = (model.width() + level.width() - 1) / level.width() + 1;
  const int reach_y = (model.height() + level.height() - 1) / level.height() + 1;
  FoundBox found;
  Place place = fine_place(picture, model, coarse, reach_x, reach_y);
  place = best_size(picture, model, place);
  found.box = best_size(picture, model, place).box;
  found.likeness = model.compare(patch_at(picture, model, found.box).view());
  return found;
}

const Image& WindowSearch::patch_at(const ImageView& picture, const TemplateModel& model,
                                    const BoundingBox& box) {
  patch_.resize(model.width(), model.height());
  resample_area(picture, box, patch_);
  return patch_;
}

}  // namespace cltrack
