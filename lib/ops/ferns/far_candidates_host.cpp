// SPDX-License-Identifier: LGPL-2.1-or-later
#include <algorithm>
#include <vector>

#include "ops/ferns/far_candidates.h"

namespace cltrack {
namespace {

// The boxes of windows that come by rising index.
class RisingBoxes {
 public:
  explicit RisingBoxes(ScanWindows& windows)
      : size_(windows.sizes.host_read().begin()),
        end_(windows.sizes.host_read().end()),
        edges_(windows.edges.host_read().data()) {}

  BoundingBox next(std::uint32_t window) {
    while (size_ + 1 != end_ && window >= (size_ + 1)->first) ++size_;
    return box_of(window, *size_, edges_);
  }

 private:
  std::span<const WindowLayout>::iterator size_, end_;
  const std::int32_t* edges_;
};

}  // namespace

void far_candidates_host(std::span<const CandidateView> lists, ScanWindows& windows, int pairs,
                         const BoundingBox& box, const FarCandidates& which,
                         FernSampleArrays& samples) {
  const auto ferns = static_cast<std::size_t>(samples.ferns);
  const std::span<std::uint16_t> codes = samples.codes.host_update();
  const std::span<std::uint32_t> places = samples.places.host_write();

  std::vector<bool> raised(ferns << pairs);
  for (std::size_t i = 0; i < samples.positives * ferns; i += ferns) {
    for (std::size_t f = 0; f < ferns; ++f) raised[(f << pairs) + codes[i + f]] = true;
  }
  const auto harmless = [&](const Candidate& candidate, const std::uint16_t* own) {
    std::uint32_t score = candidate.score;
    for (std::size_t f = 0; f < ferns && score < which.negative_score; ++f) {
      if (raised[(f << pairs) + own[f]]) score += kPosteriorOne;
    }
    return score < which.negative_score;
  };
  std::uint32_t sample_count = samples.positives;
  std::uint32_t place_count = samples.positives;
  for (std::uint32_t i = 0; i < samples.positives; ++i) places[i] = i;

  RisingBoxes boxes(windows);
  for (const CandidateView& list : lists) {
    const std::uint16_t* own = list.codes.data();
    for (const Candidate& candidate : list.windows) {
      if (overlap(box, boxes.next(candidate.window)) < which.maximum_overlap) {
        if (!harmless(candidate, own)) {
          std::copy_n(own, ferns, codes.data() + sample_count * ferns);
          places[sample_count++] = place_count;
        }
        ++place_count;
      }
      own += ferns;
    }
  }
  samples.sample_count.host_write()[0] = sample_count;
  samples.place_count.host_write()[0] = place_count;
}

}  // namespace cltrack
