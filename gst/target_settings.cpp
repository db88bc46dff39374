// SPDX-License-Identifier: LGPL-2.1-or-later
#include "target_settings.h"

#include <utility>

namespace cltrack::gst {

void TargetSettings::set_initial(InitialBox which, unsigned value) {
  initial_[static_cast<std::size_t>(which)] = value;
  initial_set_ = true;
  changed_ = true;
}

void TargetSettings::set_targets(std::vector<Target> targets) {
  targets_ = std::move(targets);
  changed_ = true;
}

std::optional<Target> TargetSettings::initial_target() const {
  if (!initial_set_ || initial_ == decltype(initial_){}) return std::nullopt;
  return Target{{static_cast<float>(initial_[0]), static_cast<float>(initial_[1]),
                 static_cast<float>(initial_[2]), static_cast<float>(initial_[3])},
                {}};
}

void TargetSettings::commit() {
  if (!changed_) return;
  changed_ = false;
  committed_ = targets_;
  if (auto first = initial_target()) committed_.insert(committed_.begin(), *std::move(first));
  ++generation_;
}

}  // namespace cltrack::gst
