// SPDX-License-Identifier: LGPL-2.1-or-later
#include "placement/candidate_devices.h"

#if defined(__linux__)
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include <algorithm>
#include <exception>
#include <future>
#include <string>
#include <system_error>

#include "cltrack/error.h"
#include "compute/child_process.h"
#include "compute/device.h"
#include "compute/driver_environment.h"
#include "compute/program_cache.h"
#include "compute/queue.h"
#include "core/interruption.h"
#include "core/log.h"
#include "core/thread_pool.h"

namespace cltrack {
namespace {

constexpr std::string_view kVersion = "version=" CLTRACK_VERSION;
constexpr std::string_view kTracker = "tracker=";
constexpr std::string_view kDevice = "-device=";  // after the name of a stage

[[noreturn]] void refuse(const std::string& argument) {
  throw Error(ErrorCode::invalid_argument,
              "\"" + argument + "\" is not an argument of cltrack " CLTRACK_VERSION);
}

std::string beginning(const StageInfo& stage) { return std::string(stage.name).append(kDevice); }

// "auto 0.0 NAME" or "named 0.0 NAME".
std::string where(const PlacedStage& placed) {
  return (placed.automatic ? "auto " : "named ") + placed.device.spec + " " + placed.device.name;
}

PlacedStage parse_stage(const StageInfo& stage, std::string_view text) {
  PlacedStage placed{.stage = stage, .automatic = text.starts_with("auto ")};
  for (const DeviceInfo& device : list_devices()) {
    placed.device = device;
    if (where(placed) == text) return placed;
  }
  throw Error(ErrorCode::device_missing,
              "device " + std::string(text.substr(text.find(' ') + 1)) + " is not present");
}

}  // namespace

void build_and_warm_up(const BuildRequest& request, const std::stop_token& stop) {
  for (std::size_t stage = 0; stage < request.placement.size(); ++stage) {
    if (!request.placement[stage].automatic) continue;
    const std::shared_ptr<Device> device = Device::open(request.placement[stage].device);
    for (const ProgramName& name : request.kind.programs(stage, *device)) {
      throw_if_stopped(stop);
      device->programs().program(name.program, name.options);
    }
  }
  request.kind.warm_up(request.placement, stop);
}

std::vector<std::string> to_arguments(const BuildRequest& request) {
  std::vector<std::string> arguments = {std::string(kVersion),
                                        std::string(kTracker).append(request.kind.name)};
  arguments.insert(arguments.end(), request.kind.settings.begin(), request.kind.settings.end());
  for (const PlacedStage& placed : request.placement) {
    arguments.push_back(beginning(placed.stage) + where(placed));
  }
  return arguments;
}

BuildRequest from_arguments(std::span<const std::string> arguments, const MakeKind& make_kind) {
  const auto expect = [&](std::string_view begin) {
    if (arguments.empty() || !arguments.front().starts_with(begin)) {
      refuse(arguments.empty() ? "" : arguments.front());
    }
    const std::string_view value = std::string_view(arguments.front()).substr(begin.size());
    arguments = arguments.subspan(1);
    return value;
  };
  if (!expect(kVersion).empty()) refuse(std::string(kVersion));
  const std::string_view name = expect(kTracker);
  const auto stages = std::ranges::find_if(arguments, [](const std::string& argument) {
    return argument.substr(0, argument.find('=') + 1).ends_with(kDevice);
  });
  BuildRequest request{make_kind(name, {arguments.begin(), stages}), {}};
  arguments = {stages, arguments.end()};
  for (const StageInfo& stage : request.kind.stages) {
    request.placement.push_back(parse_stage(stage, expect(beginning(stage))));
  }
  if (!arguments.empty()) refuse(arguments.front());
  return request;
}

namespace {

// Gives this thread the lowest priority.
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

// Builds in a child process, which leaves the programs in the caches. Throws Error{build_failed}.
void build_elsewhere(const BuildRequest& request, const DeviceInfo& device,
                     const std::stop_token& stop) {
  const auto program = find_program("cltrack-build-programs", "CLTRACK_BUILD_PROGRAMS");
  if (program.empty()) {
    log(LogLevel::info, "auto: cltrack-build-programs is not installed beside libcltrack: device " +
                            device.spec + " (" + device.name + ") compiles in this process");
    return;
  }
  const ChildOutcome outcome =
      run_child(program, to_arguments(request), driver_environment(), stop);
  throw_if_stopped(stop);
  if (outcome.end == ChildOutcome::End::done) return;
  throw Error(ErrorCode::build_failed,
              "building its programs in a process of its own: " + outcome.how);
}

}  // namespace

CandidateDevices::CandidateDevices(const TrackerKind& kind,
                                   const std::vector<PlacedStage>& placement)
    : kind_(kind), placement_(placement) {}

CandidateDevices::~CandidateDevices() {
  stop_.request_stop();
  if (thread_.joinable()) thread_.join();
}

void CandidateDevices::start() {
  const std::lock_guard lock(mutex_);
  if (thread_.joinable() || complete_) return;
  try {
    thread_ = std::thread([this] {
      try {
        prepare();
      } catch (const std::exception& error) {
        log(LogLevel::info, std::string("auto: ") + error.what());
      }
      complete_ = true;
    });
  } catch (const std::system_error& error) {
    log(LogLevel::warning,
        std::string("auto: all stages stay on the host, because no thread can be started that "
                    "prepares devices: ") +
            error.what());
    complete_ = true;
  }
}

void CandidateDevices::prepare() {
  // A driver for CPUs may end the process where it cannot have a thread for each of them.
  const int wanted = static_cast<int>(std::thread::hardware_concurrency()) + 1;
  const auto start = [](const std::function<void()>& body) { return std::thread(body); };
  if (!ThreadPool(wanted, start).shortage().empty()) {
    log(LogLevel::warning,
        "auto: all stages stay on the host, because the system allows too few "
        "threads for devices (ulimit -u, TasksMax)");
    return;
  }
  std::vector<DeviceInfo> infos = list_devices();
  std::erase_if(infos, [](const DeviceInfo& info) { return info.type == DeviceType::host; });
  std::erase_if(infos, [](const DeviceInfo& info) {
    // Kernels are written for GPUs: no CPU has been faster with them than the host's own bodies,
    // and compilers for CPUs take long.
    const bool is_cpu = info.type == DeviceType::cpu;
    if (is_cpu) log_left_out(info, "the host makes better use of CPUs");
    return is_cpu;
  });
  std::erase_if(infos, [](const DeviceInfo& info) {
    if (!info.exact_division) log_left_out(info, "it does not round divisions as the host does");
    return !info.exact_division;
  });
  for (const DeviceInfo& info : infos) {
    if (stop_.stop_requested()) return;
    try {
      prepare(info);
    } catch (const Error& error) {
      if (error.code() == ErrorCode::interrupted) return;
      log_left_out(info, error.what());
    } catch (const std::exception& error) {
      log_left_out(info, error.what());
    }
  }
}

void CandidateDevices::prepare(const DeviceInfo& info) {
  const std::stop_token stop = stop_.get_token();
  BuildRequest request{kind_, placement_};
  for (PlacedStage& placed : request.placement) {
    if (placed.automatic) placed.device = info;
  }
  // Without enough disk space `auto` skips the device.
  require_compiler_disk_space(info);
  build_elsewhere(request, info, stop);
  require_compiler_disk_space(info);
  // Before the priority is lowered, because the driver's threads inherit it.
  const std::shared_ptr<Device> device = Device::open(info);
  device->make_queue();
  std::async(std::launch::async, [&] {
    lower_priority();
    build_and_warm_up(request, stop);
  }).get();
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
