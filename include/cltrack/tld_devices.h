// SPDX-License-Identifier: LGPL-2.1-or-later
// The devices of a TldTracker before there is one: an application that starts up makes this, so
// that programs are built by the time the first frame comes, and hands it to its trackers.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "cltrack/export.h"
#include "cltrack/placement.h"
#include "cltrack/tld_config.h"

namespace cltrack {

class CandidateDevices;

// Keeps devices open and their programs built for as long as it lives. Threading: any.
class CLTRACK_API TldDevices {
 public:
  // Lists the devices, and places the stages as config.placement says. Programs build, and are run
  // once, on threads of their own.
  // Throws what validate() and resolve() throw, Error{invalid_argument} if a stage is put where it
  // cannot run, and Error{device_failed} if a device cannot be opened.
  explicit TldDevices(const TldConfig& config);
  ~TldDevices();  // waits for programs that are being built
  TldDevices(const TldDevices&) = delete;
  TldDevices& operator=(const TldDevices&) = delete;

  // Which stage runs where. Stages left to `auto` are on the host until a tracker has tried other
  // devices; of several trackers, the latest one to move a stage is told of.
  std::vector<PlacedStage> stages() const;

  // Waits until what is named in the placement has been built and run. Nobody has to call this:
  // trackers wait for what they need. What failed is thrown where it is used, not here.
  void wait() const;

  // For trackers: where stages that are left to `auto` may go, and where they are from now on.
  CandidateDevices& candidates() const { return *candidates_; }
  void publish(const std::vector<PlacedStage>& stages);

 private:
  struct Open;
  mutable std::mutex mutex_;
  std::vector<PlacedStage> stages_;
  std::unique_ptr<CandidateDevices> candidates_;
  std::unique_ptr<Open> open_;
};

}  // namespace cltrack
