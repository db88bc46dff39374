// SPDX-License-Identifier: LGPL-2.1-or-later
// Collects what there is to look at while the video runs: contact-sheet.png, the moments of loss
// and of matches after it, and confidence.png.
#pragma once

#include <gst/video/video.h>

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "box_argument.h"
#include "box_writer.h"
#include "moments.h"
#include "timeline.h"

namespace track_video {

class Album {
 public:
  // `title` is what the pictures are of.
  Album(std::span<const Target> targets, std::string title);

  // The rows of the next frame, one for each target, and then its picture with the boxes.
  void observe(std::span<const Row> rows);
  void observe_picture(GstBuffer* buffer, const GstVideoInfo& video);

  // Those of the contact sheet, once there is no frame to come.
  std::vector<Moment> moments() { return moments_.chosen(); }

  // Writes both files, once there is no frame to come. Returns their paths, the sheet first; none
  // if there was no frame. Throws std::runtime_error if a file cannot be written.
  std::vector<std::filesystem::path> write(const std::filesystem::path& directory);

 private:
  struct Seen {
    bool has_box = true;  // so that a target lost on the first frame counts as a loss
    std::size_t changes = 0;
  };

  Moment moment_of(std::span<const Row> rows);

  std::span<const Target> targets_;
  std::string title_;
  std::vector<Seen> seen_;  // of the targets
  Moment next_;             // its picture is still to come
  Moments moments_;
  Timeline timeline_;
};

}  // namespace track_video
