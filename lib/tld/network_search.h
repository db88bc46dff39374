// SPDX-License-Identifier: LGPL-2.1-or-later
// What a Siamese network finds of a tracker's targets on a frame: how likely each place around a
// box shows what the target's first frame showed.
//
// A frame goes through begin(), search() and collect() as often as wanted, and end(). Between two
// frames, start() and remove() say which targets there are, and place() moves the work to another
// device.
//
// Threading: one thread at a time, the one that uses the queue.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "cltrack/bounding_box.h"
#include "compute/array.h"
#include "compute/queue.h"
#include "motion/motion_estimator.h"
#include "network/siamese_network.h"
#include "ops/color/color_sums.h"
#include "ops/network/sample_pictures.h"
#include "tld/target_model.h"

namespace cltrack {

// What was found around a box.
struct NetworkFindings {
  BoundingBox window;                // that was searched, pixels of the frame
  std::vector<NetworkPlace> places;  // row by row; boxes in pixels of the frame

  // That of the highest score whose box overlaps `box` by more than half; nothing if the middle of
  // `box` is not in the window. A score of 0 if there is none.
  std::optional<NetworkPlace> place_at(const BoundingBox& box) const;
};

// The side of the square around a box that a template shows, as SiamFC has it: a quarter of the
// mean side is added on each side.
float template_length(const BoundingBox& box);

class NetworkSearch {
 public:
  // Those that it launches, to be built before the first frame. Not for the host.
  static std::vector<ProgramName> programs();

  NetworkSearch(std::shared_ptr<const NetworkModel> model, std::shared_ptr<Queue> queue);

  // `frame` stays valid until end().
  void begin(const PictureSource& frame) { frame_ = frame; }
  // Looks around the boxes. Does not wait. Targets that have not been started find nothing.
  void search(std::span<const MotionTarget> targets);
  // Waits. In the order of search().
  std::vector<std::optional<NetworkFindings>> collect(Queue& host);
  void end() { frame_.reset(); }

  // The target's template shows `given` on the frame from now on. `box` stands for the target: what
  // is found is in terms of that. Waits. Returns what the template shows: blue, green and red of
  // each of its pixels, row by row.
  TemplatePixels start(std::uint64_t id, const BoundingBox& given, const BoundingBox& box,
                       Queue& host);
  // The template shows what start() has returned for another target, maybe of another tracker, and
  // what `box` shows on the frame if that was of another size.
  void restart(std::uint64_t id, const TemplatePixels& shown, const BoundingBox& box, Queue& host);
  void remove(std::uint64_t id);

  void place(std::shared_ptr<Queue> queue);
  // Never throw.
  void abandon() noexcept;
  void reset() noexcept;

 private:
  struct Slot {
    std::uint64_t id = 0;  // 0: free
    PictureColor fill = {};
    // The target's box relative to the network's for it on its first frame: the network has learnt
    // how other people draw boxes.
    BoundingBox relation = {0, 0, 1, 1};
  };

  struct Query {
    std::size_t index;  // among those that are searched
    BoundingBox box, relation;
  };

  void start(std::uint64_t id, const Array<float>& picture, const PictureColor& fill,
             const BoundingBox& box, Queue& host);
  std::optional<std::size_t> slot_of(std::uint64_t id) const;
  std::size_t free_slot();
  BoundingBox relation_of(std::uint64_t id, const BoundingBox& box, Queue& host);
  PictureColor mean_color() const;

  std::shared_ptr<Queue> queue_;
  std::shared_ptr<const NetworkModel> model_;
  SiameseNetwork network_;
  std::optional<PictureSource> frame_;
  std::vector<Slot> slots_;
  Array<float> templates_;  // of slots
  // Of the latest search(), by target; nothing for those that have not been started.
  std::vector<std::optional<Query>> queries_;
  Array<PictureJob> jobs_;
  Array<std::int32_t> job_slots_;
  Array<float> pictures_{Memory::Use::scratch};
  NetworkAnswers answers_;
};

}  // namespace cltrack
