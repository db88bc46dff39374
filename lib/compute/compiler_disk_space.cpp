// SPDX-License-Identifier: LGPL-2.1-or-later
#include "compute/compiler_disk_space.h"

#include <sys/statvfs.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "cltrack/error.h"

namespace cltrack {
namespace {

namespace fs = std::filesystem;

std::string in_kilobytes(std::uintmax_t bytes) { return std::to_string(bytes / 1024) + " kB"; }

}  // namespace

// The same search as PoCL's pocl_cache_init_topdir(). PoCL's temporary files are there, too.
fs::path compiler_folder(const DeviceInfo& device) {
  if (!device.is_pocl()) return {};
  if (const char* named = std::getenv("POCL_CACHE_DIR")) return named;
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache != '\0') return fs::path(cache) / "pocl";
  if (const char* home = std::getenv("HOME")) return fs::path(home) / ".cache" / "pocl";
  return "/tmp/pocl";
}

std::optional<std::uintmax_t> free_disk_space(const fs::path& folder) {
  std::error_code error;
  fs::path existing = fs::absolute(folder, error);
  while (!fs::exists(existing, error) && existing.has_relative_path()) {
    existing = existing.parent_path();
  }
  struct statvfs status = {};
  if (statvfs(existing.c_str(), &status) != 0) return std::nullopt;
  if ((status.f_flag & ST_RDONLY) != 0 || status.f_blocks == 0) return std::nullopt;
  const auto blocks = geteuid() == 0 ? status.f_bfree : status.f_bavail;
  return std::uintmax_t{blocks} * status.f_frsize;
}

void require_compiler_disk_space(const DeviceInfo& device) {
  const fs::path folder = compiler_folder(device);
  if (folder.empty()) return;
  const std::optional<std::uintmax_t> room = free_disk_space(folder);
  if (!room || *room >= kCompilerDiskSpace) return;
  throw Error(
      ErrorCode::build_failed,
      "the compiler of device " + device.spec + " (" + device.name + ") works in " +
          folder.string() + ", where " + in_kilobytes(*room) + " are free, and needs " +
          in_kilobytes(kCompilerDiskSpace) +
          ": free some space there, set POCL_CACHE_DIR to another folder, or use device=host");
}

}  // namespace cltrack
