// SPDX-License-Identifier: LGPL-2.1-or-later
// Adds the targets that were set by a property to a tracker.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cltrack/error.h"
#include "cltrack/tracker.h"
#include "control/target_set.h"

namespace cltrack::gst {

enum class OnBadTarget { refuse, leave_out };

// All targets that a property asks for, for a frame of width x height pixels, which is the next one
// of the tracker. One that cannot be tracked there is left out, with a warning, or refused: then
// Error{invalid_argument} is thrown.
class TargetUpdate {
 public:
  TargetUpdate(int width, int height, OnBadTarget on_bad_target,
               std::vector<std::string>& warnings);

  // One that lies partly outside of the frame is clipped, with a warning.
  void add_box(const BoundingBox& box, const std::string& label);
  // Neither clipped: what is around a colour is looked at as well.
  void add_color_box(const BoundingBox& box, const std::string& label);
  void add_color(const ColorModel& model, const std::string& label);
  // `picture` must stay valid until apply(). `property` is what named it.
  void add_picture(const ImageView& picture, const std::string& label, const char* property);

  // Removes the targets `ids`, which the property asked for before, adds these, and leaves their
  // ids in `ids`. Targets of others stay.
  void apply(TargetSet& targets, std::vector<std::uint64_t>& ids) const;

 private:
  struct NewTarget {
    Seed seed;
    std::string label;
    std::string prefix;  // of messages
  };

  void leave_out(const std::string& prefix, const Error& error) const;

  int width_;
  int height_;
  OnBadTarget on_bad_target_;
  std::vector<std::string>& warnings_;
  std::vector<NewTarget> targets_;
};

}  // namespace cltrack::gst
