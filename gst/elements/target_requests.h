// SPDX-License-Identifier: LGPL-2.1-or-later
// Requests of signals and events to a tracking element. One that cannot be done is refused at once,
// by a warning and by a message "cltracker-target" with the action "refused".
//
// Threading: any; the caller must hold no lock. None of these throws.
#pragma once

#include <gst/gst.h>

#include <string>

#include "control/target_control.h"

namespace cltrack::gst {

class TargetRequests {
 public:
  TargetRequests(GstElement* element, TargetControl& control, const CommandOrigin& origin)
      : element_(element), control_(control), origin_(origin) {}

  // An empty label is the one of the element's property. Returns the id; 0 if it is refused.
  std::uint64_t add(const TargetSeed& seed, std::string label) const;
  // These return false if it is refused.
  bool move(std::uint64_t id, const TargetPlace& place) const;
  bool remove(std::uint64_t id) const;
  bool clear() const;

  void refuse(std::uint64_t id, const std::string& reason) const;

 private:
  template <typename Request>
  bool attempt(std::uint64_t id, const Request& request) const;

  GstElement* element_;
  TargetControl& control_;
  CommandOrigin origin_;
};

}  // namespace cltrack::gst
