// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/filter/translation_filter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "cltrack/error.h"
#include "compute/launch.h"
#include "core/processor.h"
#include "ops/filter/filter_plane.h"
#include "ops/filter/reference_transform.h"
#include "ops/job_parts.h"

namespace cltrack {
namespace {

// Spectrum or filter `index` of several.
template <typename Float, typename Index>
std::span<Float> spectrum_at(std::span<Float> all, Index index) {
  return entry_at(all, index, kFilterSpectrum);
}

// The spectrum of the label: real, since it is symmetric. Divided by the number of cells.
std::array<float, kFilterBins> label_spectrum() {
  std::array<double, kFilterPlane> label;
  std::array<double, kFilterCells> cosines;
  for (int x = 0; x < kFilterCells; ++x) {
    cosines[static_cast<std::size_t>(x)] = std::cos(2 * std::numbers::pi * x / kFilterCells);
    for (int y = 0; y < kFilterCells; ++y) {
      label[static_cast<std::size_t>(x * kFilterCells + y)] = filter_label(x, y);
    }
  }
  std::array<float, kFilterBins> spectrum;
  auto entry = spectrum.begin();
  for (int v = 0; v < CLTRACK_FILTER_ROWS; ++v) {
    for (int u = 0; u < kFilterCells; ++u) {
      double sum = 0;
      auto value = label.begin();
      for (int x = 0; x < kFilterCells; ++x) {
        for (int y = 0; y < kFilterCells; ++y) {
          sum += *value++ * cosines[static_cast<std::size_t>((u * x + v * y) % kFilterCells)];
        }
      }
      *entry++ = static_cast<float>(sum / static_cast<double>(kFilterPlane));
    }
  }
  return spectrum;
}

}  // namespace

FilterTables::FilterTables() : plan(kFilterCells) {
  stages.length = plan.length;
  stages.count = static_cast<int>(plan.radices.size());
  std::copy(plan.radices.begin(), plan.radices.end(), stages.radices);
  twiddles.assign(plan.twiddles);
  weights.resize(kFilterPlane);
  label.assign(label_spectrum());
  auto weight = weights.host_write().begin();
  for (int x = 0; x < kFilterCells; ++x) {
    for (int y = 0; y < kFilterCells; ++y) {
      *weight++ = static_cast<float>(kFilterGain * filter_weight(x) * filter_weight(y));
    }
  }
}

namespace reference {

void filter_spectrum(std::span<const float> features, std::span<float> spectrum) {
  for (std::size_t channel = 0; channel < kFilterChannels; ++channel) {
    ComplexPlane plane;
    for (std::size_t x = 0; x < kFilterCells; ++x) {
      for (std::size_t y = 0; y < kFilterCells; ++y) {
        const float feature = features[channel * kFilterPlane + x * kFilterCells + y];
        plane[x][y] = kFilterGain * filter_weight(static_cast<int>(x)) *
                      filter_weight(static_cast<int>(y)) * static_cast<double>(feature);
      }
    }
    const ComplexPlane all = transform(plane, -1);
    std::array<std::complex<double>, kFilterBins> bins;
    for (std::size_t v = 0; v < CLTRACK_FILTER_ROWS; ++v) {
      for (std::size_t u = 0; u < kFilterCells; ++u) bins[v * kFilterCells + u] = all[u][v];
    }
    write_bins(bins, channel, spectrum);
  }
}

}  // namespace reference

namespace {

constexpr int kItems = 256;  // of a work-group that transforms

[[gnu::always_inline]] inline void transform(const FftPlan& plan, const float* weights,
                                             const float* features, std::size_t pair,
                                             float* spectrum) {
  const float* first = features + pair * kFilterPlane;
  const float* second = first + CLTRACK_FILTER_PAIRS * kFilterPlane;
  filter_plane::Plane plane;
  for (int x = 0; x < kFilterCells; ++x) {
    for (int block = 0; block < filter_plane::kBlocks; ++block) {
      const int cell = x * kFilterCells + 8 * block;
      Floats8 weight;
      Complex8& value = plane.rows[x][block];
      filter_plane::load(weight, weights + cell);
      filter_plane::load(value.re, first + cell);
      filter_plane::load(value.im, second + cell);
      value.re *= weight;
      value.im *= weight;
    }
  }
  float* to = spectrum + pair * 2 * kFilterBins;
  filter_plane::forward(plan, plane, to, to + CLTRACK_FILTER_PAIRS * 2 * kFilterBins);
}

void transform_pair(const FilterTables& tables, std::span<const float> features, int pair,
                    std::span<float> spectrum) {
  kFastest<transform>(tables.plan, tables.weights.host_read().data(), features.data(),
                      static_cast<std::size_t>(pair), spectrum.data());
}

}  // namespace

namespace vector {

void filter_spectrum(const FilterTables& tables, std::span<const float> features,
                     std::span<float> spectrum) {
  for (int pair = 0; pair < CLTRACK_FILTER_PAIRS; ++pair) {
    transform_pair(tables, features, pair, spectrum);
  }
}

}  // namespace vector

void filter_spectra(Queue& queue, const FilterTables& tables, const Array<float>& features,
                    Array<float>& spectra) {
  const std::size_t windows = features.size() / kFilterFeatures;
  if (windows * kFilterFeatures != features.size()) {
    throw Error(ErrorCode::invalid_argument,
                "filter_spectra: " + std::to_string(features.size()) +
                    " features are no windows of 32 x 32 cells with 32 channels");
  }
  spectra.resize(windows * kFilterSpectrum);
  if (windows == 0) return;
  if (queue.is_host()) {
    const auto from = features.host_read();
    const auto to = spectra.host_write();
    constexpr int kPairs = CLTRACK_FILTER_PAIRS;
    queue.run(static_cast<int>(windows) * kPairs, [&](int part) {
      const auto i = static_cast<std::size_t>(part / kPairs);
      transform_pair(tables, from.subspan(i * kFilterFeatures, kFilterFeatures), part % kPairs,
                     to.subspan(i * kFilterSpectrum, kFilterSpectrum));
    });
    return;
  }
  const KernelName name = {"filter_spectra", "filter_spectra"};
  const auto items = items_of_group(queue, name, 1, kItems);
  launch(queue, name, global(windows * CLTRACK_FILTER_PAIRS * items), local(items), in(features),
         in(tables.weights), tables.stages, in(tables.twiddles), out(spectra),
         local_memory<float>(4 * kFilterPlane));
}

namespace reference {

void filter_respond(std::span<const float> spectrum, std::span<const float> filter,
                    std::span<float> response) {
  std::array<std::complex<double>, kFilterBins> sums = {};
  for (std::size_t channel = 0; channel < kFilterChannels; ++channel) {
    const auto x = bins_of(spectrum, channel), f = bins_of(filter, channel);
    for (std::size_t i = 0; i < kFilterBins; ++i) sums[i] += std::conj(f[i]) * x[i];
  }
  const ComplexPlane plane = transform(whole_spectrum(sums), 1);
  for (std::size_t x = 0; x < kFilterCells; ++x) {
    for (std::size_t y = 0; y < kFilterCells; ++y) {
      response[x * kFilterCells + y] =
          static_cast<float>(plane[x][y].real() / static_cast<double>(kFilterPlane));
    }
  }
}

}  // namespace reference

namespace {

constexpr auto kBins = static_cast<int>(kFilterBins);

[[gnu::always_inline]] inline void respond(const FftPlan& plan, const float* spectrum,
                                           const float* filter, float* response) {
  float sums[2 * kBins] = {}, none[2 * kBins] = {};
  for (int channel = 0; channel < kFilterChannels; ++channel) {
    const float* x = spectrum + channel * 2 * kBins;
    const float* f = filter + channel * 2 * kBins;
    for (int i = 0; i < kBins; ++i) {
      sums[i] += f[i] * x[i] + f[kBins + i] * x[kBins + i];
      sums[kBins + i] += f[i] * x[kBins + i] - f[kBins + i] * x[i];
    }
  }
  filter_plane::Plane plane;
  filter_plane::backward(plan, sums, none, plane);
  for (int x = 0; x < kFilterCells; ++x) {
    for (int block = 0; block < filter_plane::kBlocks; ++block) {
      filter_plane::store(response + x * kFilterCells + 8 * block,
                          plane.rows[x][block].re * (1.0f / kFilterPlane));
    }
  }
}

}  // namespace

namespace vector {

void filter_respond(const FilterTables& tables, std::span<const float> spectrum,
                    std::span<const float> filter, std::span<float> response) {
  kFastest<respond>(tables.plan, spectrum.data(), filter.data(), response.data());
}

}  // namespace vector

void filter_respond(Queue& queue, const FilterTables& tables, const Array<float>& spectra,
                    const Array<FilterJob>& jobs, const Array<float>& filters,
                    Array<float>& responses) {
  responses.resize(jobs.size() * kFilterPlane);
  if (jobs.size() == 0) return;
  check_jobs("filter_respond", jobs.host_read(), spectra.size() / kFilterSpectrum,
             filters.size() / kFilterSpectrum);
  if (queue.is_host()) {
    const auto from = spectra.host_read(), taught = filters.host_read();
    const auto to = responses.host_write();
    for_each_job(queue, jobs.host_read(), [&](const FilterJob& job, std::size_t i) {
      vector::filter_respond(tables, spectrum_at(from, job.window), spectrum_at(taught, job.slot),
                             entry_at(to, i, kFilterPlane));
    });
    return;
  }
  const KernelName name = {"filter_respond", "filter_respond"};
  const auto items = items_of_group(queue, name, 1, kItems);
  launch(queue, name, global(jobs.size() * items), local(items), in(spectra), in(jobs), in(filters),
         tables.stages, in(tables.twiddles), out(responses), local_memory<float>(4 * kFilterPlane));
}

namespace reference {

namespace {

using Bins = std::array<std::complex<double>, kFilterBins>;
using Channels = std::vector<Bins>;

Channels channels_of(std::span<const float> spectrum) {
  Channels all;
  for (std::size_t c = 0; c < kFilterChannels; ++c) all.push_back(bins_of(spectrum, c));
  return all;
}

Bins label_bins() {
  ComplexPlane plane;
  for (std::size_t x = 0; x < kFilterCells; ++x) {
    for (std::size_t y = 0; y < kFilterCells; ++y)
      plane[x][y] = filter_label(static_cast<int>(x), static_cast<int>(y));
  }
  const ComplexPlane all = transform(plane, -1);
  Bins bins;
  for (std::size_t i = 0; i < kFilterBins; ++i) bins[i] = all[i % kFilterCells][i / kFilterCells];
  return bins;
}

Channels solve(const Channels& x, const Bins& y, const Channels& before, double temporal,
               const Channels& masked, const Channels& rest) {
  constexpr auto penalty = static_cast<double>(CLTRACK_FILTER_PENALTY);
  const double cells = kFilterPlane;
  Channels f(kFilterChannels);
  for (std::size_t i = 0; i < kFilterBins; ++i) {
    std::array<std::complex<double>, kFilterChannels> q;
    std::complex<double> dot = 0;
    double energy = 0;
    for (std::size_t c = 0; c < kFilterChannels; ++c) {
      q[c] = x[c][i] * y[i] / cells + penalty * (masked[c][i] - rest[c][i]);
      if (temporal > 0) q[c] += temporal * before[c][i];
      dot += std::conj(x[c][i]) * q[c];
      energy += std::norm(x[c][i]);
    }
    const std::complex<double> share = dot / (cells * (penalty + temporal) + energy);
    for (std::size_t c = 0; c < kFilterChannels; ++c) {
      f[c][i] = (q[c] - x[c][i] * share) / (penalty + temporal);
    }
  }
  return f;
}

Bins mask(const Bins& filter, const FilterJob& job) {
  ComplexPlane plane = transform(whole_spectrum(filter), 1);
  for (std::size_t x = 0; x < kFilterCells; ++x) {
    for (std::size_t y = 0; y < kFilterCells; ++y) {
      const bool inside =
          std::abs(static_cast<double>(x) - 15.5) <= static_cast<double>(job.half_width) &&
          std::abs(static_cast<double>(y) - 15.5) <= static_cast<double>(job.half_height);
      plane[x][y] = inside ? plane[x][y].real() / static_cast<double>(kFilterPlane) : 0;
    }
  }
  const ComplexPlane all = transform(plane, -1);
  Bins bins;
  for (std::size_t i = 0; i < kFilterBins; ++i) bins[i] = all[i % kFilterCells][i / kFilterCells];
  return bins;
}

}  // namespace

void filter_learn(const FilterJob& job, std::span<const float> spectrum, std::span<float> filter) {
  const double temporal = static_cast<double>(job.temporal);
  const Channels x = channels_of(spectrum), before = channels_of(filter);
  const Bins y = label_bins();
  const Channels none(kFilterChannels);
  const Channels first = solve(x, y, before, temporal, none, none);
  Channels masked, rest(kFilterChannels);
  for (std::size_t c = 0; c < kFilterChannels; ++c) {
    masked.push_back(mask(first[c], job));
    for (std::size_t i = 0; i < kFilterBins; ++i) rest[c][i] = first[c][i] - masked[c][i];
  }
  const Channels last = solve(x, y, before, temporal, masked, rest);
  for (std::size_t c = 0; c < kFilterChannels; ++c) write_bins(mask(last[c], job), c, filter);
}

}  // namespace reference

namespace vector {

namespace {

constexpr auto kBins = static_cast<int>(kFilterBins);
constexpr auto kCells = static_cast<float>(kFilterPlane);

// Bins of one row of a spectrum: what fits into registers and the nearest cache.
constexpr int kRow = kFilterCells;

// One step for the bins of a row, from `row` on. `constraint`: gamma h - l, null in the first step.
// `result` may be the constraint.
[[gnu::always_inline]] inline void solve(const FilterJob& job, const float* label,
                                         const float* spectrum, const float* before,
                                         const float* constraint, int row, float* result) {
  const float temporal = job.temporal;
  const bool has_before = temporal > 0;
  float q_re[kFilterChannels][kRow], q_im[kFilterChannels][kRow];
  float dot_re[kRow] = {}, dot_im[kRow] = {}, energy[kRow] = {};
  for (int c = 0; c < kFilterChannels; ++c) {
    const int re = c * 2 * kBins + row, im = re + kBins;
    for (int i = 0; i < kRow; ++i) {
      const float x_re = spectrum[re + i], x_im = spectrum[im + i];
      float a = x_re * label[row + i], b = x_im * label[row + i];
      if (has_before) {
        a += temporal * before[re + i];
        b += temporal * before[im + i];
      }
      if (constraint != nullptr) {
        a += constraint[re + i];
        b += constraint[im + i];
      }
      q_re[c][i] = a;
      q_im[c][i] = b;
      dot_re[i] += x_re * a + x_im * b;
      dot_im[i] += x_re * b - x_im * a;
      energy[i] += x_re * x_re + x_im * x_im;
    }
  }
  const float regular = kCells * (CLTRACK_FILTER_PENALTY + temporal);
  const float scale = 1 / (CLTRACK_FILTER_PENALTY + temporal);
  for (int i = 0; i < kRow; ++i) {
    dot_re[i] /= regular + energy[i];
    dot_im[i] /= regular + energy[i];
  }
  for (int c = 0; c < kFilterChannels; ++c) {
    const int re = c * 2 * kBins + row, im = re + kBins;
    for (int i = 0; i < kRow; ++i) {
      const float x_re = spectrum[re + i], x_im = spectrum[im + i];
      result[re + i] = (q_re[c][i] - (x_re * dot_re[i] - x_im * dot_im[i])) * scale;
      result[im + i] = (q_im[c][i] - (x_re * dot_im[i] + x_im * dot_re[i])) * scale;
    }
  }
}

// Filters of a pair of channels with all but the target's cells set to 0.
[[gnu::always_inline]] inline void mask(const FftPlan& plan, const FilterJob& job,
                                        const float* first, const float* second,
                                        float* first_masked, float* second_masked) {
  float inside[kFilterCells];  // of a column
  for (int y = 0; y < kFilterCells; ++y)
    inside[y] = std::abs(static_cast<float>(y) - 15.5f) <= job.half_height ? 1.0f / kCells : 0;
  filter_plane::Plane plane;
  filter_plane::backward(plan, first, second, plane);
  for (int x = 0; x < kFilterCells; ++x) {
    const float column = std::abs(static_cast<float>(x) - 15.5f) <= job.half_width ? 1.0f : 0;
    for (int block = 0; block < filter_plane::kBlocks; ++block) {
      Floats8 factor;
      filter_plane::load(factor, inside + 8 * block);
      factor *= column;
      plane.rows[x][block].re *= factor;
      plane.rows[x][block].im *= factor;
    }
  }
  filter_plane::forward(plan, plane, first_masked, second_masked);
}

constexpr std::size_t kBoth = 2 * kFilterBins;                 // real and imaginary parts
constexpr std::size_t kSecond = CLTRACK_FILTER_PAIRS * kBoth;  // of a pair

// Replaces the first step's filters of a pair of channels, f, by gamma h - l.
[[gnu::always_inline]] inline void constrain(const FftPlan& plan, const FilterJob& job,
                                             std::size_t pair, float* work) {
  float* const pairs[2] = {work + pair * kBoth, work + kSecond + pair * kBoth};
  float masked[2][kBoth];
  mask(plan, job, pairs[0], pairs[1], masked[0], masked[1]);
  for (int channel = 0; channel < 2; ++channel) {
    float* const first = pairs[channel];
    for (std::size_t i = 0; i < kBoth; ++i) {
      const float kept = masked[channel][i];
      first[i] = CLTRACK_FILTER_PENALTY * (kept - (first[i] - kept));
    }
  }
}

[[gnu::always_inline]] inline void cut(const FftPlan& plan, const FilterJob& job, std::size_t pair,
                                       const float* work, float* filter) {
  const std::size_t at = pair * kBoth;
  mask(plan, job, work + at, work + kSecond + at, filter + at, filter + kSecond + at);
}

[[gnu::always_inline]] inline void first_row(const float* label, const FilterJob& job,
                                             const float* spectrum, const float* filter, int row,
                                             float* work) {
  solve(job, label, spectrum, filter, nullptr, row * kRow, work);
}

[[gnu::always_inline]] inline void last_row(const float* label, const FilterJob& job,
                                            const float* spectrum, const float* filter, int row,
                                            float* work) {
  solve(job, label, spectrum, filter, work, row * kRow, work);
}

}  // namespace

void filter_learn_first(const FilterTables& tables, const FilterJob& job,
                        std::span<const float> spectrum, std::span<const float> filter, int row,
                        std::span<float> work) {
  kFastest<first_row>(tables.label.host_read().data(), job, spectrum.data(), filter.data(), row,
                      work.data());
}

void filter_learn_constrain(const FilterTables& tables, const FilterJob& job, int pair,
                            std::span<float> work) {
  kFastest<constrain>(tables.plan, job, static_cast<std::size_t>(pair), work.data());
}

void filter_learn_last(const FilterTables& tables, const FilterJob& job,
                       std::span<const float> spectrum, std::span<const float> filter, int row,
                       std::span<float> work) {
  kFastest<last_row>(tables.label.host_read().data(), job, spectrum.data(), filter.data(), row,
                     work.data());
}

void filter_learn_cut(const FilterTables& tables, const FilterJob& job, std::span<const float> work,
                      int pair, std::span<float> filter) {
  kFastest<cut>(tables.plan, job, static_cast<std::size_t>(pair), work.data(), filter.data());
}

void filter_learn(const FilterTables& tables, const FilterJob& job, std::span<const float> spectrum,
                  std::span<float> work, std::span<float> filter) {
  for (int row = 0; row < CLTRACK_FILTER_ROWS; ++row) {
    filter_learn_first(tables, job, spectrum, filter, row, work);
  }
  for (int pair = 0; pair < CLTRACK_FILTER_PAIRS; ++pair) {
    filter_learn_constrain(tables, job, pair, work);
  }
  for (int row = 0; row < CLTRACK_FILTER_ROWS; ++row) {
    filter_learn_last(tables, job, spectrum, filter, row, work);
  }
  for (int pair = 0; pair < CLTRACK_FILTER_PAIRS; ++pair) {
    filter_learn_cut(tables, job, work, pair, filter);
  }
}

}  // namespace vector

namespace {

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
  check_jobs("filter_learn", jobs.host_read(), spectra.size() / kFilterSpectrum,
             filters.size() / kFilterSpectrum);
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
    for_each_job(queue, all, [&](const FilterJob& job, std::size_t i) {
      vector::filter_learn(tables, job, spectrum_at(from, job.window), spectrum_at(work, i),
                           spectrum_at(to, job.slot));
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
  discard(scratch.first, scratch.masked);
}

}  // namespace cltrack
