// SPDX-License-Identifier: LGPL-2.1-or-later
// What the tests of this folder share: the real data, and files of a test's own.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace cltrack::accuracy {

// $CLTRACK_DATA/name, or empty if that is not there.
inline std::filesystem::path real_data(const std::string& name) {
  const char* root = std::getenv("CLTRACK_DATA");
  if (!root || !std::filesystem::exists(std::filesystem::path(root) / name)) return {};
  return std::filesystem::path(root) / name;
}

#define SKIP_WITHOUT_DATA(path) \
  if ((path).empty()) GTEST_SKIP() << "needs real sequences: set CLTRACK_DATA to their folder"

// An empty folder, removed after the test.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "cltrack-XXXXXX").string();
    if (mkdtemp(pattern.data())) path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

  std::filesystem::path write(const std::string& name, const std::string& text) const {
    const std::filesystem::path file = path_ / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
    return file;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace cltrack::accuracy
