// SPDX-License-Identifier: LGPL-2.1-or-later
// Finds the objects of a picture by their colours, on the host or on a device.
//
// Threading: one thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "compute/queue.h"
#include "core/thread_pool.h"
#include "ops/color/color_blobs.h"
#include "ops/color/color_history.h"
#include "ops/color/color_sums.h"

namespace cltrack {

class ColorFinder {
 public:
  // `threads`: of the host's part of the work.
  ColorFinder(std::shared_ptr<Queue> queue, int threads);

  // Colours are looked for on that queue from now on.
  void place(std::shared_ptr<Queue> queue);

  // See make_color_table(); labels from 1 to `objects`.
  void set_table(const ColorTable& table, int objects);

  // All pixels of a label together, where there are at least `minimum_area` of them, by label.
  void find_objects(const ColorPicture& picture, std::uint64_t minimum_area,
                    std::vector<ColorBlob>& objects);
  // Connected pixels; see cltrack::find_blobs().
  void find_blobs(const ColorPicture& picture, std::uint64_t minimum_area,
                  std::vector<ColorBlob>& blobs);

  // From now on find_objects() keeps where the objects are on the latest `length` frames; 0: not.
  // Nothing is known of them yet. `on_host`: whatever the queue, so that no device that fails takes
  // it along.
  void keep_history(int objects, int length, bool on_host = false);
  // Adds a frame of others, such as blobs, to a history that find_objects() does not feed.
  void add_to_history(std::span<const ColorSum> sums);
  // See cltrack::append_trail().
  void append_trail(int object, std::uint64_t minimum_area, std::vector<TrackPoint>& points);

 private:
  struct Part {  // rows of a picture that a thread takes
    std::vector<std::uint8_t> scratch;
    std::vector<ColorSum> sums;
    std::vector<ColorRun> runs;
  };

  // Calls part(i, first_row, last_row) for all parts, on the threads of the pool.
  template <typename Task>
  void for_each_part(int height, Task&& task);
  void sum_on_device(const ColorPicture& picture);
  void label_on_device(const ColorPicture& picture);

  std::shared_ptr<Queue> queue_;
  std::shared_ptr<Queue> host_queue_ = Device::host()->make_queue();
  ThreadPool pool_;
  int objects_ = 0;
  Array<std::uint8_t> table_;
  std::vector<Part> parts_;
  std::vector<ColorSum> sums_;
  std::vector<ColorRun> runs_;
  BlobScratch blob_scratch_;
  // Of a device.
  ColorPlanes planes_;
  ColorScratch scratch_;
  Array<ColorSum> device_sums_;
  Array<std::uint8_t> device_labels_;
  // From one frame to the next.
  ColorHistory history_;
  bool history_on_host_ = false;
  Array<ColorSum> history_sums_;
};

}  // namespace cltrack
