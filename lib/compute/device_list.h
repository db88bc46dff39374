// SPDX-License-Identifier: LGPL-2.1-or-later
// The OpenCL devices of the machine with their handles, for list_devices().
#pragma once

#include <string>
#include <vector>

#include "cltrack/device_info.h"
#include "compute/cl.h"

namespace cltrack {

struct ClDevice {
  DeviceInfo info;
  cl::Device device;
};

// Why a device with this version and these limits cannot run our kernels; empty if it can.
std::string obstacle(const DeviceInfo& info);

// As list_devices(), without host.
std::vector<ClDevice> list_cl_devices();

}  // namespace cltrack
