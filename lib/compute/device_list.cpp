// SPDX-License-Identifier: LGPL-2.1-or-later
#include "compute/device_list.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <iterator>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "cltrack/device_info.h"
#include "cltrack/error.h"
#include "core/log.h"

namespace cltrack {
namespace {

constexpr const char* kAllowed =
    "host, cpu, gpu, accelerator, an index such as 0.0, or part of a device's name";

DeviceInfo host_info() {
  DeviceInfo info;
  info.spec = "host";
  info.name = "host (plain C++)";
  info.platform = "cltrack";
  info.units = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page = sysconf(_SC_PAGESIZE);
  if (pages > 0 && page > 0) {
    info.memory = static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page);
  }
  info.largest_allocation = info.memory;
  return info;
}

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

bool is_index(std::string_view spec) {
  const std::size_t dot = spec.find('.');
  const auto is_number = [](std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
  };
  return dot != std::string_view::npos && is_number(spec.substr(0, dot)) &&
         is_number(spec.substr(dot + 1));
}

// Whether `spec`, in lower case, means `device`. Only a spec that is neither a type nor an index is
// compared with names. The host has no name, so that "intel" does not mean both the host's
// processor and its driver.
bool means(const std::string& spec, const DeviceInfo& device) {
  if (spec == "host" || is_index(spec)) return device.spec == spec;
  if (device.type == DeviceType::host) return false;
  if (spec == "cpu" || spec == "gpu" || spec == "accelerator") {
    return to_string(device.type) == spec;
  }
  return lower_case(device.name).find(spec) != std::string::npos;
}

std::string listed(const std::vector<DeviceInfo>& devices) {
  std::string text;
  for (const DeviceInfo& device : devices) {
    if (!text.empty()) text += ", ";
    text += device.spec;
    if (device.type != DeviceType::host) {
      text += " (" + std::string(to_string(device.type)) + ", " + device.name + ")";
    }
  }
  // The most frequent reason for a missing device.
  if (devices.size() < 2) text += " (no OpenCL device is usable: the log says why)";
  return text;
}

}  // namespace

const char* to_string(DeviceType type) {
  switch (type) {
    case DeviceType::host:
      return "host";
    case DeviceType::cpu:
      return "cpu";
    case DeviceType::gpu:
      return "gpu";
    case DeviceType::accelerator:
      return "accelerator";
    case DeviceType::other:
      break;
  }
  return "other";
}

std::vector<DeviceInfo> list_devices() {
  std::vector<DeviceInfo> devices = {host_info()};
  for (ClDevice& device : list_cl_devices()) devices.push_back(std::move(device.info));
  return devices;
}

DeviceInfo find_device(std::string_view spec) {
  // The host is found without loading drivers.
  if (lower_case(spec) == "host") return host_info();
  return find_device(spec, list_devices());
}

DeviceInfo find_device(std::string_view spec, const std::vector<DeviceInfo>& devices) {
  const std::string allowed = std::string("; allowed: ") + kAllowed;
  if (spec.empty()) {
    throw Error(ErrorCode::invalid_argument,
                "no device named" + allowed + "; devices present: " + listed(devices));
  }
  const std::string wanted = lower_case(spec);
  std::vector<DeviceInfo> found;
  std::copy_if(devices.begin(), devices.end(), std::back_inserter(found),
               [&](const DeviceInfo& device) { return means(wanted, device); });
  if (found.size() > 1) {
    // A device with exactly this name is preferred to longer names that contain it.
    std::vector<DeviceInfo> exact;
    std::copy_if(found.begin(), found.end(), std::back_inserter(exact),
                 [&](const DeviceInfo& device) { return lower_case(device.name) == wanted; });
    if (exact.size() == 1) return exact.front();
  }
  if (found.size() == 1) return found.front();
  const std::string quoted = std::string("\"").append(spec).append("\"");
  if (found.empty()) {
    throw Error(ErrorCode::device_missing,
                "no device " + quoted + allowed + "; devices present: " + listed(devices));
  }
  throw Error(ErrorCode::invalid_argument, "device " + quoted + " is ambiguous, it means " +
                                               listed(found) + ": take an index" + allowed +
                                               "; devices present: " + listed(devices));
}

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

constexpr cl_device_info kDeviceUuid = 0x106A;  // CL_DEVICE_UUID_KHR: not all headers have it

std::string uuid_of(const cl::Device& device) {
  std::array<unsigned char, 16> bytes{};
  std::string text;
  if (clGetDeviceInfo(device(), kDeviceUuid, bytes.size(), bytes.data(), nullptr) != CL_SUCCESS) {
    return text;
  }
  for (const unsigned char byte : bytes) {
    constexpr const char* kDigits = "0123456789abcdef";
    text += {kDigits[byte >> 4], kDigits[byte & 15]};
  }
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
  const std::string extensions = device.getInfo<CL_DEVICE_EXTENSIONS>();
  const auto has = [&](const char* name) { return extensions.find(name) != std::string::npos; };
  if (has("cl_khr_device_uuid")) info.uuid = uuid_of(device);
  info.imports_opaque = has("cl_khr_external_memory_opaque_fd");
  info.imports_dma_buf = has("cl_khr_external_memory_dma_buf");
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
