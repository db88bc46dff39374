// SPDX-License-Identifier: LGPL-2.1-or-later
#include <cmath>

#include "core/processor.h"
#include "ops/filter/filter_learn.h"
#include "ops/filter/filter_plane.h"

namespace cltrack::vector {
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

}  // namespace cltrack::vector
