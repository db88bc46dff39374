// SPDX-License-Identifier: LGPL-2.1-or-later
// A bank of filters of which every number is known.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "compute/cl.h"
#include "motion/filter_bank.h"
#include "ops/filter/filter_colors.h"
#include "ops/filter/translation_filter.h"
#include "support/devices.h"

namespace cltrack::test {

// Calls work(array, elements of a slot) for all of them.
template <typename Work>
void for_each_array(LearntArrays& arrays, const Work& work) {
  work(arrays.filters, kFilters * kFilterSpectrum);
  work(arrays.histograms, std::size_t{2} * kColorBins);
  work(arrays.likelihoods, std::size_t{kColorBins});
  work(arrays.scales.numerators, kScaleNumerators);
  work(arrays.scales.denominators, kScaleDenominators);
}

// All numbers of the target become `value`, as if its device had learnt.
inline void teach(FilterBank& bank, std::uint64_t id, int value, Queue& queue) {
  const std::size_t slot = bank.slot_of(id);
  for_each_array(bank.arrays(), [&]<typename T>(Array<T>& array, std::size_t each) {
    if (queue.is_host()) {
      std::ranges::fill(array.host_update(slot * each, each), static_cast<T>(value));
      return;
    }
    translate_errors(
        &queue.device(), [] { return std::string("teaching"); },
        [&] {
          fill_on_device(queue, array.device_update(queue), static_cast<T>(value), slot * each,
                         each);
        });
  });
  bank.set_taught(slot, ColorSpace::yuv);
}

// The number that all of the target's are; -1 if they are not the same. Brings them to the host.
inline int taught_value(FilterBank& bank, std::uint64_t id) {
  const std::size_t slot = bank.slot_of(id);
  const std::size_t first = slot * kFilters * kFilterSpectrum;
  const int value = static_cast<int>(bank.arrays().filters.host_read()[first]);
  bool same = true;
  for_each_array(bank.arrays(), [&]<typename T>(const Array<T>& array, std::size_t each) {
    same = same && std::ranges::all_of(array.host_read().subspan(slot * each, each),
                                       [&](T one) { return one == static_cast<T>(value); });
  });
  return same ? value : -1;
}

}  // namespace cltrack::test
