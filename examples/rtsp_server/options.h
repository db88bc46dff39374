// SPDX-License-Identifier: LGPL-2.1-or-later
// The command line of rtsp-server.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "examples/track_video/box_argument.h"
#include "source.h"

namespace rtsp_server {

struct Options {
  std::string address = "127.0.0.1";
  std::uint16_t port = 8554;  // 0: one that is free
  std::string path = "/track";
  bool loop = false;
  Source source;
  std::vector<track_video::Target> targets;  // at least one
};

// Prints help and ends the process for --help. Throws std::runtime_error for arguments that are not
// understood, and for a source that cannot be one.
Options parse_options(int argc, char** argv);

}  // namespace rtsp_server
