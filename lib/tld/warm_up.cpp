// SPDX-License-Identifier: LGPL-2.1-or-later
#include <algorithm>
#include <array>

#include "core/random.h"
#include "tld/frame_steps.h"
#include "tld/tld_stages.h"

namespace cltrack {
namespace {

constexpr int kWidth = 160;
constexpr int kHeight = 120;
// The first frame teaches; the second is found again, compared and learnt from; a third uses what
// was learnt there.
constexpr int kFrames = 3;

// Noise in blocks, so that something of it is left after blurring.
Image noise() {
  constexpr int kBlock = 4;
  Random random(1);
  std::array<std::uint8_t, (kWidth / kBlock) * (kHeight / kBlock)> blocks;
  for (std::uint8_t& block : blocks) block = static_cast<std::uint8_t>(random.below(256));
  Image image(kWidth, kHeight);
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      image.row(y)[x] =
          blocks[static_cast<std::size_t>(y / kBlock * (kWidth / kBlock) + x / kBlock)];
    }
  }
  return image;
}

}  // namespace

// Follows a target through a few made-up frames. Takes some milliseconds when all is compiled.
void warm_up(const TldConfig& config, const std::vector<PlacedStage>& placement,
             const std::stop_token& stop) {
  TldConfig small = config;
  small.threads = 1;
  // Few windows, that pass as before: what is compiled is the same.
  small.scales_each_way = std::min(config.scales_each_way, 1);
  small.first_warps.warps = 1;
  const Image image = noise();
  const Frame frame{.luma = image.view(), .stop = stop};

  FrameSteps steps(small, placement);
  std::unique_ptr<Target> target;
  for (int i = 0; i < kFrames; ++i) {
    std::array<Target*, 1> one = {target.get()};
    const FrameSteps::Targets targets = target ? FrameSteps::Targets(one) : FrameSteps::Targets();
    steps.begin(frame, targets, true);
    steps.find(targets);
    steps.decide(targets, true);
    if (!target) target = steps.start(1, {60, 40, 40, 40});
    steps.end();
  }
}

}  // namespace cltrack
