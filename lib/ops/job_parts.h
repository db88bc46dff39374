// SPDX-License-Identifier: LGPL-2.1-or-later
// Divides the host's work on several jobs (targets) between the queue's threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "compute/queue.h"

namespace cltrack {

// Calls body(job, first, end) so that each job's entries [0, counts[job]) are covered once, at most
// `most` in a call. Calls are in any order, and run at the same time.
template <typename Body>
void run_job_parts(Queue& queue, std::span<const std::uint32_t> counts, std::uint32_t most,
                   const Body& body) {
  const auto parts_of = [&](std::uint32_t count) {
    return static_cast<int>((count + most - 1) / most);
  };
  int parts = 0;
  for (const std::uint32_t count : counts) parts += parts_of(count);
  queue.run(parts, [&](int part) {
    std::size_t job = 0;
    while (part >= parts_of(counts[job])) part -= parts_of(counts[job++]);
    const std::uint32_t first = static_cast<std::uint32_t>(part) * most;
    body(job, first, std::min(first + most, counts[job]));
  });
}

}  // namespace cltrack
