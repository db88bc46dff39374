// SPDX-License-Identifier: LGPL-2.1-or-later
// Textured objects over a textured background, in grey or in colour, and what a tracker does with a
// correlation filter on them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "cltrack/frame.h"
#include "motion/correlation_filter.h"
#include "support/color_image.h"
#include "support/test_image.h"

namespace cltrack::test {

// An object's texture, and colour, are those of its number in `objects`; later ones are in front.
class FilterPicture {
 public:
  FilterPicture(std::span<const BoundingBox> objects, ColorSpace space, int width = 160,
                int height = 120)
      : luma_(width, height, 3) {
    if (space != ColorSpace::none) {
      const char* const name = space == ColorSpace::rgb ? "RGB" : "NV12";
      color_ = std::make_unique<ColorImage>(color_format(name), width, height, 5);
    }
    std::vector<Texture> textures;
    for (std::size_t i = 0; i <= objects.size(); ++i) textures.emplace_back(11 + 7 * i);
    luma_.fill([&](int x, int y) {
      const float px = static_cast<float>(x) + 0.5f, py = static_cast<float>(y) + 0.5f;
      std::size_t in_front = 0;
      float value = 60 + 0.5f * textures[0].at(0.6f * px, 0.6f * py);
      for (std::size_t i = 0; i < objects.size(); ++i) {
        const BoundingBox& box = objects[i];
        if (px < box.x || px >= box.right() || py < box.y || py >= box.bottom()) continue;
        in_front = i + 1;
        value = textures[i + 1].at((px - box.x) * 40 / box.width, (py - box.y) * 40 / box.height);
      }
      const auto grey = static_cast<std::uint8_t>(std::lround(value));
      if (color_) paint(x, y, grey, static_cast<int>(in_front));
      return grey;
    });
  }

  Frame frame() const {
    return {.luma = luma_.view(), .color = color_ ? color_->picture() : ColorPicture{}};
  }

 private:
  void paint(int x, int y, std::uint8_t grey, int object) {
    color_->at(0, x, y) = grey;
    color_->at(1, x, y) = static_cast<std::uint8_t>(120 + 23 * object + grey / 32);
    color_->at(2, x, y) = static_cast<std::uint8_t>(140 - 19 * object + grey / 32);
  }

  PaddedImage luma_;
  std::unique_ptr<ColorImage> color_;
};

// Asks for all targets on each frame, and teaches those that were found.
class FilterRun {
 public:
  explicit FilterRun(std::shared_ptr<Queue> queue) : filter({}, std::move(queue)) {}

  // Of the targets that were there before.
  std::vector<std::optional<Motion>> show(const FilterPicture& picture,
                                          std::span<const MotionTarget> added = {}) {
    std::vector<MotionTarget> targets = all();
    const Frame frame = picture.frame();
    luma.borrow(frame.luma);
    filter.begin(frame, luma, targets);
    filter.estimate(targets);
    const auto moved = filter.collect(*host);
    std::vector<MotionTarget> found;
    for (std::size_t i = 0; i < targets.size(); ++i) {
      if (moved[i]) found.push_back({targets[i].id, moved[i]->box});
    }
    filter.learn(found);
    for (const MotionTarget& target : added) filter.start(target);
    filter.end();
    luma.release();
    for (const MotionTarget& target : found) boxes[target.id] = target.box;
    for (const MotionTarget& target : added) boxes[target.id] = target.box;
    return moved;
  }

  void remove(std::uint64_t id) {
    filter.remove(id);
    boxes.erase(id);
  }

  // As of the latest frame on which they were found.
  std::vector<MotionTarget> all() const {
    std::vector<MotionTarget> targets;
    for (const auto& [id, box] : boxes) targets.push_back({id, box});
    return targets;
  }

  CorrelationFilter filter;
  std::map<std::uint64_t, BoundingBox> boxes;
  Plane luma;
  std::shared_ptr<Queue> host = Device::host()->make_queue();
};

}  // namespace cltrack::test
