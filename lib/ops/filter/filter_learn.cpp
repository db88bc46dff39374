// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/filter/filter_learn.h"

#include <algorithm>
#include <cmath>

#include "compute/launch.h"
#include "ops/filter/filter_jobs.h"
#include "ops/filter/filter_weights.h"

namespace cltrack {
namespace {

constexpr int kItems = 256;    // of a work-group that transforms
constexpr int kBinItems = 64;  // of one that solves

// Step by step, so that a few targets occupy all threads.
void learn_by_parts(Queue& queue, const FilterTables& tables, std::span<const float> spectra,
                    std::span<const FilterJob> jobs, std::span<float> scratch,
                    std::span<float> filters) {
  const auto run = [&](int parts, const auto& step) {
    queue.run(static_cast<int>(jobs.size()) * parts, [&](int i) {
      const FilterJob& job = jobs[static_cast<std::size_t>(i / parts)];
      step(job, spectrum_at(spectra, job.window), spectrum_at(scratch, i / parts),
           spectrum_at(filters, job.slot), i % parts);
    });
  };
  run(CLTRACK_FILTER_ROWS,
      [&](const FilterJob& job, auto spectrum, auto work, auto filter, int row) {
        vector::filter_learn_first(tables, job, spectrum, filter, row, work);
      });
  run(CLTRACK_FILTER_PAIRS, [&](const FilterJob& job, auto, auto work, auto, int pair) {
    vector::filter_learn_constrain(tables, job, pair, work);
  });
  run(CLTRACK_FILTER_ROWS,
      [&](const FilterJob& job, auto spectrum, auto work, auto filter, int row) {
        vector::filter_learn_last(tables, job, spectrum, filter, row, work);
      });
  run(CLTRACK_FILTER_PAIRS, [&](const FilterJob& job, auto, auto work, auto filter, int pair) {
    vector::filter_learn_cut(tables, job, work, pair, filter);
  });
}

}  // namespace

FilterJob filter_job(int window, int slot, float width, float height, float temporal) {
  // A quarter of a cell more than the target has, and at least the four cells in the middle.
  const float cells = static_cast<float>(kFilterCells / kFilterArea) / std::sqrt(width * height);
  const auto half = [&](float side) { return std::max(0.5f * side * cells + 0.25f, 0.5f); };
  return {window, slot, half(width), half(height), temporal};
}

void filter_learn(Queue& queue, const FilterTables& tables, const Array<float>& spectra,
                  const Array<FilterJob>& jobs, FilterScratch& scratch, Array<float>& filters) {
  if (jobs.size() == 0) return;
  check_jobs("filter_learn", jobs.host_read(), spectra.size(), filters.size());
  if (queue.is_host()) {
    const auto all = jobs.host_read();
    const auto from = spectra.host_read();
    const auto to = filters.host_update();
    scratch.first.resize(all.size() * kFilterSpectrum);
    const auto work = scratch.first.host_write();
    if (static_cast<int>(all.size()) < queue.threads()) {
      learn_by_parts(queue, tables, from, all, work, to);
      return;
    }
    queue.run(static_cast<int>(all.size()), [&](int job) {
      const FilterJob& own = all[static_cast<std::size_t>(job)];
      vector::filter_learn(tables, own, spectrum_at(from, own.window), spectrum_at(work, job),
                           spectrum_at(to, own.slot));
    });
    return;
  }
  scratch.first.resize(jobs.size() * kFilterSpectrum);
  scratch.masked.resize(jobs.size() * kFilterSpectrum);
  const auto bins = global(kFilterBins, jobs.size());
  launch(queue, {"filter_learn", "filter_first"}, bins, local(kBinItems, 1), in(spectra), in(jobs),
         in(tables.label), in(filters), out(scratch.first));
  const KernelName mask = {"filter_learn", "filter_mask"};
  const auto items = items_of_group(queue, mask, 1, kItems);
  const auto pairs = global(jobs.size() * CLTRACK_FILTER_PAIRS * items);
  launch(queue, mask, pairs, local(items), in(scratch.first), in(jobs), tables.stages,
         in(tables.twiddles), 0, out(scratch.masked), local_memory<float>(4 * kFilterPlane));
  launch(queue, {"filter_learn", "filter_last"}, bins, local(kBinItems, 1), in(spectra), in(jobs),
         in(tables.label), in(filters), in(scratch.masked), inout(scratch.first));
  launch(queue, mask, pairs, local(items), in(scratch.first), in(jobs), tables.stages,
         in(tables.twiddles), 1, inout(filters), local_memory<float>(4 * kFilterPlane));
}

}  // namespace cltrack
