// SPDX-License-Identifier: LGPL-2.1-or-later
#include "files/zone_files.h"

#include <glib.h>

#include <utility>

#include "cltrack/error.h"
#include "files/model_file.h"

namespace cltrack::gst {
namespace {

constexpr std::size_t kLargest = 16 << 20;  // bytes

std::string read_text(const std::string& path) {
  std::string text = read_regular_file(path, kLargest);
  if (text.size() <= kLargest) return text;
  throw Error(ErrorCode::invalid_argument,
              "it has more than " + std::to_string(kLargest) + " bytes");
}

bool is_same(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino && a.st_size == b.st_size &&
         a.st_mtim.tv_sec == b.st_mtim.tv_sec && a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
}

}  // namespace

std::optional<std::vector<Zone>> ZonesFile::read_if_changed() {
  struct stat now = {};
  // What is not there for a moment, while an editor replaces it, has not changed.
  if (stat(path_.c_str(), &now) != 0 && read_) return std::nullopt;
  if (read_ && is_same(*read_, now)) return std::nullopt;
  read_ = now;
  try {
    return parse_zones(read_text(path_));
  } catch (const Error& error) {
    refuse_file("zones-file", path_, error.what());
  }
}

std::vector<ZoneTotals> load_totals(const std::string& path) {
  if (!g_file_test(path.c_str(), G_FILE_TEST_EXISTS)) return {};
  try {
    return parse_totals(read_text(path));
  } catch (const Error& error) {
    refuse_file("state-file", path, error.what());
  }
}

}  // namespace cltrack::gst
