// SPDX-License-Identifier: LGPL-2.1-or-later
// The devices of a tracker before there is one: an application that starts up calls open_devices()
// with the tracker's config, so that programs are built by the time the first frame comes, and
// hands what it gets to its trackers.
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
  // For trackers, see open_devices(): lists the devices, and places the stages. Programs build, and
  // are run once, on threads of their own.
  // Throws what resolve() throws, and Error{device_failed} if a device cannot be opened.
  TrackerDevices(TrackerKind kind, const Placement& placement);
  ~TrackerDevices();  // waits for programs that are being built
  TrackerDevices(const TrackerDevices&) = delete;
  TrackerDevices& operator=(const TrackerDevices&) = delete;

  // Which stage runs where. Stages left to `auto` are on the host until a tracker has tried other
  // devices; of several trackers, the latest one to move a stage is told of.
  std::vector<PlacedStage> stages() const;

  // Waits until what is named in the placement has been built and run. Nobody has to call this:
  // trackers wait for what they need. What failed is thrown where it is used, not here.
  void wait() const;

  // For trackers: what they are, where stages that are left to `auto` may go, and where they are
  // from now on.
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
