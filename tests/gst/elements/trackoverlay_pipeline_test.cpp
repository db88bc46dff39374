// SPDX-License-Identifier: LGPL-2.1-or-later
// trackoverlay in whole pipelines, behind cltracker.
#include <gst/video/video.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "../support/pipeline.h"
#include "../support/video_picture.h"
#include "metadata/track_meta.h"

namespace cltrack::test {
namespace {

struct Outcome {
  std::string error;
  int frames = 0;
  int with_region = 0;
  int marked = 0;  // of these, frames whose pixels changed
};

// Runs a line with "trackoverlay name=overlay" to its end.
Outcome run(const std::string& line) {
  Outcome outcome;
  std::vector<std::uint8_t> before;
  Pipeline pipeline(line);
  pipeline.probe("overlay", "sink", [&](GstBuffer* buffer) { before = bytes_of(buffer); });
  pipeline.probe("overlay", "src", [&](GstBuffer* buffer) {
    const bool has_region = !gst::read_tracks(buffer).empty();
    ++outcome.frames;
    outcome.with_region += has_region;
    outcome.marked += has_region && bytes_of(buffer) != before;
  });
  outcome.error = pipeline.run();
  return outcome;
}

const std::string kBall =
    "videotestsrc num-buffers=20 pattern=ball ! video/x-raw,width=320,height=240,format=I420 ! "
    "cltracker object-initial-x=135 object-initial-y=95 object-initial-width=50 "
    "object-initial-height=50 ! ";

void expect_marks_on_every_region(const Outcome& outcome) {
  EXPECT_EQ(outcome.error, "");
  EXPECT_GT(outcome.with_region, 0);
  EXPECT_EQ(outcome.marked, outcome.with_region);
}

TEST(TrackOverlayPipeline, IsDrawnWhereverItStands) {
  for (const char* before :
       {"", "videoconvert ! video/x-raw,format=RGB ! ", "videoscale ! video/x-raw,width=641 ! ",
        "tee name=split ! queue ! "}) {
    SCOPED_TRACE(before);
    const Outcome outcome =
        run(kBall + before + "trackoverlay name=overlay ! fakesink" +
            (std::string(before).starts_with("tee") ? " split. ! queue ! fakesink" : ""));
    EXPECT_EQ(outcome.frames, 20);
    expect_marks_on_every_region(outcome);
  }
}

TEST(TrackOverlayPipeline, RealVideo) {
  const char* data = std::getenv("CLTRACK_DATA");
  if (data == nullptr) GTEST_SKIP() << "CLTRACK_DATA is not set";
  const std::filesystem::path file =
      std::filesystem::path(data) / "tld/pedestrian1/pedestrian1.mpg";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "CLTRACK_DATA has no " << file.filename();
  const Outcome outcome =
      run("filesrc location=\"" + file.string() +
          "\" ! decodebin ! cltracker targets=\"<<47,51,21,36>>\" ! trackoverlay name=overlay ! "
          "fakesink");
  EXPECT_GT(outcome.frames, 100);
  expect_marks_on_every_region(outcome);
}

}  // namespace
}  // namespace cltrack::test
