// SPDX-License-Identifier: LGPL-2.1-or-later
#include "control/target_set.h"

#include <algorithm>
#include <utility>

#include "cltrack/error.h"
#include "control/clipped_box.h"

namespace cltrack::gst {

void TargetSet::begin(Tracker& tracker, bool looks_at_color) {
  tracker_ = &tracker;
  looks_at_color_ = looks_at_color;
}

void TargetSet::end(const std::string& reason) {
  for (const auto& [id, target] : targets_) {
    control_.release(id);
    changes_.push_back({TargetChange::Action::removed, id, target.label, {}, reason});
  }
  targets_.clear();
  names_.clear();
  tracker_ = nullptr;
}

void TargetSet::enter(std::uint64_t id, const Seed& seed, const std::string& label,
                      const Asker& asker) {
  const std::uint64_t of_tracker = tracker_->add(seed, label);
  targets_[id] = {of_tracker, label};
  names_[of_tracker] = id;
  changes_.push_back({TargetChange::Action::added, id, label, asker, {}});
}

std::uint64_t TargetSet::add(const Seed& seed, const std::string& label, const Asker& asker) {
  const std::uint64_t id = control_.new_target();
  try {
    enter(id, seed, label, asker);
  } catch (...) {
    control_.release(id);
    throw;
  }
  return id;
}

void TargetSet::remove(std::uint64_t id, const Asker& asker, const std::string& reason) {
  const auto found = targets_.find(id);
  if (found == targets_.end()) return;
  tracker_->remove(found->second.of_tracker);
  names_.erase(found->second.of_tracker);
  changes_.push_back({TargetChange::Action::removed, id, found->second.label, asker, reason});
  targets_.erase(found);
  control_.release(id);
}

bool TargetSet::place(std::uint64_t id, const BoundingBox& box) {
  const auto found = targets_.find(id);
  if (found == targets_.end()) return false;
  try {
    return tracker_->move(found->second.of_tracker, box);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::invalid_argument) throw;
    return false;
  }
}

SavedModel TargetSet::save(std::uint64_t id) const {
  const std::string target = "the target with the id " + std::to_string(id);
  const auto found = targets_.find(id);
  if (found == targets_.end()) {
    throw Error(ErrorCode::invalid_argument, target + " cannot be saved: it is not there");
  }
  try {
    return tracker_->save(found->second.of_tracker);
  } catch (const Error& error) {
    throw Error(error.code(), target + " cannot be saved: " + error.what());
  }
}

BoundingBox TargetSet::box_of(const TargetPlace& place, int width, int height,
                              std::vector<std::string>& warnings) const {
  const BoundingBox box = place.in_pixels(width, height);
  if (!looks_at_color_) return clip_with_warning(box, width, height, warnings);
  clip_target(box, width, height);
  return box;
}

void TargetSet::apply(const TargetCommand& command, int width, int height,
                      std::vector<std::string>& warnings) {
  if (command.action == TargetCommand::Action::remove) return remove(command.id, command.asker);
  if (command.looks.color) {
    return enter(command.id, *command.looks.color, command.label, command.asker);
  }
  if (command.looks.model) {
    return enter(command.id, *command.looks.model, command.label, command.asker);
  }
  const BoundingBox box = box_of(command.looks.place, width, height, warnings);
  if (command.action == TargetCommand::Action::add) {
    return enter(command.id, box, command.label, command.asker);
  }
  const auto found = targets_.find(command.id);
  if (found == targets_.end()) {
    throw Error(ErrorCode::invalid_argument,
                "the target with the id " + std::to_string(command.id) + " is gone");
  }
  tracker_->move(found->second.of_tracker, box);
  changes_.push_back(
      {TargetChange::Action::moved, command.id, found->second.label, command.asker, {}});
}

void TargetSet::apply_commands(int width, int height, std::vector<std::string>& warnings) {
  for (const TargetCommand& command : control_.take()) {
    try {
      apply(command, width, height, warnings);
    } catch (const Error& error) {
      if (command.action == TargetCommand::Action::add) control_.release(command.id);
      changes_.push_back(
          {TargetChange::Action::refused, command.id, command.label, command.asker, error.what()});
      warnings.push_back(error.what() + std::string("; ") +
                         (command.action == TargetCommand::Action::add
                              ? "this target is ignored"
                              : "this target stays where it is"));
    }
  }
}

void TargetSet::rename(std::vector<Track>& tracks) {
  for (Track& track : tracks) {
    const auto [name, is_new] = names_.try_emplace(track.id, 0);
    if (is_new) name->second = control_.new_object();
    track.id = name->second;
  }
  std::ranges::stable_sort(tracks, {}, &Track::id);
  if (names_.size() == tracks.size()) return;
  // Objects that nobody added come and go.
  std::erase_if(names_, [&](const auto& name) {
    return !targets_.contains(name.second) &&
           !std::ranges::binary_search(tracks, name.second, {}, &Track::id);
  });
}

void TargetSet::rename(TrackerStats& stats) const {
  for (TargetStats& target : stats.targets) {
    if (const auto name = names_.find(target.id); name != names_.end()) target.id = name->second;
  }
}

std::vector<TargetChange> TargetSet::take_changes() { return std::exchange(changes_, {}); }

}  // namespace cltrack::gst
