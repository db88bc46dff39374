// SPDX-License-Identifier: LGPL-2.1-or-later
#include "match/template_stages.h"

#include <cstdint>

#include "core/config_check.h"
#include "core/interruption.h"
#include "match/frame_search.h"
#include "match/template_target.h"
#include "ops/match/best_match.h"
#include "placement/placed_devices.h"

namespace cltrack {
namespace {

constexpr int kSide = 128;

void warm_up(const TemplateConfig& config, const std::vector<PlacedStage>& placement,
             const std::stop_token& stop) {
  throw_if_stopped(stop);
  const PlacedDevices devices(placement, Device::host()->make_queue());
  FrameSearch search(config, devices.shared_queue(0));
  Image picture(kSide, kSide);
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) picture.row(y)[x] = static_cast<std::uint8_t>(x * y);
  }
  FixedTarget target(picture.view(), {0, 0, kSide / 4, kSide / 4}, false, config);
  target.search_frame(picture.view(), search);
}

}  // namespace

TrackerKind template_kind(const TemplateConfig& config) {
  return {.name = kTemplateName,
          .stages = kTemplateStages,
          .settings = field_settings(config, template_fields()),
          .programs = [](std::size_t, const Device& device) { return match_programs(device); },
          .warm_up = [config](const std::vector<PlacedStage>& placement,
                              const std::stop_token& stop) { warm_up(config, placement, stop); }};
}

}  // namespace cltrack
