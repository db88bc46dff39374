// SPDX-License-Identifier: LGPL-2.1-or-later
// Takes commands on any thread, and hands them to the streaming thread before the next picture. Ids
// are given at once, from 1, and belong to one target until the element stops.
//
// Threading: any.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "control/target_command.h"

namespace cltrack::gst {

class TargetControl {
 public:
  // From here on there are `most` targets at most, those set by properties included.
  void limit(std::optional<int> most);

  // Each throws Error{invalid_argument} for what cannot be done whatever the picture is: a box that
  // is not finite, has no area or, in pixels, a side under kMinimumBoxSide; one target too
  // many; an id that no target has. `label` is UTF-8.
  std::uint64_t add(const TargetLooks& looks, const std::string& label, const Asker& asker);
  void move(std::uint64_t id, const TargetPlace& place, const Asker& asker);
  void remove(std::uint64_t id, const Asker& asker);
  void clear(const Asker& asker);  // removes all that there are

  // Whether commands can change it.
  bool has(std::uint64_t id) const;

  // What has come since the call before, in that order.
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

}  // namespace cltrack::gst
