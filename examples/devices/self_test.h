// SPDX-License-Identifier: LGPL-2.1-or-later
// Whether a device calculates what the host calculates.
#pragma once

#include <string>

#include "cltrack/device_info.h"

namespace cltrack_devices {

// Runs one operation on a small picture; empty if the result is right, else what went wrong. Never
// throws for what the device does.
std::string self_test(const cltrack::DeviceInfo& info);

}  // namespace cltrack_devices
