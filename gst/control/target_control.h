// SPDX-License-Identifier: LGPL-2.1-or-later
// Targets at run time: the commands of any thread, their checks, and the ids that the stream
// gives.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "cltrack/bounding_box.h"
#include "cltrack/color_model.h"
#include "cltrack/saved_model.h"
#include "cltrack/tracker.h"
#include "detections/detection_targets.h"

namespace cltrack::gst {

// Commands of an application for the targets while the stream runs, and what becomes of them.

enum class CommandSource { signal, event, property, metadata, navigation };

// "signal" and so on.
const char* to_string(CommandSource source);

// A number that an application chose, to know the answer by.
using RequestNumber = std::variant<std::monostate, std::int64_t, std::uint64_t, double>;

// Who wants it.
struct CommandOrigin {
  CommandSource source = CommandSource::signal;
  RequestNumber request = {};
};

enum class BoxUnits { pixels, fraction };

// A box on the picture on which a command acts: in pixels, or in parts of its width and height.
struct TargetPlace {
  BoundingBox box = {};
  BoxUnits units = BoxUnits::pixels;

  BoundingBox in_pixels(int width, int height) const;
};

// By what it is known.
struct TargetSeed {
  TargetPlace place = {};
  std::shared_ptr<const ColorModel> color = {};
  std::shared_ptr<const SavedModel> model = {};  // both null: what is at `place`
};

struct TargetCommand {
  enum class Action { add, move, remove };
  Action action = Action::add;
  std::uint64_t id = 0;    // of add: the one it gets
  TargetSeed seed = {};    // of add and move
  std::string label = {};  // of add
  CommandOrigin origin = {};
};

// The answer to a command, and what else happens to the set of targets. `chosen` changes nothing:
// somebody has pointed at it.
struct TargetChange {
  enum class Action { added, moved, removed, refused, chosen };
  Action action = Action::added;
  std::uint64_t id = 0;  // 0: refused before there was one
  std::string label = {};
  CommandOrigin origin = {};
  std::string reason = {};  // why it was refused, or removed without being asked for
};

// "added" and so on.
const char* to_string(TargetChange::Action action);

// Takes commands on any thread, and hands them to the streaming thread before the next picture. Ids
// are given at once, from 1, and belong to one target until the element stops.
//
// Threading: any.
class TargetControl {
 public:
  // From here on there are `most` targets at most, those set by properties included.
  void limit(std::optional<int> most);

  // Each throws Error{invalid_argument} for what cannot be done whatever the picture is: a box that
  // is not finite, has no area or, in pixels, a side under kMinimumBoxSide; one target too
  // many; an id that no target has. `label` is UTF-8.
  std::uint64_t add(const TargetSeed& seed, const std::string& label, const CommandOrigin& origin);
  void move(std::uint64_t id, const TargetPlace& place, const CommandOrigin& origin);
  void remove(std::uint64_t id, const CommandOrigin& origin);
  void clear(const CommandOrigin& origin);  // removes all that there are

  // Whether commands can change it.
  bool has(std::uint64_t id) const;

  // The commands that have come since the call before, in that order.
  std::vector<TargetCommand> take();

  // An id for a target that comes in another way; and for an object that no command can change.
  std::uint64_t new_target();
  std::uint64_t new_object();
  // A target is gone.
  void release(std::uint64_t id);

  // At the stop: all targets are gone, and ids begin with 1 again.
  void reset();

 private:
  void check_known(std::uint64_t id) const;

  mutable std::mutex mutex_;
  std::vector<TargetCommand> commands_;
  std::set<std::uint64_t> targets_;  // all that commands can change; those to be added, too
  std::uint64_t last_id_ = 0;
  std::optional<int> most_;
};

// Boxes of targets that lie partly outside of the picture.

// The part of `box` inside a frame of width x height pixels, with a warning if that is not all of
// it. Throws what clip_target() throws.
BoundingBox clip_with_warning(const BoundingBox& box, int width, int height,
                              std::vector<std::string>& warnings);

// The targets of an element, whichever tracker has them, and what changes from picture to picture.
// The trackers get all ids from here, those of objects that nobody added (blobs of a colour), too:
// applications see each number once, in whichever stream.
//
// Threading: the streaming thread.
class TargetSet : public DetectionTargets {
 public:
  explicit TargetSet(TargetControl& control) : control_(control) {}

  // A tracker that has no targets yet. `uses_color`: what is around a box counts as well, so
  // boxes are not clipped.
  void begin(Tracker& tracker, bool uses_color);
  // The tracker is gone, and all targets with it.
  void end(const std::string& reason);

  // Adds a target that no command asks for; returns its id. Throws what Tracker::add() throws.
  // Nothing is reported of it before announce(), if `is_announced` is false.
  std::uint64_t add(const Seed& seed, const std::string& label, const CommandOrigin& origin,
                    bool is_announced = true);
  // If it is still there. `reason`: if nobody has asked for it.
  void remove(std::uint64_t id, const CommandOrigin& origin, const std::string& reason = {});
  // The model that is learnt of it. Throws what Tracker::save() throws, with the id.
  SavedModel save(std::uint64_t id) const;

  // For detections. A new place is no change that is reported.
  std::uint64_t start(const BoundingBox& box, const std::string& label) override;
  void announce(std::uint64_t id) override;
  bool is_tentative(std::uint64_t id) const override;
  void end(std::uint64_t id, const std::string& reason) override;
  bool place(std::uint64_t id, const BoundingBox& box) override;
  bool has(std::uint64_t id) const override { return targets_.contains(id); }

  // Does what was asked for since the picture before. The next one is width x height pixels large.
  void apply_commands(int width, int height, std::vector<std::string>& warnings);

  bool empty() const { return targets_.empty(); }

  // Since the call before.
  std::vector<TargetChange> take_changes();
  bool has_changes() const { return !changes_.empty(); }

 private:
  struct Known {
    std::string label = {};
    CommandOrigin origin = {};
    bool is_announced = true;
  };

  void enter(std::uint64_t id, const Seed& seed, const std::string& label,
             const CommandOrigin& origin, bool is_announced = true);
  void apply(const TargetCommand& command, int width, int height,
             std::vector<std::string>& warnings);
  BoundingBox box_of(const TargetPlace& place, int width, int height,
                     std::vector<std::string>& warnings) const;

  TargetControl& control_;
  Tracker* tracker_ = nullptr;
  bool uses_color_ = false;
  std::map<std::uint64_t, Known> targets_;  // by id
  std::vector<TargetChange> changes_;
};

}  // namespace cltrack::gst
