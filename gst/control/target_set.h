// SPDX-License-Identifier: LGPL-2.1-or-later
// The targets of an element, whichever tracker has them: the ids that applications know, and what
// changes from picture to picture. Trackers count from 1 again for each stream, and give ids to
// objects that nobody added (blobs of a colour): applications see each number once.
//
// Threading: the streaming thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cltrack/tracker.h"
#include "control/target_command.h"
#include "control/target_control.h"

namespace cltrack::gst {

class TargetSet {
 public:
  explicit TargetSet(TargetControl& control) : control_(control) {}

  // A tracker that has no targets yet. `looks_at_color`: what is around a box counts as well, so
  // boxes are not clipped.
  void begin(Tracker& tracker, bool looks_at_color);
  // The tracker is gone, and all targets with it.
  void end(const std::string& reason);

  // Adds a target that no command asks for; returns its id. Throws what Tracker::add() throws.
  std::uint64_t add(const Seed& seed, const std::string& label, const Asker& asker);
  // If it is still there. `reason`: if nobody has asked for it.
  void remove(std::uint64_t id, const Asker& asker, const std::string& reason = {});
  // On the next picture it is there. Is no change that is told. False if it is gone, or if the
  // tracker looks for it everywhere anyway.
  bool place(std::uint64_t id, const BoundingBox& box);
  // What is learnt about it. Throws what Tracker::save() throws, with the id of here.
  SavedModel save(std::uint64_t id) const;
  bool has(std::uint64_t id) const { return targets_.contains(id); }

  // Does what was asked for since the picture before. The next one is width x height pixels large.
  void apply_commands(int width, int height, std::vector<std::string>& warnings);

  bool empty() const { return targets_.empty(); }

  // From the tracker's ids to those of here; tracks by rising ids.
  void rename(std::vector<Track>& tracks);
  void rename(TrackerStats& stats) const;

  // Since the call before.
  std::vector<TargetChange> take_changes();

 private:
  struct Known {
    std::uint64_t of_tracker = 0;
    std::string label = {};
  };

  void enter(std::uint64_t id, const Seed& seed, const std::string& label, const Asker& asker);
  void apply(const TargetCommand& command, int width, int height,
             std::vector<std::string>& warnings);
  BoundingBox box_of(const TargetPlace& place, int width, int height,
                     std::vector<std::string>& warnings) const;

  TargetControl& control_;
  Tracker* tracker_ = nullptr;
  bool looks_at_color_ = false;
  std::map<std::uint64_t, Known> targets_;        // by id
  std::map<std::uint64_t, std::uint64_t> names_;  // from the tracker's ids
  std::vector<TargetChange> changes_;
};

}  // namespace cltrack::gst
