// SPDX-License-Identifier: LGPL-2.1-or-later
// Files of zones, which may be changed while they are in use, and of their totals.
#pragma once

#include <sys/stat.h>

#include <optional>
#include <string>
#include <vector>

#include "cltrack/zones.h"

namespace cltrack::gst {

// Looks whether a file of zones has changed.
class ZonesFile {
 public:
  explicit ZonesFile(std::string path) : path_(std::move(path)) {}

  // The zones in it, if it was changed since they were read. Throws Error{invalid_argument} that
  // names the file and what is wrong, once for each change.
  std::optional<std::vector<Zone>> read_if_changed();

 private:
  std::string path_;
  // Empty: it has not been read yet.
  std::optional<struct stat> read_;
};

// Empty if there is no such file. Throws Error{invalid_argument} that names the file.
std::vector<ZoneTotals> load_totals(const std::string& path);

}  // namespace cltrack::gst
