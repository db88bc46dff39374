// SPDX-License-Identifier: LGPL-2.1-or-later
// The targets of a tracker, to which detections give new ones: whoever keeps them implements this.
//
// Threading: that of the tracker.
#pragma once

#include <cstdint>
#include <string>

#include "cltrack/bounding_box.h"
#include "cltrack/export.h"

namespace cltrack {

class CLTRACK_API DetectionTargets {
 public:
  virtual ~DetectionTargets() = default;

  // Adds a tentative target, of which nobody is told before announce(); returns its id. Throws what
  // Tracker::add() throws.
  virtual std::uint64_t start(const BoundingBox& box, const std::string& label) = 0;
  virtual void announce(std::uint64_t id) = 0;
  // It is there, and was not announced.
  virtual bool is_tentative(std::uint64_t id) const = 0;
  // Removes it, if it is still there; `reason` is for users.
  virtual void end(std::uint64_t id, const std::string& reason) = 0;
  // On the next frame it is there. False if it is gone, or if the tracker looks for it everywhere
  // anyway.
  virtual bool place(std::uint64_t id, const BoundingBox& box) = 0;
  virtual bool has(std::uint64_t id) const = 0;
};

}  // namespace cltrack
