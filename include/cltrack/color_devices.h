// SPDX-License-Identifier: LGPL-2.1-or-later
// The device of a ColorTracker before there is one: an application that starts up makes this, so
// that programs are built by the time the first frame comes.
#pragma once

#include <memory>
#include <vector>

#include "cltrack/color_config.h"
#include "cltrack/export.h"
#include "cltrack/placement.h"

namespace cltrack {

class WarmDevice;

// Keeps the device open and its programs built for as long as it lives; trackers that are made
// meanwhile share them. Threading: any.
class CLTRACK_API ColorDevices {
 public:
  // Places the stage `color` as config.placement says; `auto` is the host. Programs are built, and
  // run once, on a thread of their own.
  // Throws what validate() and resolve() throw, and Error{device_failed} if the device cannot be
  // opened.
  explicit ColorDevices(const ColorConfig& config);
  ~ColorDevices();  // waits for programs that are being built
  ColorDevices(const ColorDevices&) = delete;
  ColorDevices& operator=(const ColorDevices&) = delete;

  // One entry: where `color` runs.
  const std::vector<PlacedStage>& stages() const;

  // Waits until all has been built and run. Nobody has to call this. What failed is thrown where it
  // is used, not here.
  void wait() const;

 private:
  std::unique_ptr<WarmDevice> device_;
};

}  // namespace cltrack
