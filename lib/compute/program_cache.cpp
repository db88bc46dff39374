// SPDX-License-Identifier: LGPL-2.1-or-later
#include "compute/program_cache.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "cltrack/error.h"
#include "core/log.h"

namespace cltrack {

const KernelSource& kernel_source(std::string_view name) {
  std::string known;
  for (const KernelSource& source : kernel_sources()) {
    if (source.name == name) return source;
    known += (known.empty() ? "" : ", ") + std::string(source.name);
  }
  throw Error(ErrorCode::invalid_argument,
              "no kernel file " + std::string(name) + ".cl; there are: " + known);
}

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

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMagic = "cltrack program 1\n";

std::uint64_t fnv1a(std::string_view text, std::uint64_t hash = 0xcbf29ce484222325u) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

std::string number(std::uint64_t value) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
  return text;
}

// The file's header, before the program.
std::string header(std::string_view key, std::string_view binary) {
  std::string text(kMagic);
  text.append(number(key.size())).append("\n").append(key).append("\n");
  text.append(number(binary.size())).append(" ").append(number(fnv1a(binary))).append("\n");
  return text;
}

// More than the largest program of a driver.
constexpr off_t kLargestFile = 64 << 20;

struct Content {
  std::string text;
  std::string obstacle;  // why it was not read; empty if there is no file
};

std::string read(int file, std::string& text) {
  struct stat status = {};
  if (fstat(file, &status) != 0) return std::strerror(errno);
  if (!S_ISREG(status.st_mode)) return "it is not a regular file";
  if (status.st_size > kLargestFile) {
    return "it has " + std::to_string(status.st_size) + " bytes; a program has at most " +
           std::to_string(kLargestFile);
  }
  text.resize(static_cast<std::size_t>(status.st_size));
  std::size_t size = 0;
  while (size < text.size()) {
    const ssize_t got = ::read(file, text.data() + size, text.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return std::strerror(errno);
    if (got == 0) break;  // it has become shorter
    size += static_cast<std::size_t>(got);
  }
  text.resize(size);
  return {};
}

// O_NONBLOCK: a FIFO of that name must not block the caller.
Content read(const fs::path& path) {
  Content content;
  const int file = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  if (file < 0) {
    if (errno != ENOENT && errno != ENOTDIR) content.obstacle = std::strerror(errno);
    return content;
  }
  content.obstacle = read(file, content.text);
  close(file);
  return content;
}

}  // namespace

fs::path BinaryStore::default_folder() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  // The XDG specification says that relative paths are ignored.
  if (cache != nullptr && fs::path(cache).is_absolute()) return fs::path(cache) / "cltrack";
  const char* home = std::getenv("HOME");
  if (home != nullptr && fs::path(home).is_absolute()) return fs::path(home) / ".cache" / "cltrack";
  return {};
}

fs::path BinaryStore::path(std::string_view key) const {
  return folder_ / (number(fnv1a(key)) + ".clbin");
}

std::optional<BinaryStore::Bytes> BinaryStore::load(std::string_view key) const {
  if (folder_.empty()) return std::nullopt;
  const auto [content, obstacle] = read(path(key));
  if (!obstacle.empty()) {
    log(LogLevel::info,
        "the cached program " + path(key).string() + " cannot be read and is ignored: " + obstacle);
    return std::nullopt;
  }
  const std::size_t header_size = header(key, {}).size();
  if (content.size() <= header_size) return std::nullopt;
  const std::string_view binary = std::string_view(content).substr(header_size);
  if (!content.starts_with(header(key, binary))) return std::nullopt;
  return Bytes(binary.begin(), binary.end());
}

void BinaryStore::save(std::string_view key, std::span<const unsigned char> binary) {
  if (!is_usable() || binary.empty()) return;
  std::error_code error;
  fs::create_directories(folder_.parent_path(), error);
  if (fs::create_directory(folder_, error)) {
    fs::permissions(folder_, fs::perms::owner_all, error);
  }
  std::string temporary = (folder_ / "new-XXXXXX").string();
  const int descriptor = mkostemp(temporary.data(), O_CLOEXEC);
  if (descriptor < 0) return give_up(std::strerror(errno));
  std::FILE* const file = fdopen(descriptor, "wb");
  const std::string_view body(reinterpret_cast<const char*>(binary.data()), binary.size());
  const std::string head = header(key, body);
  bool written = file != nullptr && std::fwrite(head.data(), 1, head.size(), file) == head.size() &&
                 std::fwrite(body.data(), 1, body.size(), file) == body.size();
  written = (file != nullptr ? std::fclose(file) : close(descriptor)) == 0 && written;
  if (written) fs::rename(temporary, path(key), error);
  if (written && !error) return;
  const std::string reason = error ? error.message() : std::strerror(errno);
  const bool is_folder = error == std::errc::is_a_directory;
  fs::remove(temporary, error);
  // Only this file: others can still be cached.
  if (!is_folder) give_up(reason);
}

