// SPDX-License-Identifier: LGPL-2.1-or-later
#include "motion/filter_bank.h"

#include <algorithm>
#include <string>
#include <utility>

#include "cltrack/error.h"
#include "core/log.h"
#include "ops/filter/filter_colors.h"
#include "ops/filter/scale_filter.h"
#include "ops/filter/translation_filter.h"

namespace cltrack {
namespace {

// So many frames of learning may be lost with a device, more with more targets. A target's 0.9 MB
// are some 0.05 ms of a GPU's time, and 0.1 ms of the host's, in which it would wait.
constexpr std::uint64_t kFramesPerSave = 100;

// Calls work(array of a, the same array of b, elements of a slot) for all of them.
template <typename Work>
void for_each_array(LearntArrays& a, LearntArrays& b, const Work& work) {
  constexpr auto kBins = static_cast<std::size_t>(kColorBins);
  work(a.filters, b.filters, kFilters * kFilterSpectrum);
  work(a.histograms, b.histograms, 2 * kBins);
  work(a.likelihoods, b.likelihoods, kBins);
  work(a.scales.numerators, b.scales.numerators, kScaleNumerators);
  work(a.scales.denominators, b.scales.denominators, kScaleDenominators);
}

}  // namespace

std::size_t FilterBank::slot_of(std::uint64_t id) {
  auto slot = std::ranges::find(slots_, id, &Slot::id);
  if (slot == slots_.end()) slot = std::ranges::find(slots_, 0u, &Slot::id);
  if (slot == slots_.end()) {
    const auto next = static_cast<std::ptrdiff_t>(slots_.size());
    grow();
    slot = slots_.begin() + next;
  }
  if (slot->id != id) *slot = {.id = id};
  return static_cast<std::size_t>(slot - slots_.begin());
}

// To twice as many: what is there has to be copied.
void FilterBank::grow() {
  const std::size_t count = std::max<std::size_t>(1, 2 * slots_.size());
  LearntArrays larger;
  for_each_array(arrays_, larger, [&](const auto& from, auto& to, std::size_t each) {
    to = larger_slots(from, count, each);
  });
  slots_.resize(count);
  arrays_ = std::move(larger);
}

void FilterBank::remove(std::uint64_t id) {
  const auto slot = std::ranges::find(slots_, id, &Slot::id);
  if (slot == slots_.end()) return;
  if (saving_ == static_cast<std::size_t>(slot - slots_.begin())) saving_.reset();
  *slot = {};
}

void FilterBank::set_taught(std::size_t slot, ColorSpace colors) {
  slots_[slot].is_initialised = true;
  slots_[slot].colors = colors;
}

void FilterBank::set_learnt_response(std::uint64_t id, const LearntResponse& response) {
  const auto slot = std::ranges::find(slots_, id, &Slot::id);
  if (slot != slots_.end()) slot->learnt_response = response;
}

void FilterBank::learnt_on_device() {
  ++frames_;
  if (saving_) return;
  auto oldest = slots_.end();  // those without a copy come first
  for (auto slot = slots_.begin(); slot != slots_.end(); ++slot) {
    if (!slot->is_initialised) continue;
    if (oldest == slots_.end() || slot->saved.frame < oldest->saved.frame) oldest = slot;
  }
  if (oldest == slots_.end()) return;
  if (oldest->saved.frame > 0 && frames_ - oldest->saved.frame < kFramesPerSave) return;
  const auto slot = static_cast<std::size_t>(oldest - slots_.begin());
  for_each_array(arrays_, arriving_.arrays, [&](const auto& from, auto& to, std::size_t each) {
    from.fetch(slot * each, each, to);
  });
  arriving_.frame = frames_;
  arriving_.colors = oldest->colors;
  saving_ = slot;
}

void FilterBank::save() {
  if (!saving_) return;
  Saved& saved = slots_[*std::exchange(saving_, std::nullopt)].saved;
  // All have to be there before the first one is replaced.
  for_each_array(arriving_.arrays, saved.arrays,
                 [](const auto& from, auto&, std::size_t) { from.host_read(); });
  // Away from the device's memory.
  for_each_array(arriving_.arrays, saved.arrays,
                 [](const auto& from, auto& to, std::size_t) { to.assign(from.host_read()); });
  saved.frame = arriving_.frame;
  saved.colors = arriving_.colors;
}

void FilterBank::leave_devices(Queue& queue) {
  try {
    for_each_array(arrays_, arrays_, [](const auto& array, auto&, std::size_t) { array.fetch(); });
    queue.finish();
    LearntArrays kept;
    for_each_array(arrays_, kept,
                   [](const auto& from, auto& to, std::size_t) { to.assign(from.host_read()); });
    arrays_ = std::move(kept);
    for (Slot& slot : slots_) slot.saved = {};
  } catch (const Error& error) {
    go_back(error.what());
  }
  arriving_ = {};
  saving_.reset();
}

void FilterBank::go_back(const std::string& reason) {
  LearntArrays before;
  for_each_array(arrays_, before, [&](const auto&, auto& to, std::size_t each) {
    to.resize(slots_.size() * each);
    for (auto& value : to.host_write()) value = {};
  });
  std::uint64_t frames = 0;
  int all = 0, anew = 0;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    Slot& slot = slots_[i];
    if (!slot.is_initialised) continue;
    ++all;
    slot.learnt_response.reset();
    slot.is_initialised = slot.saved.frame > 0;
    slot.colors = slot.saved.colors;
    if (!slot.is_initialised) {
      ++anew;
      continue;
    }
    frames = std::max(frames, frames_ - slot.saved.frame);
    for_each_array(slot.saved.arrays, before, [&](const auto& from, auto& to, std::size_t each) {
      std::ranges::copy(from.host_read(), to.host_update(i * each, each).begin());
    });
    slot.saved = {};
  }
  arrays_ = std::move(before);
  log(LogLevel::warning, "correlation filters go back by " + std::to_string(frames) +
                             " frames at most, and " + std::to_string(anew) + " of " +
                             std::to_string(all) + " targets begin anew: " + reason);
}

void FilterBank::clear() noexcept {
  slots_.clear();
  arrays_ = {};
  arriving_ = {};
  saving_.reset();
}

}  // namespace cltrack
