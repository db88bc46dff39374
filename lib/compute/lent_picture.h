// SPDX-License-Identifier: LGPL-2.1-or-later
// The frame of a tracker, whose picture may have been lent by a device.
#pragma once

#include <memory>
#include <utility>

#include "cltrack/bounding_box.h"
#include "cltrack/color_picture.h"
#include "cltrack/frame.h"
#include "cltrack/image_view.h"
#include "compute/lent_memory.h"

namespace cltrack {

// A frame with `luma` and `color`. If they are lent, they say where the pixels are on the host once
// they have been loaded: Plane and ColorPlanes load what is read of them, others call load().
struct TrackedFrame : Frame {
  TrackedFrame(const Frame& frame,  // NOLINT: is one
               std::shared_ptr<const LentMemory> memory = nullptr)
      : Frame(frame), lent(std::move(memory)) {}

  std::shared_ptr<const LentMemory> lent;  // null: the pixels are on the host
};

// For trackers that look at luma. Throws Error{invalid_argument} if there is none, or too much.
void check_luma(const TrackedFrame& frame);

// Loads all of a picture, or the rows that show a box. Does nothing if `lent` is null.
void load(const LentMemory* lent, const ImageView& luma);
void load(const LentMemory* lent, const ColorPicture& picture);
void load_around(const LentMemory* lent, const ColorPicture& picture, const BoundingBox& box);

// The rows that a box of a picture with `height` rows overlaps, rounded outwards: first and last,
// of which there is at least one.
std::pair<int, int> rows_of(const BoundingBox& box, int height);

// Lends pictures for a frame each.
//
// Threading: one thread at a time.
class PictureLender {
 public:
  // As it is, if it is on the host. Else it is lent until end(). Throws Error{invalid_argument} if
  // the picture does not lie in its memory, has values that are not allowed, or is not the only one
  // of the frame, and what LentMemory::begin() throws.
  TrackedFrame begin(const Frame& frame);
  // Throws what LentMemory::end() throws.
  void end();
  // The same, whatever happens.
  void abandon() noexcept;

 private:
  std::shared_ptr<LentMemory> memory_;
};

}  // namespace cltrack
