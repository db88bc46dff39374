// SPDX-License-Identifier: LGPL-2.1-or-later
// Divides the host's work on several jobs (targets) between the queue's threads, and checks jobs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "cltrack/error.h"
#include "compute/queue.h"

namespace cltrack {

// Calls body(job, index) for each job. Calls are in any order, and run at the same time.
template <typename Job, typename Body>
void for_each_job(Queue& queue, std::span<const Job> jobs, const Body& body) {
  queue.run(static_cast<int>(jobs.size()), [&](int i) {
    const auto index = static_cast<std::size_t>(i);
    body(jobs[index], index);
  });
}

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

// Entry `index` of those that lie in `all` one behind the other, `each` elements long.
template <typename Element, typename Index>
std::span<Element> entry_at(std::span<Element> all, Index index, std::size_t each) {
  return all.subspan(static_cast<std::size_t>(index) * each, each);
}

// Throws Error{invalid_argument} unless the window and the slot of each job exist.
template <typename Job>
void check_jobs(const char* op, std::span<const Job> jobs, std::size_t windows, std::size_t slots) {
  for (const Job& job : jobs) {
    if (job.window >= 0 && static_cast<std::size_t>(job.window) < windows && job.slot >= 0 &&
        static_cast<std::size_t>(job.slot) < slots) {
      continue;
    }
    throw Error(ErrorCode::invalid_argument,
                std::string(op) + ": window " + std::to_string(job.window) + " of " +
                    std::to_string(windows) + ", slot " + std::to_string(job.slot) + " of " +
                    std::to_string(slots));
  }
}

}  // namespace cltrack
