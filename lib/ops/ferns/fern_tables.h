// SPDX-License-Identifier: LGPL-2.1-or-later
// The tables of the fern ensemble: for each fern and each code, how often it was observed on the
// target and elsewhere, and the posterior. All integers, so that every device computes the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "compute/array.h"
#include "kernels/kernel_types.h"

namespace cltrack {

// Posteriors in 1.15 fixed point: kPosteriorOne stands for 1.
inline constexpr std::uint32_t kPosteriorOne = CLTRACK_POSTERIOR_ONE;

inline constexpr int kMaxFerns = CLTRACK_MAX_FERNS;
inline constexpr int kMaxPairs = CLTRACK_MAX_PAIRS;

// Of a code that was observed so often, once at least. Rounded down, so that less than certain is
// never kPosteriorOne.
inline std::uint16_t posterior(std::int32_t positives, std::int32_t negatives) {
  const auto p = static_cast<std::uint64_t>(positives), n = static_cast<std::uint64_t>(negatives);
  return p + n == 0 ? std::uint16_t{0} : static_cast<std::uint16_t>(p * kPosteriorOne / (p + n));
}

struct FernTables {
  int ferns = 0;
  int pairs = 0;
  // Entry (fern << pairs) + code:
  std::vector<std::int32_t> positives;
  std::vector<std::int32_t> negatives;
  std::vector<std::uint16_t>
      posteriors;  // positives / (positives + negatives), 0 if never positive

  friend bool operator==(const FernTables&, const FernTables&) = default;

  FernTables() = default;
  FernTables(int fern_count, int pair_count) : ferns(fern_count), pairs(pair_count) {
    const std::size_t entries = static_cast<std::size_t>(ferns) << pairs;
    positives.resize(entries);
    negatives.resize(entries);
    posteriors.resize(entries);
  }
};

// The posteriors of such tables, for host bodies.
struct PosteriorView {
  int ferns = 0;
  int pairs = 0;
  const std::uint16_t* posteriors = nullptr;

  PosteriorView() = default;
  PosteriorView(int fern_count, int pair_count, const std::uint16_t* values)
      : ferns(fern_count), pairs(pair_count), posteriors(values) {}
  PosteriorView(const FernTables& tables)
      : PosteriorView(tables.ferns, tables.pairs, tables.posteriors.data()) {}

  // Sum of the posteriors of one window's codes (one per fern): 0 to ferns * kPosteriorOne.
  std::uint32_t score(const std::uint16_t* codes) const {
    std::uint32_t sum = 0;
    for (int f = 0; f < ferns; ++f)
      sum += posteriors[(static_cast<std::size_t>(f) << pairs) + codes[f]];
    return sum;
  }
};

// Tables of several ensembles with equal numbers of ferns and pairs on any device, each in a slot.
struct FernTableArrays {
  int ferns = 0;
  int pairs = 0;
  int slots = 0;
  // Slot s begins at offset(s).
  Array<std::int32_t> positives;
  Array<std::int32_t> negatives;
  Array<std::uint16_t> posteriors;

  std::size_t entries() const { return static_cast<std::size_t>(ferns) << pairs; }
  std::size_t offset(int slot) const { return static_cast<std::size_t>(slot) * entries(); }

  // Throws Error{invalid_argument} that begins with `op` if there is no such slot.
  void check_slot(int slot, const char* op) const;

  // Sets the number of slots. Slots keep their contents if the numbers of ferns and pairs stay; new
  // slots are empty. Copies the contents to the host and waits, if there are any.
  void resize(int fern_count, int pair_count, int slot_count);

  // One slot with these.
  void assign(const FernTables& tables);
  // Replaces those of one slot.
  void assign(int slot, const FernTables& tables);
  // Copies those of a slot to the host; waits, once for all slots.
  void read(int slot, FernTables& tables) const;
  // Starts copying all to the host.
  void fetch() const;
  PosteriorView host_view(int slot) const {
    return {ferns, pairs, posteriors.host_read().data() + offset(slot)};
  }
};

}  // namespace cltrack
