// SPDX-License-Identifier: LGPL-2.1-or-later
// Where a template is most similar to a plane, over all places at which it fits into it: exact
// full-frame template matching. Places are upper left corners; there are (plane.width - w + 1) x
// (plane.height - h + 1) of them. match_score.h says what similar means.
//
// The answer is the same bit for bit on every device, with any number of threads, and whichever
// way of searching is taken: bounds leave out only what is proven to be worse.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "cltrack/image_view.h"
#include "compute/plane.h"
#include "core/thread_pool.h"
#include "kernels/kernel_types.h"
#include "ops/match/match_score.h"

namespace cltrack {

// The best place and its score. Among equals the first in reading order.
struct MatchPlace {
  int x = 0;
  int y = 0;
  float score = 0;  // -1 to 1 (ncc) or 0 to 1 (cosine); 0 if the patch or the template is flat

  friend bool operator==(const MatchPlace&, const MatchPlace&) = default;
};

// A template, prepared once for all frames; keeps what searches want to know of it again. Can be
// moved, not copied. Threading: one search at a time.
class MatchTemplate {
 public:
  // Copies the pixels. Throws Error{invalid_argument} if there are none, more than
  // kMostMatchPixels, or rows of more than 65536.
  MatchTemplate(const ImageView& image, Similarity similarity);
  ~MatchTemplate();
  MatchTemplate(MatchTemplate&&) noexcept;
  MatchTemplate& operator=(MatchTemplate&&) noexcept;

  int width() const { return image_.width(); }
  int height() const { return image_.height(); }
  Similarity similarity() const { return similarity_; }
  ImageView view() const { return image_.view(); }
  std::uint64_t pixels() const { return pixels_; }
  std::uint64_t sum() const { return sum_; }
  std::uint64_t squares() const { return squares_; }
  std::uint64_t energy() const { return energy_; }  // 0: flat, all scores are 0

  struct Host;      // what the host's search keeps
  struct OnDevice;  // the same for a device
  Host& host();
  OnDevice& on_device();

 private:
  Image image_;
  Similarity similarity_;
  std::uint64_t pixels_ = 0, sum_ = 0, squares_ = 0, energy_ = 0;
  std::unique_ptr<Host> host_;
  std::unique_ptr<OnDevice> on_device_;
};

// How a search is done. Nobody but tests and benchmarks has to choose.
enum class MatchWay { by_size, direct, spectral };

// What searches write on the way; kept from frame to frame, so that nothing is allocated. Serves
// any template and plane, one after the other. Can be moved, not copied.
class MatchScratch {
 public:
  MatchScratch();
  ~MatchScratch();
  MatchScratch(MatchScratch&&) noexcept;
  MatchScratch& operator=(MatchScratch&&) noexcept;

  struct Host;
  struct OnDevice;
  Host& host();
  OnDevice& on_device();

 private:
  std::unique_ptr<Host> host_;
  std::unique_ptr<OnDevice> on_device_;
};

// All of these throw Error{invalid_argument} that names both sizes if the template is larger than
// the plane.

// The plain reference: the scores of all places, row by row; `stride` is in floats.
void match_map_plain(const ImageView& plane, const MatchTemplate& pattern, float* map,
                     std::ptrdiff_t stride);
// The best place of the plain reference.
MatchPlace best_match_plain(const ImageView& plane, const MatchTemplate& pattern);

// The same map on vectors.
void match_map_host(const ImageView& plane, const MatchTemplate& pattern, float* map,
                    std::ptrdiff_t stride);
// The same place, without the scores of places that bounds prove to be worse.
MatchPlace best_match_host(const ImageView& plane, MatchTemplate& pattern, MatchScratch& scratch,
                           ThreadPool& pool);

// The same wherever the queue works; `pool` serves the host alone. `found` becomes one fraction;
// fetch() it, finish() the queue, and ask match_place(). Does not wait.
void best_match(Queue& queue, Plane& plane, MatchTemplate& pattern, MatchScratch& scratch,
                ThreadPool& pool, Array<MatchFound>& found);
MatchPlace match_place(const MatchFound& found, const MatchTemplate& pattern);

// What best_match() launches, but for transforms too long for the device's local memory.
std::vector<ProgramName> match_programs(const Device& device);

void check_match_sizes(int plane_width, int plane_height, const MatchTemplate& pattern);

}  // namespace cltrack
