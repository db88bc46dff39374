// SPDX-License-Identifier: LGPL-2.1-or-later
#include "match/template_devices.h"

#include <cstdint>
#include <string>
#include <vector>

#include "compute/device.h"
#include "core/error.h"
#include "core/log.h"
#include "match/template_tracker.h"

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
  stages_ = resolve(config.placement);
  std::erase_if(stages_, [](const PlacedStage& placed) { return placed.stage != Stage::match; });
  const DeviceInfo& info = stages_.front().device;
  if (info.type == DeviceType::host) return;
  device_ = Device::open(info);
  warm_ = std::async(std::launch::async, [config] {
    try {
      warm_up(config);
    } catch (const Error& error) {
      log(LogLevel::info, std::string("warming up: ") + error.what());
    }
  });
}

TemplateDevices::~TemplateDevices() = default;

void TemplateDevices::wait() const {
  if (warm_.valid()) warm_.wait();
}

}  // namespace cltrack
