// SPDX-License-Identifier: LGPL-2.1-or-later
// The targets set by properties, passed from the thread that sets them to the streaming thread.
// Threading: not safe; the element holds the object lock.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "properties/target_list.h"

namespace cltrack::gst {

// The four numbers of object-initial-x, -y, -width, -height.
enum class InitialBox { x, y, width, height };

class TargetSettings {
 public:
  // cvtracker's defaults, for when only some of the four are set.
  static constexpr unsigned kInitialDefault = 50;

  // From here on, targets are at most `most`, `others` that are set elsewhere included. Throws
  // Error{invalid_argument} if they are more already.
  void limit(int most, int others);
  void unlimit() { most_.reset(); }

  void set_initial(InitialBox which, unsigned value);
  unsigned initial(InitialBox which) const { return initial_[static_cast<std::size_t>(which)]; }

  // Throws Error{invalid_argument} if they are too many, and changes nothing.
  void set_targets(std::vector<Target> targets);
  const std::vector<Target>& targets() const { return targets_; }

  // A change counts only from here on, so that several properties can be set as one change. Throws
  // Error{invalid_argument} if there are too many targets now: what was committed before stays.
  void commit();

  // Changes with every commit() that had something to commit.
  std::uint64_t generation() const { return generation_; }

  // The target of object-initial-* first, if any of them was set and not all are 0.
  const std::vector<Target>& committed() const { return committed_; }

 private:
  std::optional<Target> initial_target() const;
  void check_count(std::size_t count) const;

  std::array<unsigned, 4> initial_{kInitialDefault, kInitialDefault, kInitialDefault,
                                   kInitialDefault};
  bool initial_set_ = false;
  std::optional<int> most_;
  int others_ = 0;
  std::vector<Target> targets_;
  bool changed_ = false;
  std::vector<Target> committed_;
  std::uint64_t generation_ = 0;
};

}  // namespace cltrack::gst
