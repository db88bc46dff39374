// SPDX-License-Identifier: LGPL-2.1-or-later
// The programs of one device: kernels/X.cl built with some options. Each program is built once;
// threads that need it meanwhile wait. Built programs are cached on disk; the key is source,
// options, device, and the versions of driver, platform and cltrack.
//
// Threading: safe.
#pragma once

#include <atomic>
#include <filesystem>
#include <future>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "cltrack/device_info.h"
#include "compute/binary_store.h"
#include "compute/cl.h"

namespace cltrack {

class ProgramCache {
 public:
  ProgramCache(const DeviceInfo& info, const cl::Context& context, const cl::Device& device,
               std::filesystem::path folder = BinaryStore::default_folder());

  // kernels/<name>.cl, built with `options` and those that are common to all programs.
  // Throws Error{invalid_argument} for a name that is not in kernels/, Error{build_failed} with the
  // compiler's log in details().
  cl::Program program(std::string_view name, std::string_view options);

  // The same from any source; `name` is for messages.
  cl::Program program_from_source(std::string_view name, std::string_view source,
                                  std::string_view options);

  // How many programs were compiled, and how many were loaded from disk.
  int builds() const { return builds_; }
  int loads() const { return loads_; }

  // The key of a program on disk.
  std::string key(std::string_view source, std::string_view options) const;

 private:
  cl::Program make(std::string_view name, std::string_view source, const std::string& options);
  cl::Program load(const BinaryStore::Bytes& binary, const std::string& options);
  cl::Program build(std::string_view name, std::string_view source, const std::string& options);

  const DeviceInfo info_;
  const cl::Context context_;
  const cl::Device device_;
  BinaryStore store_;
  std::mutex mutex_;
  std::map<std::string, std::shared_future<cl::Program>, std::less<>> programs_;
  std::atomic<int> builds_ = 0;
  std::atomic<int> loads_ = 0;
};

}  // namespace cltrack
