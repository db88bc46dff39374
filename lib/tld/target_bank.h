// SPDX-License-Identifier: LGPL-2.1-or-later
// The arrays that operations need, which all targets share, so that one call does for all: windows
// to scan, tables of the ferns, patches of the object models. A target has a slot of its own in
// each for as long as it is there.
//
// Threading: one thread at a time, the one that uses the queues.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cltrack/error.h"
#include "cltrack/tld_config.h"
#include "ops/ferns/fern_tables.h"
#include "ops/ferns/scan_windows.h"
#include "ops/patches/nearest_patches.h"
#include "tld/target.h"

namespace cltrack {

class TargetBank {
 public:
  using Targets = std::span<Target* const>;

  explicit TargetBank(const TldConfig& config);

  // Before a frame with these targets, once it is known what is scanned of each. Job i of every
  // call is the target at place i from now on. Targets that were not here before bring their
  // models, patches that were learnt since the frame before follow. Does not wait, unless targets
  // come or go.
  void update(Targets targets);

  const ScanWindows& windows() const { return windows_; }
  float longest_side() const { return longest_side_; }  // of all windows, pixels
  const FernTableArrays& tables() const { return tables_; }
  FernTableArrays& tables() { return tables_; }
  // The place of one of the targets.
  std::size_t place_of(std::uint64_t id) const;
  int table_slot(std::size_t target) const { return slots_[target]; }
  const Array<Patch>& patches() const { return patches_; }
  const Array<PatchJob>& patch_jobs() const { return patch_jobs_; }

  // A device has learnt from one more frame. Now and then the tables of a target are queued to be
  // copied, for the case that it fails: those of each target every 60 frames (or as many as there
  // are targets, if these are more), a target at a time, those of other banks on other frames.
  void learnt_on_device();
  // Takes what has been queued so to the model. Waits, unless the queue has been waited for.
  void save(Targets targets);

  // The latest tables of a target. Waits. As leave_devices() if the device that has them fails.
  FernTables read(const Target& target) const;

  // Brings all to the models and forgets the targets. If the device that has the tables fails, the
  // models stay as they were saved, and a warning is logged.
  void leave_devices(Targets targets);

  // Forgets the targets. Never throws.
  void clear() noexcept;

 private:
  struct Known {  // what the arrays were made for
    std::uint64_t id = 0;
    std::uint64_t grid = 0;
    friend bool operator==(const Known&, const Known&) = default;
  };
  struct Slot {
    std::uint64_t id = 0;  // 0: free
    std::uint64_t positives_version = 0, negatives_version = 0;
    std::size_t first_patch = 0, positives_room = 0, negatives_room = 0;  // in the array of all
    std::uint64_t saved = 0;  // frames that a device had learnt from when the model had the tables

    // The room stays for who comes.
    void leave() { id = positives_version = negatives_version = 0; }
  };

  void warn_of_loss(const Error& error) const;
  void assign_slots(Targets targets);
  void assign_windows(Targets targets);
  void make_patch_room(Targets targets);
  void update_patches(Targets targets);

  std::size_t max_positives_, max_negatives_;
  std::vector<Known> known_;
  std::vector<Slot> all_slots_;
  std::vector<int> slots_;  // by target
  ScanWindows windows_;
  float longest_side_ = 0;
  FernTableArrays tables_;
  Array<Patch> patches_;  // of a slot: room for positives, then for negatives, as its model needs
  Array<PatchJob> patch_jobs_;
  std::uint64_t frames_ = 0;              // that a device has learnt from
  int frames_to_save_;                    // until targets are saved again
  std::optional<std::size_t> next_save_;  // the slot, while they are
  FernTableArrays arriving_;              // of one target
  Slot saving_;                           // whose they are, if it has an id, and when that was
};

}  // namespace cltrack
