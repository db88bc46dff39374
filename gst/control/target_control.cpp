// SPDX-License-Identifier: LGPL-2.1-or-later
#include "control/target_control.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "cltrack/error.h"
#include "cltrack/tracker.h"
#include "core/target_table.h"

namespace cltrack::gst {

const char* to_string(CommandSource source) {
  switch (source) {
    case CommandSource::signal:
      return "signal";
    case CommandSource::event:
      return "event";
    case CommandSource::property:
      return "property";
    case CommandSource::metadata:
      return "metadata";
    case CommandSource::navigation:
      return "navigation";
  }
  return "";
}

const char* to_string(TargetChange::Action action) {
  switch (action) {
    case TargetChange::Action::added:
      return "added";
    case TargetChange::Action::moved:
      return "moved";
    case TargetChange::Action::removed:
      return "removed";
    case TargetChange::Action::refused:
      return "refused";
    case TargetChange::Action::chosen:
      return "chosen";
  }
  return "";
}

BoundingBox TargetPlace::in_pixels(int width, int height) const {
  if (units == BoxUnits::pixels) return box;
  const auto w = static_cast<float>(width), h = static_cast<float>(height);
  return {box.x * w, box.y * h, box.width * w, box.height * h};
}

namespace {

// How many pixels a part of a picture has is known with the picture.
void check_place(const TargetPlace& place) {
  place.units == BoxUnits::pixels ? check_box(place.box) : check_valid(place.box);
}

}  // namespace

void TargetControl::limit(std::optional<int> most) {
  const std::lock_guard lock(mutex_);
  most_ = most;
}

std::uint64_t TargetControl::add(const TargetSeed& seed, const std::string& label,
                                 const CommandOrigin& origin) {
  if (!seed.color && !seed.model) check_place(seed.place);
  const std::lock_guard lock(mutex_);
  if (most_ && targets_.size() >= static_cast<std::size_t>(*most_)) {
    throw Error(ErrorCode::invalid_argument,
                "there are " + std::to_string(targets_.size()) + " targets already, and " +
                    std::to_string(*most_) +
                    " are allowed: remove one first; cltracker's max-targets, set before the "
                    "start, allows more");
  }
  const std::uint64_t id = ++last_id_;
  commands_.push_back({TargetCommand::Action::add, id, seed, label, origin});
  targets_.insert(id);
  return id;
}

void TargetControl::check_known(std::uint64_t id) const {
  if (targets_.contains(id)) return;
  throw Error(ErrorCode::invalid_argument,
              "there is no target with the id " + std::to_string(id) +
                  "; ids are in the metadata, in messages, and what adding a target returns");
}

void TargetControl::move(std::uint64_t id, const TargetPlace& place, const CommandOrigin& origin) {
  check_place(place);
  const std::lock_guard lock(mutex_);
  check_known(id);
  commands_.push_back({TargetCommand::Action::move, id, {place}, {}, origin});
}

void TargetControl::remove(std::uint64_t id, const CommandOrigin& origin) {
  const std::lock_guard lock(mutex_);
  check_known(id);
  targets_.erase(id);
  commands_.push_back({.action = TargetCommand::Action::remove, .id = id, .origin = origin});
}

void TargetControl::clear(const CommandOrigin& origin) {
  const std::lock_guard lock(mutex_);
  for (const std::uint64_t id : targets_) {
    commands_.push_back({.action = TargetCommand::Action::remove, .id = id, .origin = origin});
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

namespace {

bool is_inside(const BoundingBox& box, int width, int height) {
  return box.x >= 0 && box.y >= 0 && box.right() <= static_cast<float>(width) &&
         box.bottom() <= static_cast<float>(height);
}

std::string describe_clipping(const BoundingBox& box, const BoundingBox& inside, int width,
                              int height) {
  const auto write = [](std::ostringstream& out, const BoundingBox& b) {
    out << "x=" << b.x << " y=" << b.y << " width=" << b.width << " height=" << b.height;
  };
  std::ostringstream text;
  text << "target ";
  write(text, box);
  text << " extends beyond the frame of " << width << "x" << height << " pixels: clipped to ";
  write(text, inside);
  return text.str();
}

}  // namespace

BoundingBox clip_with_warning(const BoundingBox& box, int width, int height,
                              std::vector<std::string>& warnings) {
  const BoundingBox inside = clip_target(box, width, height);
  if (is_inside(box, width, height)) return box;
  warnings.push_back(describe_clipping(box, inside, width, height));
  return inside;
}

namespace {

const CommandOrigin kDetector{.source = CommandSource::metadata};

}  // namespace

void TargetSet::begin(Tracker& tracker, bool uses_color) {
  tracker_ = &tracker;
  tracker_->set_id_source([this] { return control_.new_object(); });
  uses_color_ = uses_color;
}

void TargetSet::end(const std::string& reason) {
  for (const auto& [id, target] : targets_) {
    control_.release(id);
    if (!target.is_announced) continue;
    changes_.push_back({TargetChange::Action::removed, id, target.label, {}, reason});
  }
  targets_.clear();
  tracker_ = nullptr;
}

void TargetSet::enter(std::uint64_t id, const Seed& seed, const std::string& label,
                      const CommandOrigin& origin, bool is_announced) {
  tracker_->add(id, seed, label);
  targets_[id] = {label, origin, false};
  if (is_announced) announce(id);
}

void TargetSet::announce(std::uint64_t id) {
  const auto found = targets_.find(id);
  if (found == targets_.end() || std::exchange(found->second.is_announced, true)) return;
  changes_.push_back(
      {TargetChange::Action::added, id, found->second.label, found->second.origin, {}});
}

bool TargetSet::is_tentative(std::uint64_t id) const {
  const auto found = targets_.find(id);
  return found != targets_.end() && !found->second.is_announced;
}

std::uint64_t TargetSet::add(const Seed& seed, const std::string& label,
                             const CommandOrigin& origin, bool is_announced) {
  const std::uint64_t id = control_.new_target();
  try {
    enter(id, seed, label, origin, is_announced);
  } catch (...) {
    control_.release(id);
    throw;
  }
  return id;
}

void TargetSet::remove(std::uint64_t id, const CommandOrigin& origin, const std::string& reason) {
  const auto found = targets_.find(id);
  if (found == targets_.end()) return;
  tracker_->remove(id);
  if (found->second.is_announced) {
    changes_.push_back({TargetChange::Action::removed, id, found->second.label, origin, reason});
  }
  targets_.erase(found);
  control_.release(id);
}

std::uint64_t TargetSet::start(const BoundingBox& box, const std::string& label) {
  return add(box, label, kDetector, false);
}

void TargetSet::end(std::uint64_t id, const std::string& reason) { remove(id, kDetector, reason); }

bool TargetSet::place(std::uint64_t id, const BoundingBox& box) {
  if (!has(id)) return false;
  try {
    return tracker_->move(id, box);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::invalid_argument) throw;
    return false;
  }
}

SavedModel TargetSet::save(std::uint64_t id) const {
  const std::string target = "the target with the id " + std::to_string(id);
  if (!has(id)) {
    throw Error(ErrorCode::invalid_argument, target + " cannot be saved: it is not there");
  }
  try {
    return tracker_->save(id);
  } catch (const Error& error) {
    throw Error(error.code(), target + " cannot be saved: " + error.what());
  }
}

BoundingBox TargetSet::box_of(const TargetPlace& place, int width, int height,
                              std::vector<std::string>& warnings) const {
  const BoundingBox box = place.in_pixels(width, height);
  if (!uses_color_) return clip_with_warning(box, width, height, warnings);
  clip_target(box, width, height);
  return box;
}

void TargetSet::apply(const TargetCommand& command, int width, int height,
                      std::vector<std::string>& warnings) {
  if (command.action == TargetCommand::Action::remove) return remove(command.id, command.origin);
  if (command.seed.color) {
    return enter(command.id, *command.seed.color, command.label, command.origin);
  }
  if (command.seed.model) {
    return enter(command.id, *command.seed.model, command.label, command.origin);
  }
  const BoundingBox box = box_of(command.seed.place, width, height, warnings);
  if (command.action == TargetCommand::Action::add) {
    return enter(command.id, box, command.label, command.origin);
  }
  const auto found = targets_.find(command.id);
  if (found == targets_.end()) {
    throw Error(ErrorCode::invalid_argument,
                "the target with the id " + std::to_string(command.id) + " is gone");
  }
  tracker_->move(command.id, box);
  changes_.push_back(
      {TargetChange::Action::moved, command.id, found->second.label, command.origin, {}});
}

void TargetSet::apply_commands(int width, int height, std::vector<std::string>& warnings) {
  for (const TargetCommand& command : control_.take()) {
    try {
      apply(command, width, height, warnings);
    } catch (const Error& error) {
      if (command.action == TargetCommand::Action::add) control_.release(command.id);
      changes_.push_back(
          {TargetChange::Action::refused, command.id, command.label, command.origin, error.what()});
      warnings.push_back(error.what() + std::string("; ") +
                         (command.action == TargetCommand::Action::add
                              ? "this target is ignored"
                              : "this target stays where it is"));
    }
  }
}

std::vector<TargetChange> TargetSet::take_changes() { return std::exchange(changes_, {}); }

}  // namespace cltrack::gst
