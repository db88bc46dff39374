// SPDX-License-Identifier: LGPL-2.1-or-later
// A folder of pictures with a limit: the oldest go first. Pictures of earlier runs count, too;
// other files are left alone.
//
// Threading: one thread at a time.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <utility>

namespace cltrack::gst {

// 0: no limit.
struct PictureLimits {
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;
};

// What people say about them.
struct PictureSettings {
  std::string folder;                        // empty: there are none
  std::string events = "cross enter dwell";  // that have one, by their names
  float margin = 0.2f;                       // around a box, in parts of its longer side
  PictureLimits limits{1000, std::uint64_t{1} << 30};
};

// A name by which pictures are sorted by time, in UTC with microseconds:
// 20261129T163522.123456Z-TITLE.jpg. `time`: us since 1970.
std::string picture_name(std::int64_t time, const std::string& title);

class PictureFolder {
 public:
  // Makes the folder if there is none. Throws Error{invalid_argument} that names it if nothing can
  // be written there.
  PictureFolder(std::string path, const PictureLimits& limits);

  // Writes a file of a name of picture_name(), whose bytes are there all at once. Those that are
  // too many then are removed before. Throws Error{failed} with the reason, which does not name the
  // file.
  void write(const std::string& name, const std::string& bytes);

 private:
  struct File {
    std::string name;
    std::uint64_t bytes;
  };

  void look();
  void make_room(std::uint64_t bytes);
  std::string path_of(const std::string& name) const { return path_ + "/" + name; }

  const std::string path_;
  const PictureLimits limits_;
  std::deque<File> files_;  // the oldest first
  std::uint64_t bytes_ = 0;
};

}  // namespace cltrack::gst
