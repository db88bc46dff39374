// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/detector.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ops/select_best.h"

namespace cltrack {
namespace {

constexpr std::size_t kWindowsPerPart = 2000;  // some 0.2 ms of work
constexpr int kMatchesPerPart = 16;

}  // namespace

Detector::Detector(ScanGrid grid, const FernEnsemble& ferns, const TldConfig& config)
    : grid_(std::move(grid)), max_candidates_(static_cast<std::size_t>(config.max_candidates)) {
  for (std::size_t s = 0; s < grid_.scales().size(); ++s) {
    const ScanScale& scale = grid_.scales()[s];
    pairs_.push_back(ferns.pairs_for(scale.width, scale.height));
    const int rows = static_cast<int>(scale.ys.size());
    const int step = std::max(1, static_cast<int>(kWindowsPerPart / scale.xs.size()));
    for (int row = 0; row < rows; row += step) {
      parts_.push_back({s, row, std::min(row + step, rows), {}});
    }
  }
  minimum_variance_.resize(grid_.scales().size());
}

void Detector::set_minimum_variance(float variance) {
  for (std::size_t s = 0; s < minimum_variance_.size(); ++s) {
    const double pixels = static_cast<double>(grid_.scales()[s].width) * grid_.scales()[s].height;
    minimum_variance_[s] =
        static_cast<std::uint64_t>(std::ceil(static_cast<double>(variance) * pixels * pixels));
  }
}

void Detector::scan_part(int part_index, const FramePlanes& planes, const FernTables& tables) {
  Part& part = parts_[static_cast<std::size_t>(part_index)];
  const ScanScale& scale = grid_.scales()[part.scale];
  const ScanSize size{.width = scale.width,
                      .height = scale.height,
                      .xs = scale.xs,
                      .ys = scale.ys,
                      .first = scale.first,
                      .pairs = pairs_[part.scale],
                      .minimum_variance = minimum_variance_[part.scale]};
  part.candidates.clear();
  scan_rows(planes.blurred.view(), planes.integrals, size, tables, kPosteriorOne, part.first_row,
            part.last_row, part.candidates);
}

void Detector::collect(const FernTables& tables, float fern_threshold) {
  candidates_.clear();
  for (const Part& part : parts_) {
    candidates_.insert(candidates_.end(), part.candidates.begin(), part.candidates.end());
  }
  const float full = static_cast<float>(tables.ferns) * static_cast<float>(kPosteriorOne);
  std::vector<Candidate> best;
  std::copy_if(candidates_.begin(), candidates_.end(), std::back_inserter(best),
               [limit = fern_threshold * full](const Candidate& candidate) {
                 return static_cast<float>(candidate.score) > limit;
               });
  select_best(best, max_candidates_);
  detections_.resize(best.size());
  for (std::size_t i = 0; i < best.size(); ++i) {
    detections_[i].window = best[i].window;
    detections_[i].box = grid_.window(best[i].window).box();
  }
}

int Detector::match_parts() const {
  return (static_cast<int>(detections_.size()) + kMatchesPerPart - 1) / kMatchesPerPart;
}

void Detector::match_part(int part, const FramePlanes& planes, const ObjectModel& model) {
  const auto first = static_cast<std::size_t>(part * kMatchesPerPart);
  const auto last = std::min(first + kMatchesPerPart, detections_.size());
  for (std::size_t i = first; i < last; ++i) {
    detections_[i].patch = extract_patch(planes.luma, detections_[i].box);
    detections_[i].similarity = model.similarity(detections_[i].patch);
  }
}

}  // namespace cltrack
