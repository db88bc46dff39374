// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cltrack/template_devices.h"

#include <cstdint>
#include <vector>

#include "cltrack/template_tracker.h"
#include "compute/warm_device.h"

namespace cltrack {
namespace {

constexpr int kSide = 128;

// PoCL compiles a kernel once more when it is first launched, so one small picture is searched.
void warm_up(TemplateConfig config) {
  config.threads = 1;
  config.search = TemplateSearch::frame;
  Image picture(kSide, kSide);
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) picture.row(y)[x] = static_cast<std::uint8_t>(x * y);
  }
  const auto tracker = make_template_tracker(config);
  tracker->add_template({picture.row(0), kSide / 4, kSide / 4, kSide});
  tracker->process({.luma = picture.view()});
}

}  // namespace

TemplateDevices::TemplateDevices(const TemplateConfig& config) {
  validate(config);
  device_ =
      std::make_unique<WarmDevice>(config.placement, Stage::match, [config] { warm_up(config); });
}

TemplateDevices::~TemplateDevices() = default;

const std::vector<PlacedStage>& TemplateDevices::stages() const { return device_->stages(); }

void TemplateDevices::wait() const { device_->wait(); }

}  // namespace cltrack
