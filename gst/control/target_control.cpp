// SPDX-License-Identifier: LGPL-2.1-or-later
#include "control/target_control.h"

#include <cmath>
#include <sstream>
#include <utility>

#include "cltrack/error.h"
#include "cltrack/tracker.h"

namespace cltrack::gst {
namespace {

void check_place(const TargetPlace& place) {
  const BoundingBox& box = place.box;
  const bool in_pixels = place.units == BoxUnits::pixels;
  const bool is_finite = std::isfinite(box.x) && std::isfinite(box.y) && box.is_valid();
  const bool is_large = std::min(box.width, box.height) >= kMinimumBoxSide;
  if (is_finite && (is_large || !in_pixels)) return;
  std::ostringstream text;
  text << "box x=" << box.x << " y=" << box.y << " width=" << box.width << " height=" << box.height
       << " cannot be a target; allowed: finite numbers, width and height ";
  if (in_pixels) {
    text << "of at least " << kMinimumBoxSide << " pixels";
  } else {
    text << "greater than 0, in parts of the frame's";
  }
  throw Error(ErrorCode::invalid_argument, text.str());
}

}  // namespace

void TargetControl::limit(std::optional<int> most) {
  const std::lock_guard lock(mutex_);
  most_ = most;
}

std::uint64_t TargetControl::add(const TargetLooks& looks, const std::string& label,
                                 const Asker& asker) {
  if (!looks.color && !looks.model) check_place(looks.place);
  const std::lock_guard lock(mutex_);
  if (most_ && targets_.size() >= static_cast<std::size_t>(*most_)) {
    throw Error(ErrorCode::invalid_argument,
                "there are " + std::to_string(targets_.size()) + " targets already, and " +
                    std::to_string(*most_) +
                    " are allowed: remove one first; cltracker's max-targets, set before the "
                    "start, allows more");
  }
  const std::uint64_t id = ++last_id_;
  commands_.push_back({TargetCommand::Action::add, id, looks, label, asker});
  targets_.insert(id);
  return id;
}

void TargetControl::check_known(std::uint64_t id) const {
  if (targets_.contains(id)) return;
  throw Error(ErrorCode::invalid_argument,
              "there is no target with the id " + std::to_string(id) +
                  "; ids are in the metadata, in messages, and what adding a target returns");
}

void TargetControl::move(std::uint64_t id, const TargetPlace& place, const Asker& asker) {
  check_place(place);
  const std::lock_guard lock(mutex_);
  check_known(id);
  commands_.push_back({TargetCommand::Action::move, id, {place}, {}, asker});
}

void TargetControl::remove(std::uint64_t id, const Asker& asker) {
  const std::lock_guard lock(mutex_);
  check_known(id);
  targets_.erase(id);
  commands_.push_back({.action = TargetCommand::Action::remove, .id = id, .asker = asker});
}

void TargetControl::clear(const Asker& asker) {
  const std::lock_guard lock(mutex_);
  for (const std::uint64_t id : targets_) {
    commands_.push_back({.action = TargetCommand::Action::remove, .id = id, .asker = asker});
  }
  targets_.clear();
}

bool TargetControl::has(std::uint64_t id) const {
  const std::lock_guard lock(mutex_);
  return targets_.contains(id);
}

std::vector<TargetCommand> TargetControl::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(commands_, {});
}

std::uint64_t TargetControl::new_target() {
  const std::lock_guard lock(mutex_);
  targets_.insert(++last_id_);
  return last_id_;
}

std::uint64_t TargetControl::new_object() {
  const std::lock_guard lock(mutex_);
  return ++last_id_;
}

void TargetControl::release(std::uint64_t id) {
  const std::lock_guard lock(mutex_);
  targets_.erase(id);
}

void TargetControl::reset() {
  const std::lock_guard lock(mutex_);
  commands_.clear();
  targets_.clear();
  last_id_ = 0;
}

}  // namespace cltrack::gst
