// SPDX-License-Identifier: LGPL-2.1-or-later
#include "compute/device.h"

#include <map>
#include <mutex>
#include <utility>

#include "cltrack/error.h"
#include "compute/cl.h"
#include "compute/device_list.h"
#include "compute/program_cache.h"
#include "compute/queue.h"
#include "compute/submitter.h"

namespace cltrack {
namespace {

constexpr std::size_t kSubmitters = 2;

// All open devices; keeps none of them alive.
struct Registry {
  std::mutex mutex;
  std::map<std::string, std::weak_ptr<Device>> devices;  // by registry_key()
};

Registry& registry() {
  static Registry instance;
  return instance;
}

// DeviceInfos with the same key share a Device.
std::string registry_key(const DeviceInfo& info) {
  return info.spec + " " + to_string(info.type) + (info.unified_memory ? " unified " : " ") +
         std::to_string(info.largest_group) + " " + std::to_string(info.local_memory);
}

cl::Device find_handle(const DeviceInfo& info) {
  for (const ClDevice& present : list_cl_devices()) {
    if (present.info.spec == info.spec && present.info.name == info.name) return present.device;
  }
  throw Error(ErrorCode::device_missing,
              "device " + info.spec + " (" + info.name + ") is no longer present");
}

}  // namespace

struct Device::Handles {
  cl::Device device;
  cl::Context context;
  ProgramCache programs;
  std::once_flag made_mapping;
  cl::CommandQueue mapping;
  std::once_flag made_submitters;
  std::shared_ptr<Arena> arena;
  std::vector<std::unique_ptr<Submitter>> submitters;

  Handles(const DeviceInfo& info, const cl::Device& cl_device)
      : device(cl_device), context(cl_device), programs(info, context, device) {}
};

Device::Device(DeviceInfo info, std::unique_ptr<Handles> handles)
    : info_(std::move(info)), handles_(std::move(handles)) {}

Device::~Device() {
  if (handles_ != nullptr) handles_->submitters.clear();  // what they have uses the rest
}

std::shared_ptr<Device> Device::open(const DeviceInfo& info) {
  const std::lock_guard lock(registry().mutex);
  std::weak_ptr<Device>& known = registry().devices[registry_key(info)];
  if (std::shared_ptr<Device> device = known.lock(); device && !device->has_failed()) return device;
  std::unique_ptr<Handles> handles;
  if (info.type != DeviceType::host) {
    handles =
        translate_errors([&] { return "opening device " + info.spec + " (" + info.name + ")"; },
                         [&] { return std::make_unique<Handles>(info, find_handle(info)); });
  }
  const std::shared_ptr<Device> device(new Device(info, std::move(handles)));
  known = device;
  return device;
}

std::shared_ptr<Device> Device::open(std::string_view spec) { return open(find_device(spec)); }

std::shared_ptr<Device> Device::host() { return open("host"); }

std::string Device::label() const {
  return is_host() ? info_.spec : info_.spec + " (" + info_.name + ")";
}

std::shared_ptr<Queue> Device::make_queue(int threads) {
  return std::make_shared<Queue>(shared_from_this(), threads);
}

cl::Kernel Device::kernel(std::string_view program, std::string_view kernel,
                          std::string_view options) {
  const cl::Program built = programs().program(program, options);
  return translate_errors(
      this,
      [&] {
        return "kernel " + std::string(kernel) + " of " + std::string(program) + ".cl on " +
               label();
      },
      [&] { return cl::Kernel(built, std::string(kernel).c_str()); });
}

std::future<void> Device::build_in_background(std::vector<ProgramName> programs) {
  // Without a thread for it, whoever waits for it builds.
  return std::async(std::launch::async | std::launch::deferred,
                    [self = shared_from_this(), programs = std::move(programs)] {
                      if (self->is_host()) return;
                      if (!self->is_zero_copy()) self->programs().program("copy_bytes", {});
                      for (const ProgramName& name : programs) {
                        self->programs().program(name.program, name.options);
                      }
                    });
}

const cl::Context& Device::context() const { return handles_->context; }

const cl::CommandQueue& Device::mapping_commands() {
  std::call_once(handles_->made_mapping, [this] {
    handles_->mapping = cl::CommandQueue(handles_->context, handles_->device);
  });
  return handles_->mapping;
}

std::span<const std::unique_ptr<Submitter>> Device::submitters() {
  if (is_host() || is_zero_copy()) return {};
  std::call_once(handles_->made_submitters, [this] {
    handles_->arena = std::make_shared<Arena>(context(), info_);
    std::vector<std::unique_ptr<Submitter>> made;
    while (made.size() < kSubmitters) {
      made.push_back(std::make_unique<Submitter>(*this, handles_->arena));
    }
    handles_->submitters = std::move(made);
  });
  return handles_->submitters;
}

Arena& Device::arena() const { return *handles_->arena; }

const cl::Device& Device::cl_device() const { return handles_->device; }

ProgramCache& Device::programs() {
  if (handles_ == nullptr) {
    throw Error(ErrorCode::invalid_argument, "the host runs no kernels");
  }
  return handles_->programs;
}

DeviceCache::DeviceCache() = default;

DeviceCache::~DeviceCache() = default;

void DeviceCache::keep(const DeviceInfo& device) {
  if (device.type == DeviceType::host) return;
  const std::lock_guard lock(mutex_);
  devices_[device.spec] = Device::open(device);
}

std::size_t DeviceCache::size() const {
  const std::lock_guard lock(mutex_);
  return devices_.size();
}

}  // namespace cltrack
