// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/target_bank.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>

#include "cltrack/error.h"
#include "core/log.h"
#include "tld/target_model.h"

namespace cltrack {
namespace {

// So many frames of learning may be lost with a device. The copy of a target's 0.8 MB is some 0.1
// ms of a frame's time; of all targets together it would be pinned memory of as many.
constexpr int kFramesPerSave = 60;

// Patches that a model has room for, at least, of each kind: the first frames have many to learn.
constexpr std::size_t kLeastPatches = 32;

// Until the first copies. Streams that begin together do not copy on the same frames.
int frames_to_first_save() {
  static std::atomic<unsigned> banks = 0;
  return 1 + static_cast<int>(banks++ * 37 % kFramesPerSave);
}

// Writes `patches` from place `first` on, but for those that are there already.
void write_changes(std::span<const Patch> patches, std::size_t first, Array<Patch>& to) {
  const std::span<const Patch> there = to.host_read().subspan(first, patches.size());
  const auto [changed, old] = std::ranges::mismatch(patches, there);
  if (changed == patches.end()) return;
  const auto kept = static_cast<std::size_t>(changed - patches.begin());
  const std::span<Patch> rest = to.host_update(first + kept, patches.size() - kept);
  std::copy(changed, patches.end(), rest.begin());
}

// The first score above the threshold.
std::uint32_t least_score(const TargetModel& model) {
  return static_cast<std::uint32_t>(
             std::floor(score_of(model.fern_threshold, model.ferns.tables().ferns))) +
         1;
}

}  // namespace

TargetBank::TargetBank(const TldConfig& config)
    : max_positives_(static_cast<std::size_t>(config.max_positive_patches)),
      max_negatives_(static_cast<std::size_t>(config.max_negative_patches)),
      frames_to_save_(frames_to_first_save()) {}

void TargetBank::update(Targets targets) {
  std::vector<Known> present;
  for (const Target* target : targets) present.push_back({target->id(), target->grid_version()});
  if (present != known_) {
    known_.clear();  // until all is as it should be
    assign_slots(targets);
    assign_windows(targets);
    known_ = present;
  }
  std::vector<ScanRegion> regions;
  for (const Target* target : targets) regions.push_back(target->scan_region());
  windows_.limit(regions);
  update_patches(targets);
}

std::size_t TargetBank::place_of(std::uint64_t id) const {
  return static_cast<std::size_t>(std::ranges::find(known_, id, &Known::id) - known_.begin());
}

void TargetBank::assign_slots(Targets targets) {
  for (Slot& slot : all_slots_) {
    const bool used =
        std::ranges::any_of(targets, [&](const Target* target) { return target->id() == slot.id; });
    if (!used) slot.leave();
  }
  slots_.clear();
  for (const Target* target : targets) {
    auto slot = std::ranges::find(all_slots_, target->id(), &Slot::id);
    const bool is_new = slot == all_slots_.end();
    if (is_new) slot = std::ranges::find(all_slots_, 0u, &Slot::id);
    if (slot == all_slots_.end()) {
      // More than needed: growing moves all of the arrays.
      const std::size_t more = std::max<std::size_t>(1, 2 * all_slots_.size());
      const FernTables& tables = target->model().ferns.tables();
      tables_.resize(tables.ferns, tables.pairs, static_cast<int>(more));
      all_slots_.resize(more);  // those have tables, whatever throws
      slot = std::ranges::find(all_slots_, 0u, &Slot::id);
    }
    slots_.push_back(static_cast<int>(slot - all_slots_.begin()));
    if (!is_new) continue;
    tables_.assign(slots_.back(), target->model().ferns.tables());
    slot->id = target->id();
    slot->saved = frames_;
  }
}

void TargetBank::assign_windows(Targets targets) {
  std::vector<ScanSizes> sizes;
  std::vector<ScanTarget> jobs;
  longest_side_ = 0;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const TargetModel& model = targets[i]->model();
    sizes.emplace_back(targets[i]->grid(), model.ferns, model.minimum_variance);
    const std::span<const ScanSize> own = sizes.back().view();
    for (const ScanSize& size : own) {
      longest_side_ =
          std::max(longest_side_, static_cast<float>(std::max(size.width, size.height)));
    }
    jobs.push_back({own, slots_[i], least_score(model)});
  }
  windows_.assign(jobs);
}

// Models grow, and some a lot more than others: where one lacks room, each gets twice as much as it
// needs, so that they are moved a few times.
void TargetBank::make_patch_room(Targets targets) {
  bool has_room = true;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const ObjectModel& model = targets[i]->model().patches;
    const Slot& slot = all_slots_[static_cast<std::size_t>(slots_[i])];
    has_room = has_room && model.positives().size() <= slot.positives_room &&
               model.negatives().size() <= slot.negatives_room;
  }
  if (has_room) return;
  const auto room_for = [](std::size_t patches, std::size_t most) {
    return std::max(patches, std::min(std::max(2 * patches, kLeastPatches), most));
  };
  for (Slot& slot : all_slots_) slot.positives_room = slot.negatives_room = 0;
  std::size_t all = 0;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const ObjectModel& model = targets[i]->model().patches;
    Slot& slot = all_slots_[static_cast<std::size_t>(slots_[i])];
    slot.first_patch = all;
    slot.positives_room = room_for(model.positives().size(), max_positives_);
    slot.negatives_room = room_for(model.negatives().size(), max_negatives_);
    slot.positives_version = slot.negatives_version = 0;
    all += slot.positives_room + slot.negatives_room;
  }
  patches_ = Array<Patch>(all);
  std::ranges::fill(patches_.host_write(), Patch{});  // changes are found by what lies there
}

