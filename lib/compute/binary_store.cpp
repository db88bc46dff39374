// SPDX-License-Identifier: LGPL-2.1-or-later
#include "compute/binary_store.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "core/log.h"

namespace cltrack {
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

}  // namespace cltrack
