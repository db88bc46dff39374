// SPDX-License-Identifier: LGPL-2.1-or-later
#include "properties/target_settings.h"

#include <utility>

#include "cltrack/error.h"

namespace cltrack::gst {

void TargetSettings::set_initial(InitialBox which, unsigned value) {
  initial_[static_cast<std::size_t>(which)] = value;
  initial_set_ = true;
  changed_ = true;
}

void TargetSettings::check_count(std::size_t count) const {
  if (!most_) return;
  const std::size_t all = count + static_cast<std::size_t>(others_);
  if (all <= static_cast<std::size_t>(*most_)) return;
  throw Error(ErrorCode::invalid_argument,
              "targets: " + std::to_string(all) + " are set, but max-targets allows " +
                  std::to_string(*most_) +
                  ": set fewer, or set max-targets before the start; each target costs time on "
                  "every frame");
}

void TargetSettings::limit(int most, int others) {
  most_ = most;
  others_ = others;
  check_count(committed_.size());
}

void TargetSettings::set_targets(std::vector<Target> targets) {
  check_count(targets.size() + (initial_target() ? 1 : 0));
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
  auto first = initial_target();
  check_count(targets_.size() + (first ? 1 : 0));
  committed_ = targets_;
  if (first) committed_.insert(committed_.begin(), *std::move(first));
  ++generation_;
}

}  // namespace cltrack::gst
