// SPDX-License-Identifier: LGPL-2.1-or-later
// What becomes of the metadata in other elements: the table of docs/applications.md.
#include <gst/video/gstvideometa.h>

#include <cmath>
#include <string>
#include <vector>

#include "../support/matchers.h"
#include "../support/pipeline.h"
#include "metadata/analytics_meta.h"
#include "metadata/track_meta.h"

namespace cltrack::test {
namespace {

// What an element does to them.
enum class Fate {
  kept,
  scaled,   // the params are written again
  dropped,  // nothing is left
  flipped,  // left as they were, which is wrong, or dropped: it depends on the release of GStreamer
};

struct Stage {
  const char* name;
  const char* line;
  std::vector<const char*> elements;
  Fate fate;
  float scale = 1;
};

// Of one buffer.
struct Seen {
  std::vector<gst::TrackRegion> regions;
  int with_params = 0;
  std::vector<gst::AnalyticsObject> objects;
};

Seen see(GstBuffer* buffer) {
  Seen seen{.regions = gst::read_tracks(buffer), .objects = gst::read_objects(buffer)};
  gpointer position = nullptr;
  while (GstMeta* found = gst_buffer_iterate_meta_filtered(
             buffer, &position, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)) {
    auto* region = reinterpret_cast<GstVideoRegionOfInterestMeta*>(found);
    seen.with_params += gst_video_region_of_interest_meta_get_param(region, "cltrack") != nullptr;
  }
  return seen;
}

class StageTest : public ::testing::TestWithParam<Stage> {
 protected:
  void run() {
    Pipeline pipeline(
        "videotestsrc pattern=ball num-buffers=8 ! "
        "video/x-raw,format=I420,width=320,height=240,framerate=25/1 ! "
        "cltracker targets=\"<<130,90,60,60,ball>>\" ! identity name=in ! " +
        std::string(GetParam().line) + " ! fakesink name=out");
    pipeline.probe("in", "sink", [&](GstBuffer* buffer) { in_.push_back(see(buffer)); });
    pipeline.probe("out", "sink", [&](GstBuffer* buffer) { out_.push_back(see(buffer)); });
    ASSERT_EQ(pipeline.run(), "");
    ASSERT_THAT(in_, SizeIs(8));
    ASSERT_THAT(out_, SizeIs(8));
  }

  std::vector<Seen> in_, out_;
};

BoundingBox scaled(const BoundingBox& box, float by) {
  return {box.x * by, box.y * by, box.width * by, box.height * by};
}

TEST_P(StageTest, LeavesOfTheMetadataWhatTheDocumentationSays) {
  const Stage& stage = GetParam();
  if (!has_elements(stage.elements)) GTEST_SKIP() << "one of its elements is not installed";
  ASSERT_NO_FATAL_FAILURE(run());
  const std::size_t objects = gst::has_analytics() ? 1 : 0;
  for (std::size_t i = 0; i < out_.size(); ++i) {
    ASSERT_THAT(in_[i].regions, SizeIs(1)) << i;
    ASSERT_THAT(in_[i].objects, SizeIs(objects)) << i;
    if (stage.fate == Fate::dropped || (stage.fate == Fate::flipped && out_[i].regions.empty())) {
      EXPECT_THAT(out_[i].regions, IsEmpty()) << i;
      EXPECT_THAT(out_[i].objects, IsEmpty()) << i;
      continue;
    }
    ASSERT_THAT(out_[i].regions, SizeIs(1)) << i;
    EXPECT_EQ(out_[i].regions[0].id, 1);
    EXPECT_EQ(out_[i].regions[0].label, "ball");
    EXPECT_EQ(out_[i].regions[0].box, scaled(in_[i].regions[0].box, stage.scale)) << i;
    EXPECT_EQ(out_[i].with_params, 1) << i;
    EXPECT_EQ(out_[i].regions[0].tracker, in_[i].regions[0].tracker);
    EXPECT_EQ(out_[i].regions[0].state, in_[i].regions[0].state);
    EXPECT_EQ(out_[i].regions[0].confidence, in_[i].regions[0].confidence);
    if (stage.fate == Fate::flipped) continue;
    ASSERT_THAT(out_[i].objects, SizeIs(objects)) << i;
    if (objects == 0) continue;
    EXPECT_EQ(out_[i].objects[0].label, "ball");
    EXPECT_EQ(out_[i].objects[0].box, scaled(in_[i].objects[0].box, stage.scale)) << i;
    EXPECT_TRUE(out_[i].objects[0].track) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Metadata, StageTest,
    ::testing::Values(
        Stage{"queue", "queue", {"queue"}, Fate::kept},
        Stage{"tee", "tee name=t ! queue ! fakesink t. ! queue", {"tee", "queue"}, Fate::kept},
        Stage{"videorate", "videorate", {"videorate"}, Fate::kept},
        Stage{"videobalance", "videobalance saturation=0.5", {"videobalance"}, Fate::kept},
        Stage{"textoverlay", "textoverlay text=a", {"textoverlay"}, Fate::kept},
        Stage{"trackoverlay", "trackoverlay", {}, Fate::kept},
        Stage{"x264enc", "x264enc tune=zerolatency", {"x264enc"}, Fate::kept},
        Stage{"h264", "x264enc ! avdec_h264", {"x264enc", "avdec_h264"}, Fate::kept},
        Stage{"vp8enc", "vp8enc deadline=1", {"vp8enc"}, Fate::kept},
        Stage{"vp8", "vp8enc deadline=1 ! vp8dec", {"vp8enc", "vp8dec"}, Fate::kept},
        Stage{"jpeg", "jpegenc ! jpegdec", {"jpegenc", "jpegdec"}, Fate::kept},
        Stage{"videoconvert",
              "videoconvert ! video/x-raw,format=RGB",
              {"videoconvert"},
              Fate::scaled},
        Stage{"bgr", "videoconvert ! video/x-raw,format=BGR", {"videoconvert"}, Fate::scaled},
        Stage{"videoscale",
              "videoscale ! video/x-raw,width=640,height=480",
              {"videoscale"},
              Fate::scaled,
              2},
        Stage{"videoconvertscale",
              "videoconvertscale ! video/x-raw,format=RGB,width=640,height=480",
              {"videoconvertscale"},
              Fate::scaled,
              2},
        Stage{"videocrop", "videocrop left=20 top=10", {"videocrop"}, Fate::dropped},
        Stage{"videobox", "videobox left=-20 top=-10", {"videobox"}, Fate::dropped},
        Stage{"compositor", "compositor", {"compositor"}, Fate::dropped},
        Stage{"videoflip", "videoflip method=horizontal-flip", {"videoflip"}, Fate::flipped}),
    [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace cltrack::test
