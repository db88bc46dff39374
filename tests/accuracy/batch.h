// SPDX-License-Identifier: LGPL-2.1-or-later
// All runs of an evaluation: every tracker on every sequence from every start with every seed,
// some of them at once.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "run.h"

namespace cltrack::accuracy {

struct BatchOptions {
  std::vector<std::string> trackers{"tld"};
  std::uint64_t seeds = 1;     // 0, 1 .. seeds - 1; trackers without random choices run once
  std::uint64_t cv_seeds = 1;  // the same for OpenCV's, whose TLD takes minutes a run
  std::size_t max_frames = 0;  // of each run; 0 for all
  StartOptions starts;
  unsigned jobs = 1;       // runs at the same time
  TrackerConfigs configs;  // of our trackers
  Pace pace;
};

// Called with each run's row and observations as it ends, by one thread at a time, in no particular
// order if jobs > 1. A run that fails has a row with `error` set.
using RunHandler = std::function<void(const Row&, const Observations&)>;

// Returns all rows, in order of sequences, trackers, starts, seeds. Progress goes to stderr.
// An exception of the handler ends the batch.
std::vector<Row> run_batch(std::span<const Sequence> sequences, const BatchOptions& options,
                           const RunHandler& handler);

}  // namespace cltrack::accuracy
