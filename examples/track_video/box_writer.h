// SPDX-License-Identifier: LGPL-2.1-or-later
// Writes boxes.csv, one row per frame and target, also while the target is lost; and boxes.jsonl,
// the lines that trackpublish would write.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "cltrack/track.h"

namespace track_video {

struct Row {
  std::uint64_t frame = 0;  // from 0
  double seconds = 0;       // presentation time; below 0: the frame has none
  std::uint64_t id = 0;
  std::string label;
  cltrack::TrackState state = cltrack::TrackState::lost;
  float confidence = 0;      // 0 to 1
  cltrack::BoundingBox box;  // pixels; not written while lost
};

// Every row is handed to the system as soon as it is written: a process that ends early leaves what
// it had.
class BoxWriter {
 public:
  // Creates `directory` where needed and replaces the two files in it. Throws std::runtime_error if
  // that is not possible.
  explicit BoxWriter(const std::filesystem::path& directory);

  // These throw std::runtime_error if a file cannot be written to (disk full).
  void write(const Row& row);
  void write(const std::string& json);

 private:
  void check() const;

  std::ofstream csv_;
  std::ofstream json_lines_;
};

}  // namespace track_video
