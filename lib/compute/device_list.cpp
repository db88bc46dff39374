// SPDX-License-Identifier: LGPL-2.1-or-later
#include "compute/device_list.h"

#include <cstdio>
#include <mutex>
#include <stdexcept>

#include "core/log.h"

namespace cltrack {
namespace {

// The work-group size of kernels for GPUs; CPUs get work-groups of one.
constexpr std::uint64_t kLargestGroup = 256;

DeviceType type_of(cl_device_type type) {
  if (type & CL_DEVICE_TYPE_GPU) return DeviceType::gpu;
  if (type & CL_DEVICE_TYPE_CPU) return DeviceType::cpu;
  if (type & CL_DEVICE_TYPE_ACCELERATOR) return DeviceType::accelerator;
  return DeviceType::other;
}

// Some drivers put spaces around names, or include the terminating zero.
std::string trimmed(std::string text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\0')) text.pop_back();
  text.erase(0, text.find_first_not_of(' '));
  return text;
}

DeviceInfo query(const cl::Device& device, const cl::Platform& platform, const std::string& spec) {
  DeviceInfo info;
  info.spec = spec;
  info.name = trimmed(device.getInfo<CL_DEVICE_NAME>());
  info.platform = trimmed(platform.getInfo<CL_PLATFORM_NAME>());
  info.vendor = trimmed(device.getInfo<CL_DEVICE_VENDOR>());
  info.device_version = trimmed(device.getInfo<CL_DEVICE_VERSION>());
  info.driver_version = trimmed(device.getInfo<CL_DRIVER_VERSION>());
  info.platform_version = trimmed(platform.getInfo<CL_PLATFORM_VERSION>());
  info.type = type_of(device.getInfo<CL_DEVICE_TYPE>());
  info.units = static_cast<int>(device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>());
  info.memory = device.getInfo<CL_DEVICE_GLOBAL_MEM_SIZE>();
  info.largest_allocation = device.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>();
  info.local_memory = device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>();
  info.largest_group = device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>();
  info.unified_memory = device.getInfo<CL_DEVICE_HOST_UNIFIED_MEMORY>() != CL_FALSE;
  info.exact_division =
      (device.getInfo<CL_DEVICE_SINGLE_FP_CONFIG>() & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0;
  return info;
}

// Why the driver cannot run our kernels; empty if it can.
std::string obstacle_of_driver(const cl::Device& device) {
  if (!device.getInfo<CL_DEVICE_AVAILABLE>()) return "its driver says that it is not available";
  if (!device.getInfo<CL_DEVICE_COMPILER_AVAILABLE>()) return "its driver has no compiler";
  if (!device.getInfo<CL_DEVICE_ENDIAN_LITTLE>()) return "it is big-endian";
  return {};
}

void log_left_out(const std::string& spec, const std::string& reason) {
  log(LogLevel::warning, "OpenCL device " + spec + " is left out: " + reason);
}

void append_devices(const cl::Platform& platform, std::size_t index, std::vector<ClDevice>& list) {
  const std::string prefix = std::to_string(index) + ".";
  std::vector<cl::Device> devices;
  try {
    platform.getDevices(CL_DEVICE_TYPE_ALL, &devices);
  } catch (const cl::Error& error) {
    // A driver without its hardware returns CL_DEVICE_NOT_FOUND, which is normal.
    log(error.err() == CL_DEVICE_NOT_FOUND ? LogLevel::info : LogLevel::warning,
        "OpenCL platform " + std::to_string(index) +
            " has no devices: " + cl_error_name(error.err()));
    return;
  }
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const std::string spec = prefix + std::to_string(i);
    try {
      DeviceInfo info = query(devices[i], platform, spec);
      std::string reason = obstacle(info);
      if (reason.empty()) reason = obstacle_of_driver(devices[i]);
      if (reason.empty()) {
        list.push_back({std::move(info), devices[i]});
      } else {
        log_left_out(spec + " (" + info.name + ")", reason);
      }
    } catch (const cl::Error& error) {
      log_left_out(spec, std::string(error.what()) + " failed: " + cl_error_name(error.err()));
    }
  }
}

}  // namespace

std::string obstacle(const DeviceInfo& info) {
  int major = 0, minor = 0;
  std::sscanf(info.device_version.c_str(), "OpenCL %d.%d", &major, &minor);
  if (major < 1 || (major == 1 && minor < 2)) return "it has " + info.device_version + ", not 1.2";
  if (info.type != DeviceType::cpu && info.largest_group < kLargestGroup) {
    return "its work-groups have at most " + std::to_string(info.largest_group) +
           " work-items, and " + std::to_string(kLargestGroup) + " are needed";
  }
  return {};
}

std::vector<ClDevice> list_cl_devices() {
  // Debian's loader opens the drivers in the first call; a second call at the same time would find
  // none.
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  std::vector<ClDevice> list;
  std::vector<cl::Platform> platforms;
  try {
    cl::Platform::get(&platforms);
  } catch (const cl::Error& error) {
    log(LogLevel::info, "no OpenCL: " + cl_error_name(error.err()));
    return list;
  }
  for (std::size_t i = 0; i < platforms.size(); ++i) append_devices(platforms[i], i, list);
  return list;
}

}  // namespace cltrack
