// SPDX-License-Identifier: LGPL-2.1-or-later
// Whether a driver's compiler has the room on disk that it needs. PoCL's LLVM ends the process
// where it has not: `LLVM ERROR: ... No space left on device`, and exit(1).
//
// Threading: safe, if nobody changes the environment.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "cltrack/device_info.h"

namespace cltrack {

// So much is asked for before anything is compiled. What PoCL keeps of one tracker's programs is
// some 3 MB.
inline constexpr std::uintmax_t kCompilerRoom = 32u << 20;

// The folder that the device's driver compiles in; empty if its compiler does no harm without room.
std::filesystem::path compiler_folder(const DeviceInfo& device);

// Bytes that may be written where `folder` is, or would be made. Nothing if that cannot be known,
// or is decided elsewhere: a file system that is read-only or counts no blocks.
std::optional<std::uintmax_t> free_room(const std::filesystem::path& folder);

// Throws Error{build_failed} that names the folder, what is free there, what is needed and what to
// do, if there is less than kCompilerRoom for the compiler of this device.
void require_compiler_room(const DeviceInfo& device);

}  // namespace cltrack
