// SPDX-License-Identifier: LGPL-2.1-or-later
// Arrays in which every target has a slot of its own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "compute/array.h"

namespace cltrack {

// Room for `slots` slots of `each` elements; what is there stays. The array itself is as it was if
// this throws.
template <typename T>
Array<T> larger_slots(const Array<T>& array, std::size_t slots, std::size_t each) {
  Array<T> larger(std::max(array.size(), slots * each));
  const std::span<T> to = larger.host_write();
  const std::span<const T> from = array.host_read();
  const auto rest = std::copy(from.begin(), from.end(), to.begin());
  std::fill(rest, to.end(), T{});
  return larger;
}

// Moves the contents to memory that no device has used: one that has failed harms it no more.
template <typename T>
void leave_devices(Array<T>& array) {
  array = Array<T>(array.host_read());
}

}  // namespace cltrack
