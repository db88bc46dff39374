// SPDX-License-Identifier: LGPL-2.1-or-later
#include <algorithm>
#include <cmath>
#include <numbers>

#include "ops/filter/filter_spectra.h"
#include "ops/filter/filter_weights.h"

namespace cltrack {
namespace {

// The spectrum of the label: real, since it is symmetric. Divided by the number of cells.
float label_at(int u, int v) {
  double sum = 0;
  for (int x = 0; x < kFilterCells; ++x) {
    for (int y = 0; y < kFilterCells; ++y) {
      const int turns = (u * x + v * y) % kFilterCells;
      sum += filter_label(x, y) * std::cos(2 * std::numbers::pi * turns / kFilterCells);
    }
  }
  return static_cast<float>(sum / static_cast<double>(kFilterPlane));
}

}  // namespace

FilterTables::FilterTables() : plan(kFilterCells) {
  stages.length = plan.length;
  stages.count = static_cast<int>(plan.radices.size());
  std::copy(plan.radices.begin(), plan.radices.end(), stages.radices);
  twiddles.assign(plan.twiddles);
  weights.resize(kFilterPlane);
  label.resize(kFilterBins);
  auto weight = weights.host_write().begin();
  for (int x = 0; x < kFilterCells; ++x) {
    for (int y = 0; y < kFilterCells; ++y) {
      *weight++ = static_cast<float>(kFilterGain * filter_weight(x) * filter_weight(y));
    }
  }
  auto entry = label.host_write().begin();
  for (int v = 0; v < CLTRACK_FILTER_ROWS; ++v) {
    for (int u = 0; u < kFilterCells; ++u) *entry++ = label_at(u, v);
  }
}

}  // namespace cltrack
