// SPDX-License-Identifier: LGPL-2.1-or-later
// Where the pictures come from, as it is written on the command line.
#pragma once

#include <gst/gst.h>

#include <string>
#include <string_view>

namespace rtsp_server {

enum class SourceKind {
  file,   // ends, and may begin anew
  live,   // a URI on the network or a device: may go, and is waited for
  scene,  // elements of GStreamer, such as videotestsrc: ends, or goes on for ever
};

struct Source {
  SourceKind kind = SourceKind::file;
  std::string name;      // as given, without a password
  std::string elements;  // for gst_parse_launch(); has an element named "source" unless a scene
  std::string property;  // of that element, to be set to `value`; empty for a scene
  std::string value;
};

// A file, a URI, /dev/videoN, or elements as for gst-launch-1.0. Throws std::runtime_error for what
// is none of them. Needs gst_init().
Source parse_source(std::string_view text);

// `text` with the password of a URI (scheme://user:password@host) as ***.
std::string without_password(std::string text);

// Sets property and value, and a short latency where the source is an rtspsrc.
void configure_source(GstElement* pipeline, const Source& source);

}  // namespace rtsp_server
