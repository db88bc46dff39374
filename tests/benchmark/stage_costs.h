// SPDX-License-Identifier: LGPL-2.1-or-later
// What a tracker's statistics say of its stages.
#pragma once

#include <map>
#include <string>

#include "cltrack/tracker.h"

namespace cltrack::accuracy {

// Sums over all frames: milliseconds of each stage; bytes moved and waits of all of them.
inline std::map<std::string, double> stage_costs(const TrackerStats& stats) {
  std::map<std::string, double> costs;
  const auto add = [&costs](const auto& stage) {
    costs["stage_" + stage.name + "_ms"] += stage.total_ms;
    if constexpr (requires { stage.bytes_up; }) {
      costs["bytes_up"] += static_cast<double>(stage.bytes_up);
      costs["bytes_down"] += static_cast<double>(stage.bytes_down);
      costs["waits"] += static_cast<double>(stage.waits);
    }
  };
  for (const StageStats& stage : stats.stages) add(stage);
  return costs;
}

// "motion@0.0 ferns@host ...": where the stages ran last; empty if the statistics do not say.
inline std::string stage_devices(const TrackerStats& stats) {
  std::string text;
  const auto add = [&text](const auto& stage) {
    if constexpr (requires { stage.device; }) {
      if (!text.empty()) text += ' ';
      text += stage.name;
      text += '@';
      text += stage.device;
    }
  };
  for (const StageStats& stage : stats.stages) add(stage);
  return text;
}

}  // namespace cltrack::accuracy
