// SPDX-License-Identifier: LGPL-2.1-or-later
// Devices that are opened before a tracker exists: at its start an application calls open_devices()
// with the tracker's config, so that programs are built before the first frame, and passes the
// result to its trackers.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "cltrack/export.h"
#include "cltrack/placement.h"

namespace cltrack {

class CandidateDevices;
struct TrackerKind;

// Keeps devices open and their programs built for as long as it lives. Threading: any.
class CLTRACK_API TrackerDevices {
 public:
  // Used by open_devices(). Resolves the placement and opens the devices. Builds the programs and
  // runs them once on other threads.
  // Throws what resolve() throws, and Error{device_failed} if a device cannot be opened.
  TrackerDevices(TrackerKind kind, const Placement& placement);
  ~TrackerDevices();  // waits for programs that are being built
  TrackerDevices(const TrackerDevices&) = delete;
  TrackerDevices& operator=(const TrackerDevices&) = delete;

  // The present placement. `auto` stages are on the host until a tracker has tried other devices;
  // with several trackers, the latest change counts.
  std::vector<PlacedStage> stages() const;

  // Waits until the programs for devices named in the placement are built and have run once. Not
  // required: trackers wait for what they need. Does not throw; trackers throw when they use what
  // failed.
  void wait() const;

  // For trackers: their kind, the devices that `auto` may choose, and the setter of stages().
  const TrackerKind& kind() const { return *kind_; }
  CandidateDevices& candidates() const { return *candidates_; }
  void publish(const std::vector<PlacedStage>& stages);

 private:
  struct Open;
  std::unique_ptr<const TrackerKind> kind_;
  mutable std::mutex mutex_;
  std::vector<PlacedStage> stages_;
  std::unique_ptr<CandidateDevices> candidates_;
  std::unique_ptr<Open> open_;
};

}  // namespace cltrack
