// SPDX-License-Identifier: LGPL-2.1-or-later
#include "color/color_finder.h"

#include <utility>

#include "compute/scoped_borrow.h"

namespace cltrack {
namespace {

// More parts than threads: rows with much to count take longer.
constexpr int kPartsPerThread = 4;

}  // namespace

ColorFinder::ColorFinder(std::shared_ptr<Queue> queue, int threads)
    : queue_(std::move(queue)),
      pool_(threads),
      parts_(static_cast<std::size_t>(threads > 1 ? threads * kPartsPerThread : 1)) {}

void ColorFinder::place(std::shared_ptr<Queue> queue) {
  queue_ = std::move(queue);
  planes_ = {};
  scratch_ = {};
  device_sums_ = {};
  device_labels_ = {};
  Array<std::uint8_t> table;
  table.assign(table_.host_read());
  table_ = std::move(table);
}

void ColorFinder::set_table(const ColorTable& table, int objects) {
  table_.assign(table);
  objects_ = objects;
}

template <typename Task>
void ColorFinder::for_each_part(int height, Task&& task) {
  const int parts = static_cast<int>(parts_.size());
  pool_.run(parts, [&](int i) {
    task(parts_[static_cast<std::size_t>(i)], height * i / parts, height * (i + 1) / parts);
  });
}

void ColorFinder::sum_on_device(const ColorPicture& picture) {
  const ScopedBorrow borrowed(planes_, picture);
  color_sums(*queue_, planes_, table_, objects_, scratch_, device_sums_);
  device_sums_.fetch();
  const bool on_device = history_.length > 0 && !history_on_host_;
  if (on_device) {
    color_history(*queue_, device_sums_, history_);
    history_.ring.fetch();
  }
  queue_->finish();
  const auto sums = device_sums_.host_read();
  sums_.assign(sums.begin(), sums.end());
  if (history_.length > 0 && !on_device) add_to_history(sums_);
}

void ColorFinder::label_on_device(const ColorPicture& picture) {
  const ScopedBorrow borrowed(planes_, picture);
  color_labels(*queue_, planes_, table_, device_labels_);
  device_labels_.fetch();
  queue_->finish();
}

void ColorFinder::find_objects(const ColorPicture& picture, std::uint64_t minimum_area,
                               std::vector<ColorBlob>& objects) {
  if (!queue_->is_host()) {
    sum_on_device(picture);
  } else {
    const std::uint8_t* table = table_.host_read().data();
    sums_.assign(static_cast<std::size_t>(objects_), kNoColorSum);
    for_each_part(picture.height, [&](Part& part, int first_row, int last_row) {
      part.sums.assign(sums_.size(), kNoColorSum);
      color_sums_host(picture, table, first_row, last_row, part.scratch, part.sums);
    });
    for (const Part& part : parts_) {
      for (std::size_t i = 0; i < sums_.size(); ++i) add_sum(sums_[i], part.sums[i]);
    }
    if (history_.length > 0) add_to_history(sums_);
  }
  objects.clear();
  for (std::size_t i = 0; i < sums_.size(); ++i) {
    if (sums_[i].count > 0 && sums_[i].count >= minimum_area) {
      objects.push_back({static_cast<int>(i + 1), sums_[i]});
    }
  }
}

void ColorFinder::keep_history(int objects, int length, bool on_host) {
  history_on_host_ = on_host;
  if (length > 0) {
    history_.reset(objects, length);
  } else {
    history_ = {};
  }
}

void ColorFinder::add_to_history(std::span<const ColorSum> sums) {
  history_sums_.assign(sums);
  color_history(*host_queue_, history_sums_, history_);
}

void ColorFinder::append_trail(int object, std::uint64_t minimum_area,
                               std::vector<TrackPoint>& points) {
  cltrack::append_trail(history_, history_.ring.host_read(), object, minimum_area, points);
}

void ColorFinder::find_blobs(const ColorPicture& picture, std::uint64_t minimum_area,
                             std::vector<ColorBlob>& blobs) {
  const bool on_device = !queue_->is_host();
  if (on_device) label_on_device(picture);
  const std::uint8_t* table = on_device ? nullptr : table_.host_read().data();
  const std::uint8_t* labels = on_device ? device_labels_.host_read().data() : nullptr;
  for_each_part(picture.height, [&](Part& part, int first_row, int last_row) {
    part.runs.clear();
    const auto keep = [&](const ColorRun& run) { part.runs.push_back(run); };
    if (!on_device) {
      for_each_run(picture, table, first_row, last_row, part.scratch, keep);
      return;
    }
    for (int y = first_row; y < last_row; ++y) {
      for_each_run(labels + static_cast<std::ptrdiff_t>(y) * picture.width, picture.width, y, keep);
    }
  });
  runs_.clear();
  for (const Part& part : parts_) runs_.insert(runs_.end(), part.runs.begin(), part.runs.end());
  cltrack::find_blobs(runs_, minimum_area, blob_scratch_, blobs);
}

}  // namespace cltrack
