// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/match/match_template.h"

#include <utility>

#include "ops/match/match_host.h"

namespace cltrack {
namespace {

// Products of pixels that take as long as one value of a transform there and back.
constexpr double kProductsPerValue = 24;

bool is_direct_faster(const ImageView& plane, const MatchTemplate& pattern) {
  const double places = static_cast<double>(plane.width - pattern.width() + 1) *
                        static_cast<double>(plane.height - pattern.height() + 1);
  const double values = static_cast<double>(plane.width) * static_cast<double>(plane.height);
  return places * static_cast<double>(pattern.pixels()) < kProductsPerValue * values;
}

}  // namespace

MatchScratch::Host::Loan::Loan(Host& owner) : owner_(owner) {
  const std::lock_guard lock(owner.mutex_);
  if (owner.idle_.empty()) {
    work_ = std::make_unique<MatchWork>();
  } else {
    work_ = std::move(owner.idle_.back());
    owner.idle_.pop_back();
  }
}

MatchScratch::Host::Loan::~Loan() {
  const std::lock_guard lock(owner_.mutex_);
  owner_.idle_.push_back(std::move(work_));
}

MatchFound best_of(const std::vector<MatchFound>& list) {
  MatchFound best = kNoMatch;
  for (const MatchFound& found : list) {
    if (found.x >= 0 && (best.x < 0 || is_better_match(found, best))) best = found;
  }
  return best;
}

MatchPlace best_match_host(const ImageView& plane, MatchTemplate& pattern, MatchScratch& scratch,
                           ThreadPool& pool) {
  return match_place(best_fraction_host(plane, pattern, scratch, pool), pattern);
}

MatchFound best_fraction_host(const ImageView& plane, MatchTemplate& pattern, MatchScratch& scratch,
                              ThreadPool& pool) {
  check_match_sizes(plane.width, plane.height, pattern);
  if (pattern.energy() == 0) return {0, 0, 0, 0};
  const MatchWay way = scratch.host().way;
  if (way == MatchWay::direct || (way == MatchWay::by_size && is_direct_faster(plane, pattern))) {
    return best_match_direct(plane, pattern, scratch.host(), pool);
  }
  return best_match_spectral(plane, pattern, scratch.host(), pool);
}

}  // namespace cltrack
