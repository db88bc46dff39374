// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cltrack/color_devices.h"

#include <cstdint>
#include <vector>

#include "cltrack/color_tracker.h"
#include "compute/warm_device.h"

namespace cltrack {
namespace {

constexpr int kWidth = 160;
constexpr int kHeight = 120;

// PoCL compiles a kernel once more when it is first launched, so one small picture is looked at.
void warm_up(ColorConfig config) {
  config.threads = 1;
  const std::vector<std::uint8_t> black(3 * kWidth * kHeight);
  Frame frame;
  frame.color.space = ColorSpace::rgb;
  frame.color.width = kWidth;
  frame.color.height = kHeight;
  for (std::size_t c = 0; c < 3; ++c) {
    frame.color.components[c] = {
        .data = black.data() + c, .stride = 3 * kWidth, .step = 3, .shift_x = 0, .shift_y = 0};
  }
  const auto tracker = make_color_tracker(config);
  tracker->add_color(ColorModel(HsvRange{}));
  tracker->process(frame);
}

}  // namespace

ColorDevices::ColorDevices(const ColorConfig& config) {
  validate(config);
  device_ =
      std::make_unique<WarmDevice>(config.placement, Stage::color, [config] { warm_up(config); });
}

ColorDevices::~ColorDevices() = default;

const std::vector<PlacedStage>& ColorDevices::stages() const { return device_->stages(); }

void ColorDevices::wait() const { device_->wait(); }

}  // namespace cltrack
