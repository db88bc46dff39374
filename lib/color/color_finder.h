// SPDX-License-Identifier: LGPL-2.1-or-later
// Finds objects of a colour on a frame, and assigns blobs to those of the frame before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cltrack/track.h"
#include "compute/lent_picture.h"
#include "compute/queue.h"
#include "ops/color/color_blobs.h"
#include "ops/color/color_history.h"
#include "ops/color/color_sums.h"

namespace cltrack {

// Assigns the blobs of a colour to objects, from frame to frame.

// An object that may be among the blobs.
struct ExpectedBlob {
  TrackPoint place;     // where it is expected
  float reach = 0;      // largest distance from there, pixels
  bool lost = true;     // it may reappear anywhere
  bool chosen = false;  // it gets the nearest blob at any distance, before all others
};

inline constexpr int kNoBlob = -1;

// For each of `expected`, the index of its blob or kNoBlob. First those that are chosen, in their
// order; then those within reach, the nearest pair first; then lost objects get the remaining
// blobs, the largest blob first, each to the nearest object. Ties go to the lower index.
std::vector<int> match_blobs(std::span<const ExpectedBlob> expected,
                             std::span<const ColorBlob> blobs);

// Finds the objects of a picture by their colours, wherever its queue works.
//
// Threading: one thread at a time.
class ColorFinder {
 public:
  // `host`: the queue of what always runs on the host.
  ColorFinder(std::shared_ptr<Queue> queue, std::shared_ptr<Queue> host)
      : queue_(std::move(queue)), host_(std::move(host)) {}

  // From now on, `queue` is used.
  void place(std::shared_ptr<Queue> queue);

  // See make_color_table(); labels from 1 to `objects`.
  void set_table(const ColorTable& table, int objects);

  // All pixels of a label together, if there are at least `minimum_area` of them, by label.
  void find_objects(const TrackedFrame& frame, std::uint64_t minimum_area,
                    std::vector<ColorBlob>& objects);
  // Connected pixels; see cltrack::find_blobs().
  void find_blobs(const TrackedFrame& frame, std::uint64_t minimum_area,
                  std::vector<ColorBlob>& blobs);

  // From now on find_objects() keeps the places of the objects on the latest `length` frames, at
  // first none; 0: it does not. `on_host`: always on the host, so that no device that fails loses
  // them.
  void keep_history(int objects, int length, bool on_host = false);
  // Adds a frame to a history that find_objects() does not add to.
  void add_to_history(std::span<const ColorSum> sums);
  // See cltrack::append_trail().
  void append_trail(int object, std::uint64_t minimum_area, std::vector<TrackPoint>& points);

 private:
  std::shared_ptr<Queue> queue_;
  std::shared_ptr<Queue> host_;
  int objects_ = 0;
  Array<std::uint8_t> table_;
  ColorPlanes planes_;
  ColorScratch scratch_;
  Array<ColorSum> sums_;
  std::vector<ColorRun> runs_;
  BlobScratch blob_scratch_;
  // From one frame to the next.
  ColorHistory history_;
  bool history_on_host_ = false;
  Array<ColorSum> history_sums_;
};

}  // namespace cltrack
