// SPDX-License-Identifier: LGPL-2.1-or-later
// The cache of built programs on disk, so that only the first start on a machine compiles.
//
// Folder: $XDG_CACHE_HOME/cltrack, or ~/.cache/cltrack; created when needed, with access for its
// user only. If it cannot be created or written, nothing is cached and the log has one line.
// File: <hash of key>.clbin: the whole key, the program and a checksum. A file that is broken or
// has another key is replaced; so is one that cannot be read, with a line in the log.
// Several processes may share the folder: a temporary file is written, then renamed.
//
// Threading: safe.
#pragma once

#include <atomic>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cltrack {

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

}  // namespace cltrack
