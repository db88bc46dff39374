// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/ferns/far_candidates.h"

#include <algorithm>
#include <string>
#include <vector>

#include "cltrack/error.h"
#include "compute/launch.h"
#include "ops/job_parts.h"

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

namespace {

// Groups for the candidates of a job. Each reads all positives first, so more groups than can run
// at a time only add work.
std::size_t mark_groups_of(std::size_t jobs) {
  constexpr std::size_t kMost = 128, kInAll = 1024;
  return std::clamp<std::size_t>(kInAll / std::max<std::size_t>(jobs, 1), 1, kMost);
}

void reject_room(std::size_t room, std::size_t needed) {
  if (room >= needed) return;
  throw Error(ErrorCode::invalid_argument,
              "far_candidates: a job has room for " + std::to_string(room) +
                  " samples besides its positives, it needs room for " + std::to_string(needed));
}

// The candidates of a job.
CandidateView candidates_of(const LearnJob& job, const CandidateArrays& candidates) {
  const auto all = candidates.windows.host_read().first(candidates.count.host_read()[0]);
  const auto at = [&](std::uint32_t window) {
    return std::ranges::lower_bound(all, window, {}, &Candidate::window);
  };
  const auto begin = at(job.first_window), end = at(job.first_window + job.window_count);
  const auto first = static_cast<std::size_t>(begin - all.begin());
  const auto count = static_cast<std::size_t>(end - begin);
  const auto ferns = static_cast<std::size_t>(candidates.ferns);
  return {all.subspan(first, count),
          candidates.codes.host_read().subspan(first * ferns, count * ferns)};
}

void far_on_host(Queue& queue, const CandidateArrays& candidates, const ScanWindows& windows,
                 int pairs, const FarCandidates& which, FernSampleArrays& samples) {
  const auto jobs = samples.jobs.host_read();
  std::vector<CandidateView> lists;
  for (const LearnJob& job : jobs) {
    lists.push_back(candidates_of(job, candidates));
    reject_room(job.room, lists.back().windows.size());
  }
  const auto ferns = static_cast<std::size_t>(samples.ferns);
  const auto codes = samples.codes.host_update();
  const auto places = samples.places.host_write();
  const auto sample_count = samples.sample_count.host_write();
  const auto place_count = samples.place_count.host_write();
  const ScanWindowsView view = windows.host_view();
  for_each_job(queue, jobs, [&](const LearnJob& job, std::size_t j) {
    const std::size_t count = std::size_t{job.positives} + job.room;
    reference::far_candidates(
        lists[j], view, samples.ferns, pairs, job, which,
        {codes.subspan(job.first_sample * ferns, count * ferns),
         places.subspan(job.first_sample, count), sample_count[j], place_count[j]});
  });
}

}  // namespace

void far_candidates(Queue& queue, const CandidateArrays& candidates, const ScanWindows& windows,
                    int pairs, const FarCandidates& which, FernSampleArrays& samples) {
  if (queue.is_host()) {
    far_on_host(queue, candidates, windows, pairs, which, samples);
    return;
  }
  constexpr std::size_t kItems = CLTRACK_FAR_ITEMS;
  const std::size_t jobs = samples.jobs.size();
  const std::size_t groups = mark_groups_of(jobs);
  samples.marks.resize(samples.places.size());
  samples.mark_counts.resize(2 * jobs * groups);
  samples.ranges.resize(2 * jobs);
  launch(queue, {"far_candidates", "mark_far"}, global(kItems * groups, jobs), local(kItems, 1),
         in(candidates.windows), in(candidates.codes), in(candidates.count), in(samples.jobs),
         in(windows.sizes), in(windows.edges), which.maximum_overlap, samples.ferns, pairs,
         which.negative_score, in(samples.codes), out(samples.marks), out(samples.mark_counts),
         out(samples.ranges));
  launch(queue, {"far_places", "place_far"}, global(kItems * groups, jobs), local(kItems, 1),
         in(samples.marks), in(samples.mark_counts), in(samples.ranges), in(candidates.codes),
         in(samples.jobs), samples.ferns, inout(samples.codes), out(samples.places),
         out(samples.sample_count), out(samples.place_count));
  discard(samples.marks, samples.mark_counts, samples.ranges);
}

}  // namespace cltrack
