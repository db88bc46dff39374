// SPDX-License-Identifier: LGPL-2.1-or-later
// The best places of templates in windows, exact, directly or by spectra.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "cltrack/image_view.h"
#include "compute/array.h"
#include "kernels/kernel_types.h"
#include "ops/match/match_score.h"

namespace cltrack {

// Exact sums of patches, on vectors.

// Sum over the pattern's pixels of their products with the plane's, from (x, y) on.
std::uint64_t match_product(const ImageView& plane, const ImageView& pattern, int x, int y);

// Sums and sums of squares of all patches of one row of places, row after row.
class PatchRows {
 public:
  // Patches of width x height pixels, at first those in row `y` of the plane.
  void begin(const ImageView& plane, int width, int height, int y);
  // The next row, which must exist.
  void next();

  // Those of the places 0 ... plane.width - width.
  const std::uint32_t* sums() const { return sums_.data(); }
  const std::uint64_t* squares() const { return squares_.data(); }

 private:
  void sum_up();

  ImageView plane_;
  int width_ = 0, height_ = 0, y_ = 0;
  std::vector<std::uint32_t> column_sums_, column_squares_;
  std::vector<std::uint32_t> sums_;
  std::vector<std::uint64_t> squares_;
};

// Where a template is most similar to a plane, over all places at which it fits into it: exact
// full-frame template matching. Places are upper left corners; there are (plane.width - w + 1) x
// (plane.height - h + 1) of them. match_score.h defines similarity.
//
// The result is the same in every bit on every device and with any number of threads.
//
// All searches throw Error{invalid_argument} if the template is larger than the plane.

// The best place and its score. Among equals the first in reading order.
struct MatchPlace {
  int x = 0;
  int y = 0;
  float score = 0;  // -1 to 1 (ncc) or 0 to 1 (cosine); 0 if the patch or the template is flat

  friend bool operator==(const MatchPlace&, const MatchPlace&) = default;
};

// Intermediate results, kept from frame to frame so that nothing is allocated. Serves any template
// and plane, one after the other. Can be moved, not copied.
class MatchScratch {
 public:
  MatchScratch();
  MatchScratch(MatchScratch&&) noexcept = default;
  MatchScratch& operator=(MatchScratch&&) noexcept = default;

  struct Parts;
  Parts& parts() { return *parts_; }

 private:
  std::shared_ptr<Parts> parts_;
};

// `found` becomes one fraction: fetch() it, finish() the queue, and call match_place(). Does not
// wait.
void best_match(Queue& queue, const Plane& plane, MatchTemplate& pattern, MatchScratch& scratch,
                Array<MatchFound>& found);
MatchPlace match_place(const MatchFound& found, const MatchTemplate& pattern);

// The programs that best_match() launches, except for transforms too long for the device's local
// memory.
std::vector<ProgramName> match_programs(const Device& device);

namespace reference {
MatchPlace best_match(const ImageView& plane, const MatchTemplate& pattern);
// The scores of all places, row by row; `stride` is in floats.
void match_map(const ImageView& plane, const MatchTemplate& pattern, float* map,
               std::ptrdiff_t stride);
}  // namespace reference

namespace vector {
void match_map(const ImageView& plane, const MatchTemplate& pattern, float* map,
               std::ptrdiff_t stride);
}  // namespace vector

}  // namespace cltrack
