// SPDX-License-Identifier: LGPL-2.1-or-later
// The programs of one device: kernels/X.cl built with some options. Every program is built once,
// whoever asks first; others that ask meanwhile wait for it. What was built is kept on disk, under
// a key of all that decides on it: source, options, device, versions of driver, platform and
// cltrack.
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

  // kernels/<name>.cl, built with `options` and those that all programs have.
  // Throws Error{invalid_argument} for a name that is not in kernels/, Error{build_failed} with the
  // compiler's log in details().
  cl::Program program(std::string_view name, std::string_view options);

  // Source that is not in kernels/; `name` is for messages.
  cl::Program program_from_source(std::string_view name, std::string_view source,
                                  std::string_view options);

  // How many programs came out of the compiler, and how many from disk.
  int builds() const { return builds_; }
  int loads() const { return loads_; }

  // Under which a program is on disk.
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
