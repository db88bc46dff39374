// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/match/best_match.h"

#include <string>
#include <utility>

#include "cltrack/error.h"
#include "ops/match/best_match_methods.h"

namespace cltrack {
namespace {

// Products of pixels that take as long as one value of a transform in both directions.
constexpr double kProductsPerValueOnHost = 24;
constexpr double kProductsPerValueOnDevice = 60;
constexpr double kMostPlanePixels = 1 << 24;  // of kernels: their sums over a plane fit 32 bits

MatchMethod faster_method(const Queue& queue, const Plane& plane, const MatchTemplate& pattern) {
  const double places = static_cast<double>(plane.width() - pattern.width() + 1) *
                        static_cast<double>(plane.height() - pattern.height() + 1);
  const double products = places * static_cast<double>(pattern.pixels());
  const double values = static_cast<double>(plane.width()) * static_cast<double>(plane.height());
  const bool direct =
      queue.is_host() ? products < kProductsPerValueOnHost * values
                      : values > kMostPlanePixels || products < kProductsPerValueOnDevice * values;
  return direct ? MatchMethod::direct : MatchMethod::spectral;
}

}  // namespace

MatchScratch::MatchScratch() : parts_(std::make_shared<Parts>()) {}

HostMatchScratch::Loan::Loan(HostMatchScratch& owner) : owner_(owner) {
  const std::lock_guard lock(owner.mutex_);
  if (owner.idle_.empty()) {
    work_ = std::make_unique<MatchWork>();
  } else {
    work_ = std::move(owner.idle_.back());
    owner.idle_.pop_back();
  }
}

HostMatchScratch::Loan::~Loan() {
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

void check_match_sizes(int plane_width, int plane_height, const MatchTemplate& pattern) {
  if (pattern.width() <= plane_width && pattern.height() <= plane_height) return;
  const auto size = [](int width, int height) {
    return std::to_string(width) + "x" + std::to_string(height);
  };
  throw Error(ErrorCode::invalid_argument,
              "template of " + size(pattern.width(), pattern.height()) + " in a plane of " +
                  size(plane_width, plane_height) + ": must not be larger than the plane");
}

MatchPlace match_place(const MatchFound& found, const MatchTemplate& pattern) {
  return {found.x, found.y, match_score(found, pattern.energy())};
}

void best_match(Queue& queue, const Plane& plane, MatchTemplate& pattern, MatchScratch& scratch,
                Array<MatchFound>& found) {
  best_match_by(faster_method(queue, plane, pattern), queue, plane, pattern, scratch, found);
}

void best_match_by(MatchMethod method, Queue& queue, const Plane& plane, MatchTemplate& pattern,
                   MatchScratch& scratch, Array<MatchFound>& found) {
  check_match_sizes(plane.width(), plane.height(), pattern);
  const bool flat = pattern.energy() == 0;  // all places are equal
  if (!queue.is_host() && !flat) {
    launch_best_match(method, queue, plane, pattern, scratch, found);
    return;
  }
  found.resize(1);
  MatchFound& best = found.host_write().front();
  if (flat) {
    best = {0, 0, 0, 0};
  } else if (method == MatchMethod::direct) {
    best = best_match_direct(plane.host_view(), pattern, scratch.parts().host, queue);
  } else {
    best = best_match_spectral(plane.host_view(), pattern, scratch.parts().host, queue);
  }
}

}  // namespace cltrack
