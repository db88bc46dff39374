// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/learner.h"

#include <algorithm>

#include "ops/ferns/far_candidates.h"

namespace cltrack {

void Learner::train(Queue& queue, std::span<const Training> all, const FramePlanes& planes,
                    CandidateArrays& candidates, std::span<const std::uint32_t> found,
                    TargetBank& bank, const TldConfig& config) {
  if (all.empty()) return;
  const int ferns = bank.tables().ferns;
  list_samples(all, found, bank);
  fern_codes(queue, planes.blurred, bank.windows(), windows_, warps_, code_jobs_, ferns,
             samples_.codes);
  far_candidates(queue, candidates, bank.windows(), bank.tables().pairs,
                 {config.negative_overlap, negative_score(ferns)}, samples_);
  order_samples(queue, samples_, kTrainingBlocks, order_);
  update_ferns(queue, samples_, order_, negative_score(ferns), config.bootstrap, bank.tables());
  discard(samples_.codes, samples_.places, samples_.sample_count, samples_.place_count, order_);
}

void Learner::list_samples(std::span<const Training> all, std::span<const std::uint32_t> found,
                           const TargetBank& bank) {
  const std::span<const ScanJob> scans = bank.windows().jobs.host_read();
  const int ferns = bank.tables().ferns;
  std::vector<LearnJob> jobs;
  std::vector<CodeJob> code_jobs;
  std::vector<std::uint32_t> windows;
  std::vector<FixedWarp> warps;
  for (const Training& one : all) {
    const ScanJob& scan = scans[one.place];
    const TrainingSet& set = *one.samples;
    const auto positives = static_cast<std::uint32_t>(set.windows.size() * set.warps.size());
    jobs.push_back(
        {.first_window = scan.first,
         .window_count = scan.count,
         .first_size = scan.first_size,
         .size_count = scan.size_count,
         .first_sample = 0,  // samples_ knows
         .positives = positives,
         .tables = scan.tables,
         .positive_score = static_cast<std::uint32_t>(score_of(one.positive_threshold, ferns)),
         .x = set.box.x,
         .y = set.box.y,
         .width = set.box.width,
         .height = set.box.height,
         .frame = scan.frame,
         .room = found[one.place]});
    code_jobs.push_back({.first_listed = static_cast<std::uint32_t>(windows.size()),
                         .listed = static_cast<std::uint32_t>(set.windows.size()),
                         .first_warp = static_cast<std::uint32_t>(warps.size()),
                         .warps = static_cast<std::uint32_t>(set.warps.size()),
                         .first_sample = 0,
                         .first_size = scan.first_size,
                         .size_count = scan.size_count,
                         .frame = scan.frame});
    for (const std::uint32_t window : set.windows) windows.push_back(scan.first + window);
    warps.insert(warps.end(), set.warps.begin(), set.warps.end());
  }
  samples_.assign(ferns, jobs);
  const std::span<const LearnJob> placed = samples_.jobs.host_read();
  for (std::size_t i = 0; i < placed.size(); ++i) {
    code_jobs[i].first_sample = placed[i].first_sample;
  }
  code_jobs_.assign(code_jobs);
  windows_.assign(windows);
  warps_.assign(warps);
}

}  // namespace cltrack
