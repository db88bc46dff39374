// SPDX-License-Identifier: LGPL-2.1-or-later
// The correlation filters of all targets: shared arrays with a slot for each.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cltrack/color_picture.h"
#include "compute/array.h"
#include "compute/queue.h"
#include "motion/filter_response.h"
#include "motion/scale_filter.h"

namespace cltrack {

// Arrays in which every target has a slot of its own.

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

// The coefficients of correlation filters, in arrays that all targets share, so that one call does
// for all. A target has a slot of its own in each, from its first estimate on.
//
// A device that learns may fail, and all that it has is lost then. So the host has copies of each
// target that are made now and then: targets go on as they were there.
//
// Threading: one thread at a time, the one that uses the queue.

// A target has an adaptive filter, which learns from each frame, and the initial one of its first
// frame.
inline constexpr std::size_t kFilters = 2;

// See the ops for what they hold; of a slot:
struct LearntArrays {
  Array<float> filters;              // kFilters * kFilterSpectrum
  Array<float> histograms;           // 2 * kColorBins
  Array<std::uint16_t> likelihoods;  // kColorBins
  ScaleArrays scales;                // kScaleNumerators, kScaleDenominators
};

class FilterBank {
 public:
  // The target's slot, or a free one with room in all arrays. Waits for the device if there is no
  // room. Throws Error; then all is as it was.
  std::size_t slot_of(std::uint64_t id);
  void remove(std::uint64_t id);

  // By slot.
  LearntArrays& arrays() { return arrays_; }
  bool is_initialised(std::size_t slot) const { return slots_[slot].is_initialised; }
  // The histograms are of these.
  ColorSpace colors(std::size_t slot) const { return slots_[slot].colors; }
  void set_taught(std::size_t slot, ColorSpace colors);
  // The responses of the target's filters to their latest sample, if they are known.
  const std::optional<LearntResponse>& learnt_response(std::size_t slot) const {
    return slots_[slot].learnt_response;
  }
  // Nothing happens if there is no such target any more.
  void set_learnt_response(std::uint64_t id, const LearntResponse& response);

  // A device has learnt from one more frame. The copy of one target is queued, if one is due: a
  // target at a time, so that no frame has much to copy.
  void learnt_on_device();
  // Takes what has been queued so. Waits, unless the queue has been waited for.
  void save();

  // Brings all to memory that no device has used, after one wait. If the device fails, targets are
  // what they were when they were saved, those that were not are forgotten, and a warning is
  // logged.
  void leave_devices(Queue& queue);

  // Forgets all targets. Never throws.
  void clear() noexcept;

 private:
  struct Saved {
    std::uint64_t frame = 0;  // when it was made; 0: there is none
    ColorSpace colors = ColorSpace::none;
    LearntArrays arrays = {};  // of one slot, in the host's memory
  };
  struct Slot {
    std::uint64_t id = 0;  // 0: free
    bool is_initialised = false;
    ColorSpace colors = ColorSpace::none;
    std::optional<LearntResponse> learnt_response = {};
    Saved saved = {};
  };

  void grow();
  void go_back(const std::string& reason);

  std::vector<Slot> slots_;
  LearntArrays arrays_;
  std::uint64_t frames_ = 0;  // that a device has learnt from
  Saved arriving_;
  std::optional<std::size_t> saving_;  // the slot that it is of
};

}  // namespace cltrack
