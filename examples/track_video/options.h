// SPDX-License-Identifier: LGPL-2.1-or-later
// The command line of track-video.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "box_argument.h"

namespace track_video {

struct Options {
  std::filesystem::path video;
  std::vector<Target> targets;  // at least one
  std::filesystem::path output = "demo-output";
  double start = 0;  // seconds; the boxes are those of the first frame from there on
  std::chrono::duration<double> stop_time{1.5};  // for completing the files after Ctrl-C
  bool write_video = true;
  bool write_pictures = true;                                 // of what is in the annotated video
  bool quiet = false;                                         // no progress
  std::vector<std::pair<std::string, std::string>> settings;  // cltracker properties and values
};

// Prints help and ends the process for --help. Throws std::runtime_error for arguments that are not
// understood and for a video that cannot be read.
Options parse_options(int argc, char** argv);

}  // namespace track_video
