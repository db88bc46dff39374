// SPDX-License-Identifier: LGPL-2.1-or-later
// Parameters of tracks from detections. detection_fields() has the ranges.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cltrack/config_field.h"
#include "cltrack/export.h"
#include "cltrack/search_region.h"

namespace cltrack {

enum class DetectionUse {
  ignore,             // detections are not looked at
  start,              // a detection that is on no track starts one
  start_and_correct,  // and puts tracks where they are detected
  when_lost,          // and lost tracks alone
};

struct DetectionConfig {
  DetectionUse use = DetectionUse::start_and_correct;
  std::vector<std::string> types = {};  // labels that count; empty: all
  float least_confidence = 0;           // of detections that count
  // A track that a detection has started ends after so long without one while the detector runs, in
  // ns, as Frame::pts; 0: never.
  std::uint64_t timeout = 5'000'000'000;
  // Rounds (frames on which the detector has run) that have to confirm a track before it is
  // reported; 0: two that are 0.15 s apart, or one if the detector runs less than once a second.
  int hits = 0;
  SearchRegion region = {};  // where detections count, and what they have started is reported
};

// Name, range, unit and description of each parameter that is a number within a range.
CLTRACK_API std::span<const ConfigField<DetectionConfig>> detection_fields();

// Throws Error{invalid_argument}: the message names the field, its value and what is allowed.
CLTRACK_API void validate(const DetectionConfig& config);

}  // namespace cltrack
