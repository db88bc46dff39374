// SPDX-License-Identifier: LGPL-2.1-or-later
// Checks that a driver's compiler has enough disk space. Without it PoCL's LLVM ends the process:
// `LLVM ERROR: ... No space left on device`, and exit(1).
//
// Threading: safe, unless the environment is changed meanwhile.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "cltrack/device_info.h"

namespace cltrack {

// Bytes that must be free before a program is compiled. PoCL caches about 3 MB for one tracker.
inline constexpr std::uintmax_t kCompilerDiskSpace = 32u << 20;

// The folder that the device's driver compiles in; empty if its compiler does not end the process.
std::filesystem::path compiler_folder(const DeviceInfo& device);

// Free bytes on the file system of `folder`, which need not exist yet. Empty if they are not known:
// the file system is read-only or counts no blocks.
std::optional<std::uintmax_t> free_disk_space(const std::filesystem::path& folder);

// Throws Error{build_failed} if the compiler of this device has less than kCompilerDiskSpace.
void require_compiler_disk_space(const DeviceInfo& device);

}  // namespace cltrack
