// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/ferns/fern_tables.h"

#include <algorithm>
#include <span>
#include <string>

#include "cltrack/error.h"

namespace cltrack {
namespace {

// The first `kept` values stay, the others are 0.
template <typename T>
void resize_kept(Array<T>& array, std::size_t size, std::size_t kept) {
  std::vector<T> values(size);
  if (kept > 0) std::ranges::copy(array.host_read().first(kept), values.begin());
  array.assign(values);
}

template <typename T>
void put(std::span<const T> values, std::size_t first, Array<T>& array) {
  std::ranges::copy(values, array.host_update(first, values.size()).begin());
}

template <typename T>
void take(const Array<T>& array, std::size_t first, std::span<T> values) {
  std::ranges::copy(array.host_read().subspan(first, values.size()), values.begin());
}

}  // namespace

void FernTableArrays::check_slot(int slot, const char* op) const {
  if (slot >= 0 && slot < slots) return;
  throw Error(ErrorCode::invalid_argument, std::string(op) + ": slot " + std::to_string(slot) +
                                               " of the fern tables, there are " +
                                               std::to_string(slots) + ", counted from 0");
}

void FernTableArrays::resize(int fern_count, int pair_count, int slot_count) {
  const bool same = ferns == fern_count && pairs == pair_count;
  const std::size_t kept = same ? offset(std::min(slots, slot_count)) : 0;
  if (same && slots == slot_count) return;
  if (kept > 0) fetch();
  ferns = fern_count;
  pairs = pair_count;
  slots = slot_count;
  resize_kept(posteriors, offset(slots), kept);  // arrives last
  resize_kept(negatives, offset(slots), kept);
  resize_kept(positives, offset(slots), kept);
}

void FernTableArrays::assign(const FernTables& tables) {
  ferns = tables.ferns;
  pairs = tables.pairs;
  slots = 1;
  positives.assign(tables.positives);
  negatives.assign(tables.negatives);
  posteriors.assign(tables.posteriors);
}

void FernTableArrays::assign(int slot, const FernTables& tables) {
  put<std::int32_t>(tables.positives, offset(slot), positives);
  put<std::int32_t>(tables.negatives, offset(slot), negatives);
  put<std::uint16_t>(tables.posteriors, offset(slot), posteriors);
}

void FernTableArrays::read(int slot, FernTables& tables) const {
  fetch();
  tables = FernTables(ferns, pairs);
  take<std::uint16_t>(posteriors, offset(slot), tables.posteriors);  // arrives last
  take<std::int32_t>(negatives, offset(slot), tables.negatives);
  take<std::int32_t>(positives, offset(slot), tables.positives);
}

void FernTableArrays::fetch() const {
  positives.fetch();
  negatives.fetch();
  posteriors.fetch();
}

}  // namespace cltrack
