// SPDX-License-Identifier: LGPL-2.1-or-later
#include "placements.h"

#include <algorithm>
#include <map>

#include "cltrack/error.h"
#include "cltrack/tld_tracker.h"

namespace cltrack::accuracy {
namespace {

using Where = std::map<std::string, const DeviceInfo*>;  // by stage; those not named: host

NamedPlacement named(const Where& where) {
  NamedPlacement result;
  result.placement.device = "host";
  for (const DeviceInfo& device : benchmark_devices()) {
    if (device.type == DeviceType::host) continue;
    std::string stages;
    for (const auto& [stage, its_device] : where) {
      if (its_device != &device) continue;
      if (!stages.empty()) stages += ',';
      stages += stage;
      result.placement[stage] = device.spec;
    }
    if (stages.empty()) continue;
    if (!result.name.empty()) result.name += '+';
    result.name += stages;
    result.name += '@';
    result.name += short_name(device);
  }
  if (result.name.empty()) result.name = "host";
  return result;
}

void add(std::vector<NamedPlacement>& list, const Where& where) {
  NamedPlacement placement = named(where);
  const auto same = [&](const NamedPlacement& other) { return other.name == placement.name; };
  if (std::ranges::none_of(list, same)) list.push_back(std::move(placement));
}

Where everywhere(const DeviceInfo& device) {
  Where where;
  for (const std::string& stage : placeable_stages()) where[stage] = &device;
  return where;
}

}  // namespace

const std::vector<DeviceInfo>& benchmark_devices() {
  static const std::vector<DeviceInfo> devices = list_devices();
  return devices;
}

std::string short_name(const DeviceInfo& device) {
  const auto same_type = [&](const DeviceInfo& other) { return other.type == device.type; };
  const bool only_one = std::ranges::count_if(benchmark_devices(), same_type) == 1;
  return only_one && device.type != DeviceType::other ? to_string(device.type) : device.spec;
}

const std::vector<std::string>& placeable_stages() {
  static const std::vector<std::string> stages = [] {
    std::vector<std::string> result{"motion", "ferns", "nn"};
    const auto device = std::ranges::find_if(
        benchmark_devices(), [](const DeviceInfo& info) { return info.type != DeviceType::host; });
    if (device == benchmark_devices().end()) return result;
    TldConfig config;
    config.placement.device = "host";
    config.placement["learn"] = device->spec;
    try {
      make_tld_tracker(config);
      result.push_back("learn");
    } catch (const Error& error) {
      if (error.code() != ErrorCode::invalid_argument) throw;  // learning is the host's
    }
    return result;
  }();
  return stages;
}

std::vector<NamedPlacement> usual_placements() {
  std::vector<NamedPlacement> list;
  const DeviceInfo* cpu = nullptr;
  const DeviceInfo* gpu = nullptr;
  for (const DeviceInfo& device : benchmark_devices()) {
    add(list, device.type == DeviceType::host ? Where{} : everywhere(device));
    if (device.type == DeviceType::cpu && cpu == nullptr) cpu = &device;
    if (device.type == DeviceType::gpu && gpu == nullptr) gpu = &device;
  }
  const DeviceInfo* ferns = gpu != nullptr ? gpu : cpu;
  if (ferns == nullptr) return list;
  const auto without_motion = [&](const DeviceInfo& device) {
    Where where = everywhere(device);
    where.erase("motion");
    return where;
  };
  Where paper = gpu != nullptr && cpu != nullptr ? without_motion(*cpu) : Where{};
  paper["ferns"] = ferns;
  add(list, paper);
  add(list, {{"ferns", ferns}});
  add(list, {{"ferns", ferns}, {"nn", ferns}});
  add(list, {{"motion", ferns}});
  return list;
}

std::vector<NamedPlacement> all_placements() {
  const std::vector<std::string>& stages = placeable_stages();
  const std::size_t devices = benchmark_devices().size();
  std::size_t count = 1;
  for (std::size_t i = 0; i < stages.size(); ++i) count *= devices;
  std::vector<NamedPlacement> list;
  for (std::size_t index = 0; index < count; ++index) {
    Where where;
    std::size_t rest = index;
    for (const std::string& stage : stages) {
      const DeviceInfo& device = benchmark_devices()[rest % devices];
      if (device.type != DeviceType::host) where[stage] = &device;
      rest /= devices;
    }
    add(list, where);
  }
  return list;
}

}  // namespace cltrack::accuracy
