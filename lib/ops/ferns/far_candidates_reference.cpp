// SPDX-License-Identifier: LGPL-2.1-or-later
#include <algorithm>
#include <vector>

#include "ops/ferns/far_candidates.h"

namespace cltrack {
namespace {

// The boxes of windows that come by rising index.
class RisingBoxes {
 public:
  RisingBoxes(std::span<const WindowLayout> sizes, const std::int32_t* edges)
      : size_(sizes.begin()), end_(sizes.end()), edges_(edges) {}

  BoundingBox next(std::uint32_t window) {
    while (size_ + 1 != end_ && window >= (size_ + 1)->first) ++size_;
    return box_of(window, *size_, edges_);
  }

 private:
  std::span<const WindowLayout>::iterator size_, end_;
  const std::int32_t* edges_;
};

}  // namespace

void reference::far_candidates(const CandidateView& candidates, const ScanWindowsView& windows,
                               int fern_count, int pairs, const LearnJob& job,
                               const FarCandidates& which, const FarSampleSpans& samples) {
  const auto ferns = static_cast<std::size_t>(fern_count);
  const std::span<std::uint16_t> codes = samples.codes;
  const std::span<std::uint32_t> places = samples.places;

  std::vector<bool> raised(ferns << pairs);
  for (std::size_t i = 0; i < job.positives * ferns; i += ferns) {
    for (std::size_t f = 0; f < ferns; ++f) raised[(f << pairs) + codes[i + f]] = true;
  }
  const auto harmless = [&](const Candidate& candidate, const std::uint16_t* own) {
    std::uint32_t score = candidate.score;
    for (std::size_t f = 0; f < ferns && score < which.negative_score; ++f) {
      if (raised[(f << pairs) + own[f]]) score += kPosteriorOne;
    }
    return score < which.negative_score;
  };
  std::uint32_t sample_count = job.positives;
  std::uint32_t place_count = job.positives;
  for (std::uint32_t i = 0; i < job.positives; ++i) places[i] = i;

  const auto sizes = windows.sizes.subspan(static_cast<std::size_t>(job.first_size),
                                           static_cast<std::size_t>(job.size_count));
  RisingBoxes boxes(sizes, windows.edges.data());
  const BoundingBox box{job.x, job.y, job.width, job.height};
  const std::uint16_t* own = candidates.codes.data();
  for (const Candidate& candidate : candidates.windows) {
    if (overlap(box, boxes.next(candidate.window)) < which.maximum_overlap) {
      if (!harmless(candidate, own)) {
        std::copy_n(own, ferns, codes.data() + sample_count * ferns);
        places[sample_count++] = place_count;
      }
      ++place_count;
    }
    own += ferns;
  }
  samples.sample_count = sample_count;
  samples.place_count = place_count;
}

}  // namespace cltrack
