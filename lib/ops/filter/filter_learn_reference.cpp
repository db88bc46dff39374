// SPDX-License-Identifier: LGPL-2.1-or-later
#include <cmath>
#include <vector>

#include "ops/filter/filter_learn.h"
#include "ops/filter/filter_weights.h"
#include "ops/filter/reference_transform.h"

namespace cltrack::reference {
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

}  // namespace cltrack::reference
