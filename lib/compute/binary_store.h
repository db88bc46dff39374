// SPDX-License-Identifier: LGPL-2.1-or-later
// Built programs on disk, so that only the first start on a machine compiles.
//
// Folder: $XDG_CACHE_HOME/cltrack, or ~/.cache/cltrack; made when needed, for its user alone. A
// folder that cannot be made or written means no cache and one line in the log, never an error.
// File: <hash of key>.clbin, holding the whole key, the program and a checksum. One that is broken,
// or has another key, is taken for missing and written anew; so is what cannot be read or is no
// file at all, with one line in the log.
// Several processes may share the folder: files are written beside and renamed.
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

  // An empty folder: no cache.
  explicit BinaryStore(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // `key` holds all that decides on the program: source, options, device, versions.
  std::optional<Bytes> load(std::string_view key) const;
  void save(std::string_view key, std::span<const unsigned char> binary);

  // Where the program of that key is, or would be.
  std::filesystem::path path(std::string_view key) const;

 private:
  void give_up(const std::string& reason);

  const std::filesystem::path folder_;
  std::atomic<bool> usable_ = true;
};

}  // namespace cltrack
