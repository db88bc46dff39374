// SPDX-License-Identifier: LGPL-2.1-or-later
// Analytics metadata in whole pipelines: another project's element draws our boxes, and detections
// of another element become tracks.
#include <gst/video/video.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "../support/analytics.h"
#include "../support/gst_ptr.h"
#include "../support/matchers.h"
#include "../support/video_picture.h"
#include "metadata/track_meta.h"

namespace cltrack::test {
namespace {

using See = std::function<void(GstBuffer*, int)>;  // a buffer that may be written to, its number

struct Probe {
  See see;
  int count = 0;
};

GstPadProbeReturn on_buffer(GstPad*, GstPadProbeInfo* info, gpointer data) {
  auto* probe = static_cast<Probe*>(data);
  GstBuffer* buffer = gst_buffer_make_writable(GST_PAD_PROBE_INFO_BUFFER(info));
  GST_PAD_PROBE_INFO_DATA(info) = buffer;
  probe->see(buffer, probe->count++);
  return GST_PAD_PROBE_OK;
}

// What is called with each buffer that leaves an element of the pipeline.
struct FrameEffort {
  const char* element;
  See see;
};

// Runs to the end.
void run(GstElement* pipeline, std::vector<FrameEffort> looks) {
  std::vector<Probe> probes;
  for (FrameEffort& look : looks) probes.push_back({std::move(look.see)});
  for (std::size_t i = 0; i < looks.size(); ++i) {
    const ElementPtr element(gst_bin_get_by_name(GST_BIN(pipeline), looks[i].element));
    ASSERT_NE(element, nullptr) << looks[i].element;
    const PadPtr pad(gst_element_get_static_pad(element.get(), "src"));
    gst_pad_add_probe(pad.get(), GST_PAD_PROBE_TYPE_BUFFER, on_buffer, &probes[i], nullptr);
  }
  gst_element_set_state(pipeline, GST_STATE_PLAYING);
  const BusPtr bus(gst_element_get_bus(pipeline));
  const MessagePtr message = next_message(bus.get());
  gst_element_set_state(pipeline, GST_STATE_NULL);
  ASSERT_NE(message, nullptr) << "no end within ten minutes";
  ASSERT_EQ(GST_MESSAGE_TYPE(message.get()), GST_MESSAGE_EOS) << text_of(message);
}

ElementPtr parse(const std::string& line) {
  GError* error = nullptr;
  ElementPtr pipeline(gst_parse_launch(line.c_str(), &error));
  EXPECT_EQ(error, nullptr) << error->message;
  return pipeline;
}

const std::string kBall =
    "videotestsrc pattern=ball num-buffers=20 ! "
    "video/x-raw,format=RGB,width=320,height=240,framerate=25/1 ! identity name=source ! ";

class OverlayTest : public ::testing::Test {
 protected:
  void SetUp() override {
    GstElementFactory* factory = gst_element_factory_find("objectdetectionoverlay");
    if (factory != nullptr) {
      gst_object_unref(factory);
    } else if (std::getenv("CLTRACK_REQUIRE_ANALYTICS") != nullptr) {
      FAIL() << "no objectdetectionoverlay, which CLTRACK_REQUIRE_ANALYTICS asks for";
    } else {
      GTEST_SKIP() << "no objectdetectionoverlay (gstreamer1.0-plugins-bad 1.24 or newer)";
    }
  }

  static Pixels pixels(GstBuffer* buffer) {
    return read_pixels(buffer, video_info(GST_VIDEO_FORMAT_RGB, 320, 240));
  }
  static bool is_green(const Pixels& picture, float x, float y) {
    const Pixel& pixel = picture.at(static_cast<int>(x), static_cast<int>(y));
    return pixel[1] < 0x2000 && pixel[2] > 0xE000 && pixel[3] < 0x2000;
  }
  static int green_pixels(const Pixels& picture) {
    int count = 0;
    for (int y = 0; y < picture.height(); ++y) {
      for (int x = 0; x < picture.width(); ++x) {
        count += is_green(picture, static_cast<float>(x), static_cast<float>(y));
      }
    }
    return count;
  }

