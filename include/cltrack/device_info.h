// SPDX-License-Identifier: LGPL-2.1-or-later
// The devices that stages of a tracker can run on, and their names: `host` (plain C++), which
// always exists, and the devices of all OpenCL drivers of the machine.
//
// A device spec is one of
//   host                      plain C++ in the caller's process
//   cpu, gpu, accelerator     the one OpenCL device of that type
//   0.1                       device 1 of platform 0, as list_devices() counts them
//   anything else             part of an OpenCL device's name, in any case
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cltrack/export.h"

namespace cltrack {

enum class DeviceType { host, cpu, gpu, accelerator, other };

// "host", "cpu", "gpu", "accelerator" or "other".
CLTRACK_API const char* to_string(DeviceType type);

struct DeviceInfo {
  std::string spec;  // "host" or "P.D": the spec that always means this device
  std::string name;
  std::string platform;
  std::string vendor;
  std::string device_version;  // "OpenCL 1.2 ..."; empty for host, as are the next two
  std::string driver_version;
  std::string platform_version;
  DeviceType type = DeviceType::host;
  int units = 0;                         // compute units; threads for host
  std::uint64_t memory = 0;              // bytes
  std::uint64_t largest_allocation = 0;  // bytes in one buffer
  std::uint64_t local_memory = 0;        // bytes per work-group
  std::uint64_t largest_group = 1;       // work-items
  bool unified_memory = true;            // the device uses the host's memory
  bool exact_division = true;  // single-precision division and square root can be correctly rounded
  // 32 hexadecimal digits by which other interfaces (CUDA, Vulkan) know the same device; empty if
  // its driver does not say.
  std::string uuid;
  // Which descriptors of memory import_memory() takes.
  bool imports_opaque = false;
  bool imports_dma_buf = false;

  // Kernels use the host's memory directly, without copies.
  bool is_zero_copy() const { return type == DeviceType::cpu && unified_memory; }
  bool is_pocl() const { return platform == "Portable Computing Language"; }
};

// The host, then all usable devices of all platforms, in the order of the drivers. Drivers that
// fail and devices that cannot run our kernels (OpenCL before 1.2, no compiler, not available) are
// skipped with a line in the log. Does not throw if drivers or devices are missing.
CLTRACK_API std::vector<DeviceInfo> list_devices();

// The device that `spec` means.
// Throws Error{device_missing} if there is none, and Error{invalid_argument} if there are several
// or `spec` is empty; the message names the spec, what is allowed and the devices present.
CLTRACK_API DeviceInfo find_device(std::string_view spec);

// The same among `devices`.
CLTRACK_API DeviceInfo find_device(std::string_view spec, const std::vector<DeviceInfo>& devices);

}  // namespace cltrack
