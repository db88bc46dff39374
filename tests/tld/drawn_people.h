// SPDX-License-Identifier: LGPL-2.1-or-later
// A frame on which people in shirts of some colour are drawn, what a detector finds there, and a
// target among them.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cltrack/tld_config.h"
#include "ops/patches/extract_patches.h"
#include "support/test_image.h"
#include "tld/frame_planes.h"
#include "tld/object_model.h"
#include "tld/target_model.h"
#include "tld/target_state.h"
#include "tld/target_view.h"

namespace cltrack::test {

inline constexpr std::uint32_t kRed = 0xc03030, kBlue = 0x3050c0, kGreen = 0x30a030;

class DrawnPeople {
 public:
  DrawnPeople() : pixels_(3 * kWidth * kHeight, 128) {
    planes.luma.borrow(luma_.view());
    planes.picture.space = ColorSpace::rgb;
    planes.picture.width = kWidth;
    planes.picture.height = kHeight;
    for (std::size_t c = 0; c < 3; ++c) {
      planes.picture.components[c] = {.data = pixels_.data() + c, .stride = 3 * kWidth, .step = 3};
    }
  }

  // The part of `box` that is in the picture. Luma is noise, whoever is there.
  void draw(const BoundingBox& box, std::uint32_t shirt) {
    const BoundingBox part = clip_to_frame(box, kWidth, kHeight);
    for (int y = static_cast<int>(part.y); y < static_cast<int>(part.bottom()); ++y) {
      const std::uint32_t color = static_cast<float>(y) < box.center_y() ? shirt : 0x303060;
      for (int x = static_cast<int>(part.x); x < static_cast<int>(part.right()); ++x) {
        for (int c = 0; c < 3; ++c) {
          pixels_[static_cast<std::size_t>(3 * (y * kWidth + x) + c)] =
              static_cast<std::uint8_t>(color >> (16 - 8 * c) & 255);
        }
      }
    }
  }

  FramePlanes planes;

 private:
  static constexpr int kWidth = 900, kHeight = 200;

  PaddedImage luma_ = noise_image(kWidth, kHeight, 1);
  std::vector<std::uint8_t> pixels_;
};

inline Detection detection(const BoundingBox& box, float relative, float conservative = 0) {
  Detection found;
  found.box = box;
  found.similarity.relative = relative;
  found.similarity.conservative = conservative;
  return found;
}

inline constexpr BoundingBox kHere = {100, 100, 40, 80}, kThere = {300, 100, 40, 80};

// A target of the size of kHere, with what decides about it.
class DrawnTarget : public testing::Test {
 protected:
  // It is what kHere shows, and not what kThere does.
  void learn_here() {
    const ImageView luma = people_.planes.luma.host_view();
    const std::vector<Patch> others = {vector::extract_patch(luma, kThere)};
    model_.patches.learn_patches(vector::extract_patch(luma, kHere), others, 0.65f, model_.random);
  }
  void put(const BoundingBox& box) {
    state_.put(box);
    state_.begin();
  }

  DrawnPeople people_;
  TldConfig config_;
  TargetModel model_{kHere.width, kHere.height, config_, 1};
  TargetState state_{config_};
  TargetView view_{config_, model_};
};

}  // namespace cltrack::test