  const std::string overlay_ =
      "objectdetectionoverlay name=overlay draw-labels=false "
      "object-detection-outline-color=0xff00ff00 ! fakesink";
};

TEST_F(OverlayTest, DrawsOurBoxes) {
  const ElementPtr pipeline =
      parse(kBall + "cltracker targets=\"<<130,90,60,60,ball>>\" ! identity name=in ! " + overlay_);
  const ElementPtr overlay(gst_bin_get_by_name(GST_BIN(pipeline.get()), "overlay"));
  if (g_object_class_find_property(G_OBJECT_GET_CLASS(overlay.get()), "tracking-outline-colors") !=
      nullptr) {
    g_object_set(overlay.get(), "tracking-outline-colors", FALSE, "draw-tracking-labels", FALSE,
                 nullptr);
  }
  int drawn = 0;
  run(pipeline.get(),
      {{"in", [](GstBuffer* buffer, int) { EXPECT_EQ(green_pixels(pixels(buffer)), 0); }},
       {"overlay", [&](GstBuffer* buffer, int number) {
          const auto regions = gst::read_tracks(buffer);
          const Pixels picture = pixels(buffer);
          if (regions.empty()) {
            EXPECT_EQ(green_pixels(picture), 0) << "no box of another picture, " << number;
            return;
          }
          ++drawn;
          ASSERT_THAT(regions, SizeIs(1));
          const BoundingBox& box = regions[0].box;
          const float x = box.x + std::floor(box.width / 2), y = box.y + std::floor(box.height / 2);
          EXPECT_TRUE(is_green(picture, x, box.y)) << "top, " << number;
          EXPECT_TRUE(is_green(picture, x, box.bottom() - 1)) << "bottom, " << number;
          EXPECT_TRUE(is_green(picture, box.x, y)) << "left, " << number;
          EXPECT_TRUE(is_green(picture, box.right() - 1, y)) << "right, " << number;
          // Four lines of two pixels, and nothing else.
          EXPECT_LE(green_pixels(picture), static_cast<int>(4 * (box.width + box.height) + 16));
        }}});
  EXPECT_THAT(drawn, Ge(10));
}

TEST_F(OverlayTest, DrawsNoBoxOfWhatWasRemoved) {
  const ElementPtr pipeline =
      parse(kBall + "cltracker name=tracker targets=\"<<130,90,60,60,ball>>\" ! " + overlay_);
  const ElementPtr tracker(gst_bin_get_by_name(GST_BIN(pipeline.get()), "tracker"));
  run(pipeline.get(), {{"source",
                        [&](GstBuffer* buffer, int number) {
                          // Pools keep an empty one, which is no merit of the tracker's.
                          if (auto* pooled = gst_buffer_get_analytics_relation_meta(buffer)) {
                            gst_buffer_remove_meta(buffer, reinterpret_cast<GstMeta*>(pooled));
                          }
                          if (number != 5) return;
                          gboolean removed = FALSE;
                          g_signal_emit_by_name(tracker.get(), "remove-target", guint64{1},
                                                &removed);
                          EXPECT_TRUE(removed);
                        }},
                       {"overlay", [](GstBuffer* buffer, int number) {
                          if (number < 5) {
                            EXPECT_GT(green_pixels(pixels(buffer)), 0) << number;
                            return;
                          }
                          EXPECT_THAT(object_mtds(buffer), IsEmpty()) << number;
                          EXPECT_EQ(green_pixels(pixels(buffer)), 0) << number;
                        }}});
}

TEST(AnalyticsPipeline, DetectionsOfAnotherElementBecomeTracks) {
  const ElementPtr pipeline =
      parse(kBall +
            "cltracker name=tracker detections=start-and-correct detection-types=ball ! "
            "trackoverlay name=overlay ! fakesink");
  const BoundingBox bag{10, 10, 40, 40};
  std::vector<BoundingBox> said(20);
  int tracked = 0;
  run(pipeline.get(),
      {{"source",
        [&](GstBuffer* buffer, int number) {
          if (number % 5 != 0) return;
          // Where the ball is: the only bright thing.
          const Pixels picture = read_pixels(buffer, video_info(GST_VIDEO_FORMAT_RGB, 320, 240));
          float left = 320, top = 240, right = 0, bottom = 0;
          for (int y = 0; y < 240; ++y) {
            for (int x = 0; x < 320; ++x) {
              if (picture.at(x, y)[1] < 0x8000) continue;
              left = std::min(left, static_cast<float>(x));
              right = std::max(right, static_cast<float>(x + 1));
              top = std::min(top, static_cast<float>(y));
              bottom = std::max(bottom, static_cast<float>(y + 1));
            }
          }
          said[static_cast<std::size_t>(number)] = {left, top, right - left, bottom - top};
          add_object(buffer, bag, "bag");
          add_object(buffer, said[static_cast<std::size_t>(number)], "ball");
        }},
       {"overlay", [&](GstBuffer* buffer, int number) {
          const auto objects = object_mtds(buffer);
          const auto trackings = tracking_mtds(buffer);
          ASSERT_THAT(trackings, SizeIs(1)) << number;
          EXPECT_EQ(trackings[0].id, 1u) << number;
          if (number % 5 == 0) {
            ASSERT_THAT(objects, SizeIs(2)) << "no more than there were, " << number;
            EXPECT_EQ(objects[0].box, bag);
            EXPECT_EQ(objects[1].box, said[static_cast<std::size_t>(number)]);
            EXPECT_THAT(trackings[0].objects, ElementsAre(objects[1].id)) << number;
          } else if (!trackings[0].is_lost) {
            ASSERT_THAT(objects, SizeIs(1)) << number;
            EXPECT_EQ(objects[0].type, "ball");
            ++tracked;
          }
        }}});
  EXPECT_THAT(tracked, Ge(12)) << "of 16 pictures without detections";
}

}  // namespace
}  // namespace cltrack::test
