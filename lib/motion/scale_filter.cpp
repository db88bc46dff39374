// SPDX-License-Identifier: LGPL-2.1-or-later
#include "motion/scale_filter.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/box_sizes.h"
#include "motion/filter_response.h"
#include "ops/filter/sample_windows.h"
#include "ops/filter/scale_filter.h"

namespace cltrack {
namespace {

// A target is read once, as it is at the largest scale; all scales are read out of that. More than
// two samples of it for each of a window's at the target's own scale.
constexpr int kPatchSide = 80;
constexpr int kWindowSide = kScaleCells * kCellSide;

constexpr float kSlowRate = 0.08f;  // of the rate of the adaptive filter

// Where the filters of a target are: the ops know filters alone.
int adaptive(int slot) { return static_cast<int>(kScaleFilters) * slot; }
int slow(int slot) { return adaptive(slot) + 1; }

float scale_of(int index) {
  return static_cast<float>(std::pow(kScaleRatio, index - kUnchangedScale));
}

// Sizes change little from frame to frame: one far from the one before needs a clearer response.
// A Gaussian of the scales' distance, with a standard deviation of 8 scales (17 %).
float likely(int scale) {
  constexpr float kDeviation = 8;
  const auto away = static_cast<float>(scale - kUnchangedScale) / kDeviation;
  return std::exp(-0.5f * away * away);
}

ScaleFilter::ScaleEstimate estimate_of(std::span<const float> responses) {
  const auto at = [&](int i) { return responses[static_cast<std::size_t>(i)]; };
  int best = kUnchangedScale;
  for (int i = 0; i < kScales; ++i) {
    if (likely(i) * at(i) > likely(best) * at(best)) best = i;
  }
  const bool inner = best > 0 && best < kScales - 1;
  const float offset = inner ? parabola_peak(at(best - 1), at(best), at(best + 1)) : 0;
  const float power = static_cast<float>(best - kUnchangedScale) + offset;
  return {std::pow(static_cast<float>(kScaleRatio), power), at(best)};
}

}  // namespace

// Leaves the spectra of all queries.
void ScaleFilter::extract_features(Queue& queue, const Plane& luma,
                                   std::span<const ScaleQuery> queries, Places& places) {
  std::vector<WindowJob> patches, windows;
  const float widest = scale_of(kScales - 1);
  for (const ScaleQuery& one : queries) {
    const auto index = static_cast<int>(patches.size());
    patches.push_back(window_job(scaled(one.box, widest), kPatchSide));
    for (int s = 0; s < kScales; ++s) {
      const float side = static_cast<float>(kPatchSide) * scale_of(s) / widest;
      const float begin = 0.5f * (static_cast<float>(kPatchSide) - side);
      windows.push_back(resample_job({begin, begin, side, side}, kWindowSide, index));
    }
  }
  places.patches.assign(patches);
  places.windows.assign(windows);
  sample_windows(queue, luma, places.patches, kPatchSide, work_.patches);
  resample_windows(queue, work_.patches, kPatchSide, places.windows, kWindowSide, work_.windows);
  discard(work_.patches);
  hog(queue, work_.windows, kScaleCells, work_.hog, work_.features);
  discard(work_.windows);
  scale_spectra(queue, work_.features, work_.spectra);
  discard(work_.features);
}

void ScaleFilter::estimate(Queue& queue, const Plane& luma, std::span<const ScaleQuery> queries,
                           const ScaleArrays& filters) {
  extract_features(queue, luma, queries, work_.queried);
  std::vector<ScaleRespondJob> jobs;
  for (int i = 0; const ScaleQuery& one : queries) {
    jobs.push_back({i, adaptive(one.slot)});
    jobs.push_back({i++, slow(one.slot)});
  }
  work_.respond_jobs.assign(jobs);
  scale_respond(queue, work_.spectra, work_.respond_jobs, filters.numerators, filters.denominators,
                work_.responses);
  discard(work_.spectra);
  work_.responses.fetch();
  queue.flush();
}

std::vector<ScaleFilter::ScaleEstimate> ScaleFilter::collect() {
  std::vector<ScaleEstimate> estimates;
  const std::span<const float> all = work_.responses.host_read();
  for (std::size_t i = 0; i < all.size(); i += kScaleFilters * kScales) {
    std::array<float, kScales> mean;
    for (std::size_t s = 0; s < kScales; ++s) mean[s] = 0.5f * (all[i + s] + all[i + kScales + s]);
    estimates.push_back(estimate_of(mean));
  }
  return estimates;
}

void ScaleFilter::learn(Queue& queue, const Plane& luma, std::span<const ScaleQuery> queries,
                        ScaleArrays& filters) {
  extract_features(queue, luma, queries, work_.learnt);
  std::vector<ScaleLearnJob> jobs;
  for (int i = 0; const ScaleQuery& one : queries) {
    jobs.push_back({i, adaptive(one.slot), one.rate});
    jobs.push_back({i++, slow(one.slot), one.rate < 1 ? kSlowRate * one.rate : 1});
  }
  work_.learn_jobs.assign(jobs);
  scale_learn(queue, work_.spectra, work_.learn_jobs, filters.numerators, filters.denominators);
  discard(work_.spectra);
}

}  // namespace cltrack
