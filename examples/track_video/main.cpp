// SPDX-License-Identifier: LGPL-2.1-or-later
// track-video: tracks objects through a video file; what examples/demo.sh runs.
//
//   track-video [--output DIR] [--start SECONDS] [--no-video] [--no-pictures]
//               [--set PROPERTY=VALUE] VIDEO X,Y,W,H[,LABEL]...
#include <gst/gst.h>

#include <exception>
#include <iostream>

#include "options.h"
#include "runner.h"

int main(int argc, char** argv) {
  int status = 1;
  try {
    const auto options = track_video::parse_options(argc, argv);
    status = track_video::Runner(options).run();
  } catch (const std::exception& error) {
    std::cerr << g_get_prgname() << ": " << error.what() << '\n';
  }
  if (gst_is_initialized()) gst_deinit();  // lets the leak tracer report
  return status;
}
