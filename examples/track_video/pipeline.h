// SPDX-License-Identifier: LGPL-2.1-or-later
// The elements of track-video, made and linked:
//
//   uridecodebin ! videoconvert ! videoflip ! cltracker ! trackoverlay ! queue ! videoconvert
//     ! videoscale ! capsfilter ! encoder ! muxer ! filesink
//
// or, without a video to write, cltracker ! fakesink. Both converters and the scaler pass on what
// needs no change: they are there for what videoflip does not turn, and for 10-bit, odd-sized and
// size-changing videos.
#pragma once

#include <filesystem>
#include <vector>

#include "gst_ptr.h"
#include "options.h"

namespace track_video {

struct Pipeline {
  Ptr<GstElement> bin;
  GstElement* source = nullptr;       // uridecodebin; owned by bin, as are the others
  GstElement* entry = nullptr;        // the decoder's video goes in here
  GstElement* tracker = nullptr;      // cltracker
  GstElement* overlay = nullptr;      // trackoverlay; null without an annotated video
  GstElement* size_filter = nullptr;  // fixes the size of the annotated video; null without one
  std::vector<GstElement*> output;    // what makes the annotated video; empty without one
  std::filesystem::path video_part;   // written to, to be renamed to video_file when complete
  std::filesystem::path video_file;
};

// H.264 in MP4 where there is an encoder for it, else VP8 in WebM: both play in every browser.
// Throws std::runtime_error that names the missing element and its package, or the property that
// cltracker does not take.
Pipeline make_pipeline(const Options& options);

}  // namespace track_video