void TargetBank::update_patches(Targets targets) {
  make_patch_room(targets);
  bool changed = patch_jobs_.size() != targets.size();
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const ObjectModel& model = targets[i]->model().patches;
    Slot& slot = all_slots_[static_cast<std::size_t>(slots_[i])];
    if (slot.positives_version != model.positives_version()) {
      write_changes(model.positives(), slot.first_patch, patches_);
      slot.positives_version = model.positives_version();
      changed = true;
    }
    if (slot.negatives_version != model.negatives_version()) {
      write_changes(model.negatives(), slot.first_patch + slot.positives_room, patches_);
      slot.negatives_version = model.negatives_version();
      changed = true;
    }
  }
  if (!changed) return;
  patch_jobs_.resize(targets.size());
  const std::span<PatchJob> jobs = patch_jobs_.host_write();
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const ObjectModel& model = targets[i]->model().patches;
    const Slot& slot = all_slots_[static_cast<std::size_t>(slots_[i])];
    const auto first = static_cast<std::int32_t>(slot.first_patch);
    jobs[i] = {.first_positive = first,
               .positives = static_cast<std::int32_t>(model.positives().size()),
               .conservative = static_cast<std::int32_t>(model.conservative_count()),
               .first_negative = first + static_cast<std::int32_t>(slot.positives_room),
               .negatives = static_cast<std::int32_t>(model.negatives().size()),
               .frame = 0};
  }
}

void TargetBank::learnt_on_device() {
  ++frames_;
  if (--frames_to_save_ <= 0 && !next_save_) {
    frames_to_save_ = kFramesPerSave;
    next_save_ = 0;
  }
  if (!next_save_ || saving_.id != 0) return;
  while (*next_save_ < all_slots_.size() && all_slots_[*next_save_].id == 0) ++*next_save_;
  if (*next_save_ < all_slots_.size()) {
    tables_.fetch(static_cast<int>(*next_save_), arriving_);
    saving_ = {.id = all_slots_[*next_save_].id, .saved = frames_};
    ++*next_save_;
  }
  if (*next_save_ >= all_slots_.size()) next_save_.reset();
}

void TargetBank::save(Targets targets) {
  const Slot saved = std::exchange(saving_, {});
  if (saved.id == 0) return;
  const auto slot = std::ranges::find(all_slots_, saved.id, &Slot::id);
  const auto target = std::ranges::find(targets, saved.id, &Target::id);
  if (slot == all_slots_.end() || target == targets.end()) return;
  arriving_.read(0, (*target)->model().ferns.tables());
  slot->saved = saved.saved;
}

void TargetBank::warn_of_loss(const Error& error) const {
  std::uint64_t most = 0;
  for (const Slot& slot : all_slots_) {
    if (slot.id != 0) most = std::max(most, frames_ - slot.saved);
  }
  log(LogLevel::warning, "the last " + std::to_string(most) +
                             " frames that the ferns learnt from are lost: " + error.what());
}

FernTables TargetBank::read(const Target& target) const {
  FernTables tables = target.model().ferns.tables();
  const auto slot = std::ranges::find(all_slots_, target.id(), &Slot::id);
  if (slot == all_slots_.end()) return tables;  // has not been in use yet
  try {
    FernTableArrays latest;
    tables_.fetch(static_cast<int>(slot - all_slots_.begin()), latest);
    latest.read(0, tables);
  } catch (const Error& error) {
    warn_of_loss(error);
    tables = target.model().ferns.tables();
  }
  return tables;
}

void TargetBank::leave_devices(Targets targets) {
  try {
    tables_.fetch();
    for (Target* target : targets) {
      const auto slot = std::ranges::find(all_slots_, target->id(), &Slot::id);
      if (slot == all_slots_.end()) continue;  // has not been in use yet
      FernTables latest;
      tables_.read(static_cast<int>(slot - all_slots_.begin()), latest);
      target->model().ferns.tables() = std::move(latest);
    }
  } catch (const Error& error) {
    warn_of_loss(error);
  }
  clear();
}

void TargetBank::clear() noexcept {
  known_.clear();
  all_slots_.clear();
  slots_.clear();
  windows_ = {};
  tables_ = {};
  patches_ = {};
  patch_jobs_ = {};
  frames_ = 0;
  next_save_.reset();
  arriving_ = {};
  saving_ = {};
}

}  // namespace cltrack
