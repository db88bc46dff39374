// SPDX-License-Identifier: LGPL-2.1-or-later
// The list of devices for people and for programs.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "cltrack/device_info.h"

namespace cltrack_devices {

struct TestedDevice {
  cltrack::DeviceInfo info;
  std::string fault;  // of the self-test; empty: passed
};

void write_table(std::ostream& out, const std::vector<TestedDevice>& devices);

// An array with an object per device; sizes are bytes.
void write_json(std::ostream& out, const std::vector<TestedDevice>& devices);

}  // namespace cltrack_devices
