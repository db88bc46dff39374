// SPDX-License-Identifier: LGPL-2.1-or-later
// Programs of a device: embedded sources, compiled programs on disk, and those that are built.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <future>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cltrack/device_info.h"
#include "compute/cl.h"

namespace cltrack {

// The files of kernels/, embedded into the library by kernels/embed.py.

struct KernelSource {
  std::string_view name;  // X of kernels/X.cl
  std::string_view text;  // kernel_types.h is already included
  // The same with kernels that run for many launches at a time, see kernels/parts/fused.cl.
  std::string_view fused;
};

std::span<const KernelSource> kernel_sources();

// kernels/<name>.cl; throws Error{invalid_argument} if there is none.
const KernelSource& kernel_source(std::string_view name);

// Checks that a driver's compiler has enough disk space. Without it PoCL's LLVM ends the process:
// `LLVM ERROR: ... No space left on device`, and exit(1).
//
// Threading: safe, unless the environment is changed meanwhile.

// Bytes that must be free before a program is compiled. PoCL caches about 3 MB for one tracker.
inline constexpr std::uintmax_t kCompilerDiskSpace = 32u << 20;

// The folder that the device's driver compiles in; empty if its compiler does not end the process.
std::filesystem::path compiler_folder(const DeviceInfo& device);

// Free bytes on the file system of `folder`, which need not exist yet. Empty if they are not known:
// the file system is read-only or counts no blocks.
std::optional<std::uintmax_t> free_disk_space(const std::filesystem::path& folder);

// Throws Error{build_failed} if the compiler of this device has less than kCompilerDiskSpace.
void require_compiler_disk_space(const DeviceInfo& device);

// The cache of built programs on disk, so that only the first start on a machine compiles.
//
// Folder: $XDG_CACHE_HOME/cltrack, or ~/.cache/cltrack; created when needed, with access for its
// user only. If it cannot be created or written, nothing is cached and the log has one line.
// File: <hash of key>.clbin: the whole key, the program and a checksum. A file that is broken or
// has another key is replaced; so is one that cannot be read, with a line in the log.
// Several processes may share the folder: a temporary file is written, then renamed.
//
// Threading: safe.
class BinaryStore {
 public:
  using Bytes = std::vector<unsigned char>;

  // The folder described above; empty if neither variable is set.
  static std::filesystem::path default_folder();

  // With an empty path nothing is cached.
  explicit BinaryStore(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // Whether programs are worth asking a driver for: to make them is most of a build's time with
  // PoCL.
  bool is_usable() const { return !folder_.empty() && usable_; }

  // `key`: source, options, device and versions.
  std::optional<Bytes> load(std::string_view key) const;
  void save(std::string_view key, std::span<const unsigned char> binary);

  // The file of that key, whether it exists or not.
  std::filesystem::path path(std::string_view key) const;

 private:
  void give_up(const std::string& reason);

  const std::filesystem::path folder_;
  std::atomic<bool> usable_ = true;
};

// The programs of one device: kernels/X.cl built with some options. Each program is built once;
// threads that need it meanwhile wait. Built programs are cached on disk; the key is source,
// options, device, and the versions of driver, platform and cltrack.
//
// Threading: safe.
class ProgramCache {
 public:
  ProgramCache(const DeviceInfo& info, const cl::Context& context, const cl::Device& device,
               std::filesystem::path folder = BinaryStore::default_folder());

  // kernels/<name>.cl, built with `options` and those that are common to all programs. The kernels
  // are fused ones if the device has memory of its own.
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
