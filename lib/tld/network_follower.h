// SPDX-License-Identifier: LGPL-2.1-or-later
// Where a network goes by itself, while it means another place than motion does.
//
// Threading: one thread at a time.
#pragma once

#include <optional>

#include "cltrack/bounding_box.h"
#include "tld/network_search.h"

namespace cltrack {

class NetworkFollower {
 public:
  // `here`: where motion has led, if anywhere. `findings`: around where the target was; nothing if
  // the network was not asked, which ends what it follows.
  void begin_frame(const std::optional<BoundingBox>& here,
                   const std::optional<NetworkFindings>& findings);
  // Around which it is to be asked; nothing while it means the same as motion.
  const std::optional<BoundingBox>& place() const { return place_; }
  // Where it has gone from place(), by what it has found around that; nothing if it is not sure any
  // more, or where motion is: then it follows nothing of its own.
  const std::optional<BoundingBox>& follow(const NetworkFindings& findings);
  // It has moved in the picture.
  void move_place(float x, float y) {
    if (place_) place_->x += x, place_->y += y;
  }
  void reset() { *this = {}; }

 private:
  // Whether `place` is one of its own; it is followed from then on.
  void take(const std::optional<NetworkPlace>& place);

  std::optional<BoundingBox> here_, place_;
};

}  // namespace cltrack
