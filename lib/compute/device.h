// SPDX-License-Identifier: LGPL-2.1-or-later
// A device that stages run on: the host, or an OpenCL device with its context and programs. open()
// returns the same Device for the same device as long as it is in use.
//
// Threading: safe; but each of its queues belongs to one thread.
#pragma once

#include <atomic>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cltrack/device_info.h"
#include "cltrack/export.h"
#include "compute/cl_fwd.h"

namespace cltrack {

class Arena;
class ProgramCache;
class Queue;
class Submitter;

// A program to be built in advance.
struct ProgramName {
  std::string program;  // X of kernels/X.cl
  std::string options;  // "-DNAME=VALUE ...", or empty
};

class Device : public std::enable_shared_from_this<Device> {
 public:
  // Throw what find_device() throws, and Error{device_failed} if the driver makes no context. The
  // type, unified_memory and largest_group are taken from `info`, not from the driver: so tests can
  // use a CPU like a GPU, with copies.
  static std::shared_ptr<Device> open(const DeviceInfo& info);
  static std::shared_ptr<Device> open(std::string_view spec);
  static std::shared_ptr<Device> host();

  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  bool is_host() const { return info_.type == DeviceType::host; }
  bool is_cpu() const { return info_.type == DeviceType::cpu; }
  const DeviceInfo& info() const { return info_; }
  // "0.0 (Some GPU)", for messages.
  std::string label() const;
  bool is_zero_copy() const { return info_.is_zero_copy(); }

  // An error has left it in an unknown state. Its users may go on trying; open() makes a new one.
  bool has_failed() const { return failed_; }
  void set_failed() { failed_ = true; }

  // An in-order queue. The host's runs operations at once, on `threads` threads, the caller
  // included.
  std::shared_ptr<Queue> make_queue(int threads = 1);

  // A queue for mapping buffers, independent of the other queues; several threads may use it. Not
  // for the host.
  const cl::CommandQueue& mapping_commands();

  // Submit what queues record, if the device has memory of its own. Else there are none: then each
  // queue gives its commands to the driver as they come. Several are at work side by side: while
  // one copies, or its kernels are small, others' kernels run. Throws cl::Error.
  std::span<const std::unique_ptr<Submitter>> submitters();
  // The memory of their arrays, once they have been requested.
  Arena& arena() const;

  // A new kernel object. A program with its options is built once, also if several threads ask.
  // Throws Error{build_failed} with the compiler's log in details(). Not for the host.
  cl::Kernel kernel(std::string_view program, std::string_view kernel,
                    std::string_view options = {});

  // Builds programs, or loads them from the cache on disk, on another thread. get() throws what
  // building threw; destroying the future waits.
  std::future<void> build_in_background(std::vector<ProgramName> programs);

  // Not for the host.
  const cl::Context& context() const;
  const cl::Device& cl_device() const;
  ProgramCache& programs();

 private:
  struct Handles;
  Device(DeviceInfo info, std::unique_ptr<Handles> handles);

  DeviceInfo info_;
  std::unique_ptr<Handles> handles_;  // null for the host
  std::atomic<bool> failed_ = false;
};

// Keeps devices open, so that their contexts and programs are ready for the next user: another
// tracker of the process, or one that stops and starts again.
//
// Threading: safe.
class CLTRACK_API DeviceCache {
 public:
  DeviceCache();
  ~DeviceCache();
  DeviceCache(const DeviceCache&) = delete;
  DeviceCache& operator=(const DeviceCache&) = delete;

  // Keeps a device open, and opens it if needed; does nothing for the host. A device that has
  // failed is replaced by a new one.
  // Throws Error{device_failed} or Error{device_missing} if it cannot be opened.
  void keep(const DeviceInfo& device);

  // How many devices are kept.
  std::size_t size() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Device>> devices_;  // by DeviceInfo::spec
};

}  // namespace cltrack
