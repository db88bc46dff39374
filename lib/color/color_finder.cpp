// SPDX-License-Identifier: LGPL-2.1-or-later
#include "color/color_finder.h"

#include <utility>

#include "compute/scoped_borrow.h"

namespace cltrack {

void ColorFinder::place(std::shared_ptr<Queue> queue) {
  queue_ = std::move(queue);
  planes_ = {};
  scratch_ = {};
  sums_ = {};
  Array<std::uint8_t> table;
  table.assign(table_.host_read());
  table_ = std::move(table);
}

void ColorFinder::set_table(const ColorTable& table, int objects) {
  table_.assign(table);
  objects_ = objects;
}

void ColorFinder::find_objects(const ColorPicture& picture, std::uint64_t minimum_area,
                               std::vector<ColorBlob>& objects) {
  const ScopedBorrow borrowed(planes_, picture);
  color_sums(*queue_, planes_, table_, objects_, scratch_, sums_);
  sums_.fetch();
  if (history_.length > 0 && !history_on_host_) {
    color_history(*queue_, sums_, history_);
    history_.ring.fetch();
  }
  queue_->finish();
  // Only now: if the device fails, the frame begins again elsewhere.
  if (history_.length > 0 && history_on_host_) color_history(*host_, sums_, history_);
  objects.clear();
  int label = 0;
  for (const ColorSum& sum : sums_.host_read()) {
    ++label;
    if (sum.count > 0 && sum.count >= minimum_area) objects.push_back({label, sum});
  }
}

void ColorFinder::find_blobs(const ColorPicture& picture, std::uint64_t minimum_area,
                             std::vector<ColorBlob>& blobs) {
  const ScopedBorrow borrowed(planes_, picture);
  color_runs(*queue_, *host_, planes_, table_, scratch_, runs_);
  cltrack::find_blobs(runs_, minimum_area, blob_scratch_, blobs);
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
  color_history(*host_, history_sums_, history_);
}

void ColorFinder::append_trail(int object, std::uint64_t minimum_area,
                               std::vector<TrackPoint>& points) {
  cltrack::append_trail(history_, history_.ring.host_read(), object, minimum_area, points);
}

}  // namespace cltrack
