// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/detector.h"

namespace cltrack {

Detector::Detector(const TldConfig& config)
    : most_(static_cast<std::size_t>(config.max_candidates)) {}

void Detector::scan(Queue& queue, FramePlanes& planes, TargetBank& bank) {
  IntegralArrays& integrals = planes.integrals;
  if (!queue.is_host()) integrate(queue, planes.luma, integrals);
  cltrack::scan(queue, planes.blurred, integrals, bank.windows(), bank.tables(), kPosteriorOne,
                scan_scratch_, candidates_);
  discard(integrals.sums, integrals.squares);
  select_best(queue, candidates_, bank.windows(), most_, best_);
  best_.windows.fetch();
  best_.found.fetch();
  candidates_.count.fetch();
  queue.flush();
}

void Detector::compare(Queue& queue, const FramePlanes& planes, TargetBank& bank) {
  extract_patches(queue, planes.luma, best_.boxes, best_.count, bank.longest_side(), patch_scratch_,
                  patches_);
  nearest_patches(queue, patches_, best_.count, bank.patches(), bank.patch_jobs(), similarities_,
                  nearest_);
  discard(patches_, similarities_);
  nearest_.fetch();
  queue.flush();
}

Detector::Found Detector::collect(const TargetBank& bank) const {
  Found found;
  found.most_ = most_;
  found.windows_ = best_.windows.host_read();
  found.nearest_ = nearest_.host_read();
  found.jobs_ = bank.windows().jobs.host_read();
  return found;
}

std::vector<Detection> Detector::Found::of(std::size_t place, const Target& target) const {
  const auto windows = windows_.subspan(place * most_, most_);
  const auto nearest = nearest_.subspan(place * most_, most_);
  std::vector<Detection> detections;
  for (std::size_t i = 0; i < most_ && windows[i].window != UINT32_MAX; ++i) {
    const std::uint32_t window = windows[i].window - jobs_[place].first;
    detections.push_back({window, target.grid().window(window).box(),
                          target.model().patches.similarity(nearest[i])});
  }
  return detections;
}

}  // namespace cltrack
