// SPDX-License-Identifier: LGPL-2.1-or-later
// One target of template matching. For each frame: follow(), search_frame() if wants_frame(), and
// learn(); or move_to().
#pragma once

#include <cstdint>

#include "cltrack/bounding_box.h"
#include "cltrack/image_view.h"
#include "cltrack/search_region.h"
#include "cltrack/track.h"

namespace cltrack {

class FrameSearch;

class MatchTarget {
 public:
  virtual ~MatchTarget() = default;

  // Searches around the expected place. Without `motion`, this picture does not follow on from the
  // one before. What is lost is found again in `region` alone. Threading: different targets at the
  // same time; the other functions are for one thread at a time.
  virtual void follow(const ImageView& picture, bool motion, const SearchRegion& region) = 0;
  // Whether the whole frame is to be searched as well; and whether that can wait for another one.
  virtual bool wants_frame() const = 0;
  virtual bool can_wait() const = 0;
  virtual void search_frame(const ImageView& picture, FrameSearch& search) = 0;
  virtual void learn(const ImageView& picture) = 0;
  // The target is at `box`; it keeps its aspect ratio.
  virtual void move_to(const BoundingBox& box) = 0;

  // All frames are of another size from now on.
  virtual void rescale(float scale_x, float scale_y) = 0;

  virtual std::uint64_t templates() const = 0;

  TrackState state() const { return state_; }
  const BoundingBox& box() const { return box_; }  // where it was last, while it is lost
  float confidence() const { return confidence_; }
  const char* loss() const { return loss_; }  // why it was lost; see Track::reason

 protected:
  TrackState state_ = TrackState::lost;
  BoundingBox box_;
  float confidence_ = 0;
  const char* loss_ = "not-found";
};

}  // namespace cltrack
