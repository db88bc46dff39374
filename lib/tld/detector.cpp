// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/detector.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ops/ferns/select_best.h"

namespace cltrack {
namespace {

constexpr std::size_t kWindowsPerPart = 2000;  // some 0.2 ms of work
constexpr int kMatchesPerPart = 16;

bool is_device(const std::shared_ptr<Queue>& queue) { return queue && !queue->is_host(); }

bool same_device(const std::shared_ptr<Queue>& a, const std::shared_ptr<Queue>& b) {
  if (!is_device(a) || !is_device(b)) return is_device(a) == is_device(b);
  return &a->device() == &b->device();
}

}  // namespace

Detector::Detector(ScanGrid grid, const FernEnsemble& ferns, const TldConfig& config,
                   const Queues& queues)
    : grid_(std::move(grid)),
      ferns_(ferns.ferns()),
      chained_(is_device(queues.ferns) && same_device(queues.ferns, queues.nn)),
      learns_elsewhere_(!same_device(queues.ferns, queues.learn)),
      max_candidates_(static_cast<std::size_t>(config.max_candidates)) {
  for (const ScanScale& scale : grid_.scales()) {
    pairs_.push_back(ferns.pairs_for(scale.width, scale.height));
  }
  minimum_variance_.resize(grid_.scales().size());
  std::vector<ScanSize> sizes;
  for (std::size_t s = 0; s < grid_.scales().size(); ++s) sizes.push_back(scan_size(s));
  windows_.assign(sizes);
  set_fern_threshold(config.fern_threshold);
  if (is_device(queues.nn)) {
    int longest = 0;
    for (const ScanScale& scale : grid_.scales()) {
      longest = std::max({longest, scale.width, scale.height});
    }
    device_match_ = std::make_unique<DeviceMatch>(queues.nn, static_cast<float>(longest));
  }
  if (is_device(queues.ferns)) {
    device_scan_ = std::make_unique<DeviceScan>(queues.ferns);
    return;
  }
  for (std::size_t s = 0; s < grid_.scales().size(); ++s) {
    const ScanScale& scale = grid_.scales()[s];
    const int rows = static_cast<int>(scale.ys.size());
    const int step = std::max(1, static_cast<int>(kWindowsPerPart / scale.xs.size()));
    for (int row = 0; row < rows; row += step) {
      parts_.push_back({s, row, std::min(row + step, rows)});
    }
  }
  candidates_.resize(parts_.size());
}

ScanSize Detector::scan_size(std::size_t index) const {
  const ScanScale& scale = grid_.scales()[index];
  return {.width = scale.width,
          .height = scale.height,
          .xs = scale.xs,
          .ys = scale.ys,
          .first = scale.first,
          .pairs = pairs_[index],
          .minimum_variance = minimum_variance_[index]};
}

void Detector::set_minimum_variance(float variance) {
  for (std::size_t s = 0; s < minimum_variance_.size(); ++s) {
    const double pixels = static_cast<double>(grid_.scales()[s].width) * grid_.scales()[s].height;
    minimum_variance_[s] =
        static_cast<std::uint64_t>(std::ceil(static_cast<double>(variance) * pixels * pixels));
  }
  windows_.set_minimum_variance(0, minimum_variance_);
}

void Detector::set_fern_threshold(float threshold) {
  const float full = static_cast<float>(ferns_) * static_cast<float>(kPosteriorOne);
  // The first whole number above.
  best_score_ = static_cast<std::uint32_t>(std::floor(threshold * full)) + 1;
  windows_.set_least_score(0, best_score_);
}

void Detector::enqueue_scan(FramePlanes& planes, FernEnsemble& ferns) {
  if (!device_scan_) {
    posteriors_ = ferns.tables().host_view();
    return;
  }
  device_scan_->enqueue(planes, windows_, ferns.tables(), kPosteriorOne, max_candidates_,
                        learns_elsewhere_);
  device_scan_->flush();
}

void Detector::chain_match(FramePlanes& planes, const ObjectModel& model) {
  if (!chained_) return;
  BestWindows& best = device_scan_->best();
  device_match_->enqueue(planes, best.boxes, best.count, model);
}

void Detector::scan_part(int part_index, const FramePlanes& planes) {
  const Part& part = parts_[static_cast<std::size_t>(part_index)];
  CandidateList& candidates = candidates_[static_cast<std::size_t>(part_index)];
  candidates.clear();
  scan_rows_vector(planes.blurred, planes.integrals, scan_size(part.scale), posteriors_,
                   kPosteriorOne, part.first_row, part.last_row, candidates);
}

void Detector::collect() {
  std::vector<Candidate> best;
  if (device_scan_) {
    const std::span<const Candidate> windows = device_scan_->best_windows();
    best.assign(windows.begin(), windows.end());
  } else {
    for (const CandidateList& part : candidates_) {
      std::ranges::copy_if(part.windows, std::back_inserter(best), [&](const Candidate& candidate) {
        return candidate.score >= best_score_;
      });
    }
    select_best(best, max_candidates_);
  }
  detections_.clear();
  for (const Candidate& candidate : best) {
    detections_.push_back({candidate.window, grid_.window(candidate.window).box(), {}, {}});
  }
}

CandidateArrays& Detector::candidate_arrays() {
  if (device_scan_) return device_scan_->candidates();
  std::size_t count = 0;
  for (const CandidateList& part : candidates_) count += part.windows.size();
  gathered_.resize(ferns_, count);
  auto windows = gathered_.windows.host_write().begin();
  auto codes = gathered_.codes.host_write().begin();
  for (const CandidateList& part : candidates_) {
    windows = std::ranges::copy(part.windows, windows).out;
    codes = std::ranges::copy(part.codes, codes).out;
  }
  gathered_.count.host_write()[0] = static_cast<std::uint32_t>(count);
  return gathered_;
}

void Detector::enqueue_candidates() {
  if (!device_scan_ || !learns_elsewhere_) return;
  CandidateArrays& candidates = device_scan_->candidates();
  candidates.trim();
  candidates.windows.fetch();
  candidates.codes.fetch();
}

void Detector::enqueue_match(FramePlanes& planes, const ObjectModel& model) {
  if (!device_match_ || chained_ || detections_.empty()) return;
  std::vector<BoundingBox> boxes;
  for (const Detection& detection : detections_) boxes.push_back(detection.box);
  device_match_->enqueue(planes, boxes, model);
}

void Detector::collect_match(const ObjectModel& model) {
  if (!device_match_ || detections_.empty()) return;
  const std::span<const NearestPatches> nearest = device_match_->nearest();
  for (std::size_t i = 0; i < detections_.size(); ++i) {
    detections_[i].similarity = model.similarity(nearest[i]);
  }
}

int Detector::match_parts() const {
  if (device_match_) return 0;
  return (static_cast<int>(detections_.size()) + kMatchesPerPart - 1) / kMatchesPerPart;
}

void Detector::match_part(int part, const FramePlanes& planes, const ObjectModel& model) {
  const auto first = static_cast<std::size_t>(part * kMatchesPerPart);
  const auto last = std::min(first + kMatchesPerPart, detections_.size());
  for (std::size_t i = first; i < last; ++i) {
    detections_[i].patch = extract_patch_vector(planes.luma, detections_[i].box);
    detections_[i].similarity = model.similarity(*detections_[i].patch);
  }
}

}  // namespace cltrack
