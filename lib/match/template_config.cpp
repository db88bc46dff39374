// SPDX-License-Identifier: LGPL-2.1-or-later
#include "match/template_config.h"

#include <sstream>

#include "core/error.h"

namespace cltrack {
namespace {

template <typename T>
void check(const char* name, T value, T low, T high) {
  if (value >= low && value <= high) return;  // false for NaN
  std::ostringstream message;
  message << "template matching: " << name << " is " << value << "; allowed: " << low << " to "
          << high;
  throw Error(ErrorCode::invalid_argument, message.str());
}

}  // namespace

void validate(const TemplateConfig& config) {
  check("threads", config.threads, 1, 64);
  check("coarse_side", config.coarse_side, 8, 64);
  check("fine_side", config.fine_side, 8, 256);
  check("window", config.window, 0.1f, 10.0f);
  check("window_growth", config.window_growth, 0.0f, 10.0f);
  check("far_penalty", config.far_penalty, 0.0f, 1.0f);
  check("scale_step", config.scale_step, 1.0f, 1.5f);
  check("scale_penalty", config.scale_penalty, 0.0f, 1.0f);
  check("largest_change", config.largest_change, 1.0f, 100.0f);
  check("threshold", config.threshold, -1.0f, 1.0f);
  check("uncertain", config.uncertain, -1.0f, config.threshold);
  check("usual_share", config.usual_share, 0.0f, 1.0f);
  check("patience", config.patience, 0, 1000000);
  check("found_again", config.found_again, -1.0f, 1.0f);
  check("second_peak", config.second_peak, 0.0f, 1.0f);
  check("certain", config.certain, -1.0f, 1.0f);
  check("lost_sizes", config.lost_sizes, 0, 4);
  check("lost_scale_step", config.lost_scale_step, 1.01f, 2.0f);
  check("update_rate", config.update_rate, 0.0f, 1.0f);
  check("learn_threshold", config.learn_threshold, -1.0f, 1.0f);
}

}  // namespace cltrack
