// SPDX-License-Identifier: LGPL-2.1-or-later
// The devices of this machine and the placements of TLD's stages that are compared.
#pragma once

#include <string>
#include <vector>

#include "cltrack/placement.h"

namespace cltrack::accuracy {

// The host first, then every OpenCL device.
const std::vector<DeviceInfo>& benchmark_devices();

// "host", "cpu" or "gpu" where there is one of that type, else the index such as "0.1".
std::string short_name(const DeviceInfo& device);

struct NamedPlacement {
  std::string name;  // "host", "motion,ferns,nn@gpu", "ferns@gpu+nn@cpu"; host for the others
  Placement placement;
};

// The stages of TLD that this build can place on devices.
const std::vector<std::string>& placeable_stages();

// Host; all on each device; and, as in the paper, the ferns on one device and all else on another:
// on a GPU and a CPU device, or on the one device that there is and the host.
std::vector<NamedPlacement> usual_placements();

// Every way to place the stages on the devices of this machine: with four stages and three devices
// 81 of them.
std::vector<NamedPlacement> all_placements();

}  // namespace cltrack::accuracy