void BinaryStore::give_up(const std::string& reason) {
  if (usable_.exchange(false)) {
    log(LogLevel::warning, "no cache of OpenCL programs in " + folder_.string() + ": " + reason);
  }
}

namespace {

// All devices must round alike: no -cl-mad-enable, no -cl-fast-relaxed-math; contraction is off in
// kernel_types.h.
std::string all_options(const DeviceInfo& info, std::string_view options) {
  std::string all = "-cl-std=CL1.2";
  if (info.exact_division) all += " -cl-fp32-correctly-rounded-divide-sqrt";
  if (!options.empty()) all.append(" ").append(options);
  return all;
}

// Throws cl::Error. cl::Program::build() is not used, because it hides why building failed if there
// is no log.
void build_program(const cl::Program& program, const cl::Device& device,
                   const std::string& options) {
  const cl_device_id id = device();
  const cl_int code = clBuildProgram(program(), 1, &id, options.c_str(), nullptr, nullptr);
  if (code != CL_SUCCESS) throw cl::Error(code, "clBuildProgram");
}

std::string build_log(const cl::Program& program, const cl::Device& device) {
  try {
    return program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device);
  } catch (const cl::Error& error) {
    return "the compiler's log is not available: " + cl_error_name(error.err());
  }
}

}  // namespace

ProgramCache::ProgramCache(const DeviceInfo& info, const cl::Context& context,
                           const cl::Device& device, std::filesystem::path folder)
    : info_(info), context_(context), device_(device), store_(std::move(folder)) {}

cl::Program ProgramCache::program(std::string_view name, std::string_view options) {
  const KernelSource& source = kernel_source(name);
  return program_from_source(name, info_.is_zero_copy() ? source.text : source.fused, options);
}

cl::Program ProgramCache::program_from_source(std::string_view name, std::string_view source,
                                              std::string_view options) {
  const std::string all = all_options(info_, options);
  std::string key(name);
  key.append("\n").append(all).append("\n").append(source);
  std::promise<cl::Program> promise;
  std::shared_future<cl::Program> known;
  {
    const std::lock_guard lock(mutex_);
    const auto found = programs_.find(key);
    if (found != programs_.end()) {
      known = found->second;
    } else {
      programs_.emplace(key, promise.get_future().share());
    }
  }
  if (known.valid()) return known.get();
  try {
    cl::Program program = make(name, source, all);
    promise.set_value(program);
    return program;
  } catch (...) {
    // Threads that wait get the same error; later calls try again.
    promise.set_exception(std::current_exception());
    const std::lock_guard lock(mutex_);
    programs_.erase(key);
    throw;
  }
}

std::string ProgramCache::key(std::string_view source, std::string_view options) const {
  std::string text;
  for (const std::string_view part :
       {std::string_view(CLTRACK_VERSION), std::string_view(info_.platform),
        std::string_view(info_.platform_version), std::string_view(info_.vendor),
        std::string_view(info_.name), std::string_view(info_.device_version),
        std::string_view(info_.driver_version), options, source}) {
    text.append(part).append("\n");
  }
  return text;
}

cl::Program ProgramCache::make(std::string_view name, std::string_view source,
                               const std::string& options) {
  const std::string disk_key = key(source, options);
  if (const auto binary = store_.load(disk_key)) {
    try {
      cl::Program program = load(*binary, options);
      ++loads_;
      return program;
    } catch (const cl::Error& error) {
      log(LogLevel::info, "the cached program of " + std::string(name) + ".cl is rejected by " +
                              info_.spec + ": " + cl_error_name(error.err()));
    }
  }
  cl::Program program = build(name, source, options);
  ++builds_;
  if (!store_.is_usable()) return program;
  try {
    const auto binaries = program.getInfo<CL_PROGRAM_BINARIES>();
    if (!binaries.empty()) store_.save(disk_key, binaries.front());
  } catch (const cl::Error& error) {
    log(LogLevel::info, "the program of " + std::string(name) +
                            ".cl cannot be cached: " + cl_error_name(error.err()));
  }
  return program;
}

cl::Program ProgramCache::load(const BinaryStore::Bytes& binary, const std::string& options) {
  cl::Program program(context_, {device_}, cl::Program::Binaries{binary});
  build_program(program, device_, options);
  return program;
}

cl::Program ProgramCache::build(std::string_view name, std::string_view source,
                                const std::string& options) {
  const auto doing = [&] {
    return "building " + std::string(name) + ".cl (" + options + ") on " + info_.spec + " (" +
           info_.name + ")";
  };
  require_compiler_disk_space(info_);
  return translate_errors(doing, [&] {
    cl::Program program(context_, std::string(source));
    try {
      build_program(program, device_, options);
    } catch (const cl::Error& error) {
      throw Error(ErrorCode::build_failed,
                  doing() + " failed: " + cl_error_name(error.err()) + kWhatElse,
                  build_log(program, device_));
    }
    return program;
  });
}

}  // namespace cltrack
