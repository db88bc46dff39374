// SPDX-License-Identifier: LGPL-2.1-or-later
// What the tests of this folder share: the real data, and files of a test's own.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "../support/temporary_folder.h"

namespace cltrack::accuracy {

// $CLTRACK_DATA/name, or empty if that is not there.
inline std::filesystem::path real_data(const std::string& name) {
  const char* root = std::getenv("CLTRACK_DATA");
  if (!root || !std::filesystem::exists(std::filesystem::path(root) / name)) return {};
  return std::filesystem::path(root) / name;
}

#define SKIP_WITHOUT_DATA(path) \
  if ((path).empty()) GTEST_SKIP() << "needs real sequences: set CLTRACK_DATA to their folder"

using test::TemporaryFolder;

}  // namespace cltrack::accuracy
