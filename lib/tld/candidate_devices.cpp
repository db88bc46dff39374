// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/candidate_devices.h"

#include <algorithm>
#include <exception>
#include <string>

#if defined(__linux__)
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include "compute/program_cache.h"
#include "compute/queue.h"
#include "core/log.h"
#include "tld/stage_programs.h"
#include "tld/warm_up.h"

namespace cltrack {
namespace {

// What this thread does may lose against everything else.
void lower_priority() {
#if defined(__linux__)
  constexpr int kNice = 15;
  setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), kNice);
#endif
}

void log_left_out(const DeviceInfo& device, const char* reason) {
  log(LogLevel::info,
      "auto: device " + device.spec + " (" + device.name + ") is left out: " + reason);
}

}  // namespace

CandidateDevices::CandidateDevices(const TldConfig& config,
                                   const std::vector<PlacedStage>& placement)
    : config_(config), placement_(placement) {}

CandidateDevices::~CandidateDevices() {
  stop_ = true;
  if (thread_.joinable()) thread_.join();
}

void CandidateDevices::start() {
  const std::lock_guard lock(mutex_);
  if (thread_.joinable()) return;
  thread_ = std::thread([this] {
    try {
      prepare();
    } catch (const std::exception& error) {
      log(LogLevel::info, std::string("auto: ") + error.what());
    }
    complete_ = true;
  });
}

void CandidateDevices::prepare() {
  std::vector<DeviceInfo> infos = list_devices();
  std::erase_if(infos, [](const DeviceInfo& info) { return info.type == DeviceType::host; });
  std::stable_partition(infos.begin(), infos.end(),
                        [](const DeviceInfo& info) { return info.type != DeviceType::cpu; });
  std::erase_if(infos, [](const DeviceInfo& info) {
    if (!info.exact_division) log_left_out(info, "it does not round divisions as the host does");
    return !info.exact_division;
  });
  // Drivers start their threads now, and those inherit the priority of this one.
  std::vector<std::shared_ptr<Device>> devices;
  for (const DeviceInfo& info : infos) {
    if (stop_) return;
    try {
      devices.push_back(Device::open(info));
      devices.back()->make_queue();
    } catch (const std::exception& error) {
      if (!devices.empty() && devices.back()->info().spec == info.spec) devices.pop_back();
      log_left_out(info, error.what());
    }
  }
  lower_priority();
  for (const std::shared_ptr<Device>& device : devices) {
    try {
      prepare(device);
    } catch (const std::exception& error) {
      log_left_out(device->info(), error.what());
    }
    if (stop_) return;
  }
}

void CandidateDevices::prepare(const std::shared_ptr<Device>& device) {
  std::vector<PlacedStage> placement = placement_;
  for (PlacedStage& placed : placement) {
    if (!placed.automatic) continue;
    placed.device = device->info();
    for (const ProgramName& name : programs_of(placed.stage, *device, config_)) {
      if (stop_) return;
      device->programs().program(name.program, name.options);
    }
  }
  if (stop_) return;
  warm_up(config_, placement);
  const std::lock_guard lock(mutex_);
  ready_.push_back(device);
  ++ready_count_;
}

std::vector<DeviceInfo> CandidateDevices::ready() const {
  const std::lock_guard lock(mutex_);
  std::vector<DeviceInfo> infos;
  for (const std::shared_ptr<Device>& device : ready_) infos.push_back(device->info());
  return infos;
}

void CandidateDevices::leave_out(const DeviceInfo& device) {
  const std::lock_guard lock(mutex_);
  std::erase_if(ready_, [&](const auto& ready) { return ready->info().spec == device.spec; });
}

}  // namespace cltrack
