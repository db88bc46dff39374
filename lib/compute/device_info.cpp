// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cltrack/device_info.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <thread>

#include "cltrack/error.h"
#include "compute/device_list.h"

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

}  // namespace cltrack
