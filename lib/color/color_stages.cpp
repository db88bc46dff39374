// SPDX-License-Identifier: LGPL-2.1-or-later
#include "color/color_stages.h"

#include <array>
#include <cstdint>

#include "cltrack/color_model.h"
#include "color/color_finder.h"
#include "color/color_model.h"
#include "core/config_check.h"
#include "core/interruption.h"
#include "placement/placed_devices.h"

namespace cltrack {
namespace {

constexpr int kWidth = 160;
constexpr int kHeight = 120;

std::vector<ProgramName> programs_of(const ColorConfig& config) {
  if (config.blobs > 0) return {{"color_labels", ""}};
  if (config.trail > 0) return {{"color_sums", ""}, {"color_history", ""}};
  return {{"color_sums", ""}};
}

void warm_up(const ColorConfig& config, const std::vector<PlacedStage>& placement,
             const std::stop_token& stop) {
  throw_if_stopped(stop);
  const std::vector<std::uint8_t> black(3 * kWidth * kHeight);
  ColorPicture picture;
  picture.space = ColorSpace::rgb;
  picture.width = kWidth;
  picture.height = kHeight;
  for (std::size_t c = 0; c < 3; ++c) {
    picture.components[c] = {
        .data = black.data() + c, .stride = 3 * kWidth, .step = 3, .shift_x = 0, .shift_y = 0};
  }
  const std::shared_ptr<Queue> host = Device::host()->make_queue();
  const PlacedDevices devices(placement, host);
  ColorFinder finder(devices.shared_queue(0), host);
  const std::array any = {ColorModel(HsvRange{})};
  finder.set_table(make_color_table(any, picture.space, picture.encoding), 1);
  finder.keep_history(1, config.trail);
  std::vector<ColorBlob> blobs;
  if (config.blobs == 0) {
    finder.find_objects(picture, 1, blobs);
  } else {
    finder.find_blobs(picture, 1, blobs);
  }
}

}  // namespace

TrackerKind color_kind(const ColorConfig& config) {
  return {.name = kColorName,
          .stages = kColorStages,
          .settings = field_settings(config, color_fields()),
          .programs = [config](std::size_t, const Device&) { return programs_of(config); },
          .warm_up = [config](const std::vector<PlacedStage>& placement,
                              const std::stop_token& stop) { warm_up(config, placement, stop); }};
}

}  // namespace cltrack
