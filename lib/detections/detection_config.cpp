// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cltrack/detection_config.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/config_check.h"

namespace cltrack {
namespace {

using Field = ConfigField<DetectionConfig>;
using D = DetectionConfig;

template <auto... Members>
constexpr auto at = field_at<DetectionConfig, Members...>;

constexpr std::array kFields{
    Field{"least_confidence", at<&D::least_confidence>, 0, 1, "",
          "Least confidence of a detection that counts"},
    Field{"hits", at<&D::hits>, 0, 1000, "",
          "Detections that a track needs before it is reported; 0: two, at least 0.15 s apart, or "
          "one if the detector runs less than about once a second"},
};

bool is_finite(const Polygon& polygon) {
  return std::ranges::all_of(polygon, [](const RelativePoint& point) {
    return std::isfinite(point.x) && std::isfinite(point.y);
  });
}

}  // namespace

std::span<const ConfigField<DetectionConfig>> detection_fields() { return kFields; }

void validate(const DetectionConfig& config) {
  check_config(config, detection_fields(), "detections");
  if (config.use < DetectionUse::ignore || config.use > DetectionUse::when_lost) {
    throw Error(ErrorCode::invalid_argument,
                "detections: use is " + std::to_string(static_cast<int>(config.use)) +
                    "; allowed: ignore, start, start_and_correct, when_lost");
  }
  if (!std::ranges::all_of(config.region.within, is_finite) ||
      !std::ranges::all_of(config.region.ignored, is_finite)) {
    throw Error(ErrorCode::invalid_argument,
                "detections: region has a corner that is not finite; allowed: parts of the frame's "
                "width and height, 0 to 1");
  }
}

}  // namespace cltrack
