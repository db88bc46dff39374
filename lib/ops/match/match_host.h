// SPDX-License-Identifier: LGPL-2.1-or-later
// What the host's search of match_template.h keeps, and its two ways: every place, or those that a
// correlation in frequency space leaves.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "ops/match/match_exact.h"
#include "ops/match/match_spectrum.h"
#include "ops/match/match_template.h"

namespace cltrack {

struct MatchTemplate::Host {
  // Of transforms of these lengths; 0: none yet.
  int spectrum_width = 0, spectrum_height = 0;
  std::vector<Complex8> spectrum;
};

// A place that may be the best.
struct MatchCandidate {
  int x, y;
  double upper;  // no less than its score
  std::uint32_t sum;
  std::uint64_t squares;
};

// One for each task that runs.
struct MatchWork {
  SpectrumWork spectrum;
  PatchRows patches;
  std::vector<Complex8> rows;  // as floats
};

struct MatchScratch::Host {
  MatchWay way = MatchWay::by_size;
  std::unique_ptr<SpectrumShape> shape;
  int width = 0, height = 0;    // of the plane that it is for
  std::vector<Complex8> tiles;  // as floats
  std::vector<double> energies, products;
  std::vector<std::vector<MatchCandidate>> found;
  std::vector<MatchCandidate> candidates;
  std::vector<MatchFound> best;

  // Lends a task what it needs, and takes it back.
  class Loan {
   public:
    explicit Loan(Host& owner);
    ~Loan();
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    MatchWork& operator*() { return *work_; }
    MatchWork* operator->() { return work_.get(); }

   private:
    Host& owner_;
    std::unique_ptr<MatchWork> work_;
  };

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<MatchWork>> idle_;
};

MatchFound best_fraction_host(const ImageView& plane, MatchTemplate& pattern, MatchScratch& scratch,
                              ThreadPool& pool);
MatchFound best_match_direct(const ImageView& plane, const MatchTemplate& pattern,
                             MatchScratch::Host& scratch, ThreadPool& pool);
// The template must not be flat.
MatchFound best_match_spectral(const ImageView& plane, MatchTemplate& pattern,
                               MatchScratch::Host& scratch, ThreadPool& pool);

// The best of several; those with x < 0 are none.
MatchFound best_of(const std::vector<MatchFound>& list);
inline constexpr MatchFound kNoMatch = {0, 0, -1, -1};

}  // namespace cltrack
