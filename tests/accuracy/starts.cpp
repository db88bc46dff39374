// SPDX-License-Identifier: LGPL-2.1-or-later
#include "starts.h"

namespace cltrack::accuracy {
namespace {

constexpr float kShift = 0.1f;  // of the box's width and height

struct Shift {
  const char* name;
  int x;
  int y;
};

constexpr Shift kShifts[] = {{"left", -1, 0},      {"right", 1, 0},     {"up", 0, -1},
                             {"down", 0, 1},       {"left-up", -1, -1}, {"right-up", 1, -1},
                             {"left-down", -1, 1}, {"right-down", 1, 1}};

struct Scale {
  const char* name;
  float factor;
};

constexpr Scale kScales[] = {{"x0.8", 0.8f}, {"x0.9", 0.9f}, {"x1.1", 1.1f}, {"x1.2", 1.2f}};

BoundingBox shifted_by(const BoundingBox& box, const Shift& shift) {
  return {box.x + static_cast<float>(shift.x) * kShift * box.width,
          box.y + static_cast<float>(shift.y) * kShift * box.height, box.width, box.height};
}

BoundingBox scaled_by(const BoundingBox& box, float factor) {
  const float width = factor * box.width;
  const float height = factor * box.height;
  return {box.center_x() - 0.5f * width, box.center_y() - 0.5f * height, width, height};
}

}  // namespace

std::vector<Start> starts_of(const Sequence& sequence, const StartOptions& options) {
  std::vector<Start> given{{kGivenStart, sequence.first_box}};
  const std::size_t frames = sequence.truth.size();
  for (std::size_t i = options.every; options.every > 0 && i + options.every <= frames;
       i += options.every) {
    if (given.size() == options.most) break;
    if (sequence.truth[i]) given.push_back({kGivenStart, *sequence.truth[i], i});
  }
  if (!options.shifted) return given;
  std::vector<Start> starts;
  for (const Start& start : given) {
    const auto& [name, box, frame] = start;
    starts.push_back(start);
    for (const Shift& by : kShifts) starts.push_back({by.name, shifted_by(box, by), frame});
    for (const Scale& by : kScales) starts.push_back({by.name, scaled_by(box, by.factor), frame});
  }
  return starts;
}

}  // namespace cltrack::accuracy
