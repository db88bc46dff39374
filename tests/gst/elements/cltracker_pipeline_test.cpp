// SPDX-License-Identifier: LGPL-2.1-or-later
// Whole pipelines, written as for gst-launch-1.0.
#include <gmock/gmock.h>
#include <gst/video/gstvideometa.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "../support/bus.h"
#include "../support/gst_ptr.h"
#include "metadata/track_meta.h"

namespace cltrack {
namespace {

using ::testing::HasSubstr;

struct Outcome {
  bool ended = false;  // at the end of the stream, rather than by an error
  std::string error;
  int states = 0;                  // messages cltracker-state
  std::vector<BoundingBox> boxes;  // of each buffer at "out": its first region, or empty

  int buffers() const { return static_cast<int>(boxes.size()); }
  int with_region() const {
    return static_cast<int>(
        std::count_if(boxes.begin(), boxes.end(), [](const auto& box) { return box.is_valid(); }));
  }
};

GstPadProbeReturn count_buffer(GstPad*, GstPadProbeInfo* info, gpointer data) {
  auto* run = static_cast<Outcome*>(data);
  GstBuffer* buffer = GST_PAD_PROBE_INFO_BUFFER(info);
  const auto regions = gst::read_tracks(buffer);
  run->boxes.push_back(regions.empty() ? BoundingBox{} : regions[0].box);
  return GST_PAD_PROBE_OK;
}

// Runs until the end of the stream or an error. Counts what reaches the element named "out".
Outcome run(const std::string& line) {
  Outcome result;
  GError* error = nullptr;
  GstElement* parsed = gst_parse_launch(line.c_str(), &error);
  if (error != nullptr) {
    result.error = error->message;
    g_error_free(error);
    if (parsed != nullptr) gst_object_unref(parsed);
    return result;
  }
  const test::ElementPtr pipeline(parsed);
  if (GstElement* out = gst_bin_get_by_name(GST_BIN(pipeline.get()), "out")) {
    GstPad* pad = gst_element_get_static_pad(out, "sink");
    gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER, count_buffer, &result, nullptr);
    gst_object_unref(pad);
    gst_object_unref(out);
  }
  gst_element_set_state(pipeline.get(), GST_STATE_PLAYING);
  const test::BusPtr bus(gst_element_get_bus(pipeline.get()));
  for (bool going = true; going;) {
    const test::MessagePtr message =
        test::next_message(bus.get(), test::kEndOrError | int{GST_MESSAGE_ELEMENT});
    if (message == nullptr) {
      result.error = "no end within ten minutes";
      break;
    }
    switch (GST_MESSAGE_TYPE(message.get())) {
      case GST_MESSAGE_EOS:
        result.ended = true;
        going = false;
        break;
      case GST_MESSAGE_ERROR:
        gst_message_parse_error(message.get(), &error, nullptr);
        result.error = error->message;
        g_error_free(error);
        going = false;
        break;
      default:
        if (gst_message_has_name(message.get(), "cltracker-state")) ++result.states;
    }
  }
  gst_element_set_state(pipeline.get(), GST_STATE_NULL);
  return result;
}

bool has_elements(const std::vector<const char*>& names) {
  for (const char* name : names) {
    GstElementFactory* factory = gst_element_factory_find(name);
    if (factory == nullptr) return false;
    gst_object_unref(factory);
  }
  return true;
}

#define SKIP_WITHOUT(...)                                                    \
  if (!has_elements({__VA_ARGS__})) {                                        \
    GTEST_SKIP() << "one of these elements is not installed: " #__VA_ARGS__; \
  }

const char* const kSource = "videotestsrc pattern=ball num-buffers=20 ! ";

TEST(ClTrackerPipeline, StandsInForCvtracker) {
  SKIP_WITHOUT("videotestsrc")
  // The ball starts near the middle. No videoconvert on either side.
  for (const char* format : {"I420", "NV12", "YUY2", "RGB", "BGRx"}) {
    const Outcome result =
        run(std::string(kSource) + "video/x-raw,width=320,height=240,format=" + format +
            " ! cltracker object-initial-x=130 object-initial-y=90 object-initial-width=60 "
            "object-initial-height=60 algorithm=TLD draw-rect=true ! fakesink name=out");
    EXPECT_TRUE(result.ended) << result.error;
    EXPECT_EQ(result.buffers(), 20);
    EXPECT_GT(result.with_region(), 0);
  }
}

TEST(ClTrackerPipeline, LineOfTheDocumentationRuns) {
  SKIP_WITHOUT("videotestsrc")
  const Outcome result =
      run("videotestsrc pattern=ball num-buffers=100 ! cltracker "
          "targets=\"<<140,100,40,40,ball>>\" ! fakesink");
  EXPECT_TRUE(result.ended) << result.error;
  EXPECT_GE(result.states, 1);
}

TEST(ClTrackerPipeline, TargetsSyntaxOfLaunchLines) {
  SKIP_WITHOUT("videotestsrc")
  const Outcome result = run(std::string(kSource) +
                             "cltracker targets=\"<<10,20,50,50>,<60,20,30,40,\\\"car\\\">>\" ! "
                             "fakesink name=out");
  EXPECT_TRUE(result.ended) << result.error;
  EXPECT_GE(result.states, 2);
}

TEST(ClTrackerPipeline, BadTargetsEndInOneErrorThatSaysWhy) {
  SKIP_WITHOUT("videotestsrc")
  const Outcome refused = run(std::string(kSource) + "cltracker targets=\"<<1,2,3>>\" ! fakesink");
  EXPECT_FALSE(refused.ended);
  EXPECT_THAT(refused.error, HasSubstr("it has 3 values"));
  const Outcome outside =
      run(std::string(kSource) + "cltracker targets=\"<<1000,2,30,40>>\" ! fakesink");
  EXPECT_FALSE(outside.ended);
  EXPECT_THAT(outside.error, HasSubstr("x=1000"));
}

TEST(ClTrackerPipeline, BranchesOfATeeAreIndependent) {
  SKIP_WITHOUT("videotestsrc", "tee", "queue")
  const Outcome result = run(
      std::string(kSource) +
      "tee name=t  t. ! queue ! cltracker targets=\"<<130,90,60,60>>\" draw-rect=true ! fakesink "
      "t. ! queue ! fakesink name=out");
  EXPECT_TRUE(result.ended) << result.error;
  EXPECT_EQ(result.buffers(), 20);
  EXPECT_EQ(result.with_region(), 0);
}

TEST(ClTrackerPipeline, TwoTrackersInARow) {
  SKIP_WITHOUT("videotestsrc")
  const Outcome result = run(std::string(kSource) +
                             "cltracker targets=\"<<130,90,60,60,a>>\" ! "
                             "cltracker targets=\"<<10,10,60,60,b>>\" ! fakesink name=out");
  EXPECT_TRUE(result.ended) << result.error;
  EXPECT_GE(result.states, 2);
}

TEST(ClTrackerPipeline, SizeMayChangeMidStream) {
  SKIP_WITHOUT("videotestsrc", "concat")
  const Outcome result = run(
      "concat name=c ! cltracker targets=\"<<130,90,60,60>>\" ! fakesink name=out "
      "videotestsrc pattern=ball num-buffers=5 ! video/x-raw,width=320,height=240 ! c. "
      "videotestsrc pattern=ball num-buffers=5 ! video/x-raw,width=642,height=481 ! c. "
      "videotestsrc pattern=ball num-buffers=5 ! video/x-raw,width=322,height=243,format=RGB ! c.");
  EXPECT_TRUE(result.ended) << result.error;
  EXPECT_EQ(result.buffers(), 15);
}

// Own files through real decoders.
struct Codec {
  const char* name;
  std::vector<const char*> elements;
  const char* encode;
  const char* decode;
};

class CodecTest : public ::testing::TestWithParam<Codec> {};

TEST_P(CodecTest, TracksInWhatTheDecoderGives) {
  const Codec& codec = GetParam();
  if (!has_elements(codec.elements)) GTEST_SKIP() << "no encoder or decoder for " << codec.name;
  const std::string file = (std::filesystem::temp_directory_path() /
                            ("cltracker-" + std::to_string(getpid()) + "-" + codec.name))
                               .string();
  const Outcome written =
      run("videotestsrc pattern=ball num-buffers=30 ! "
          "video/x-raw,format=I420,width=322,height=242,framerate=25/1 ! " +
          std::string(codec.encode) + " ! filesink location=" + file);
  ASSERT_TRUE(written.ended) << written.error;
  const Outcome result = run("filesrc location=" + file + " ! " + codec.decode +
                             " ! cltracker targets=\"<<130,90,60,60>>\" ! fakesink name=out");
  std::filesystem::remove(file);
  EXPECT_TRUE(result.ended) << result.error;
  EXPECT_EQ(result.buffers(), 30);
  EXPECT_GT(result.with_region(), 0);
}

INSTANTIATE_TEST_SUITE_P(ClTracker, CodecTest,
                         ::testing::Values(Codec{"mjpeg",
                                                 {"jpegenc", "avimux", "avidemux", "jpegdec"},
                                                 "jpegenc ! avimux",
                                                 "avidemux ! jpegdec"},
                                           Codec{"theora",
                                                 {"theoraenc", "oggmux", "oggdemux", "theoradec"},
                                                 "theoraenc ! oggmux",
                                                 "oggdemux ! theoradec"},
                                           Codec{"vp8",
                                                 {"vp8enc", "webmmux", "matroskademux", "vp8dec"},
                                                 "vp8enc deadline=1 ! webmmux",
                                                 "matroskademux ! vp8dec"},
                                           Codec{"h264",
                                                 {"x264enc", "matroskamux", "matroskademux",
                                                  "avdec_h264"},
                                                 "x264enc speed-preset=ultrafast ! matroskamux",
                                                 "matroskademux ! avdec_h264"}),
                         [](const auto& tested) { return tested.param.name; });

// Real video, where there is some: boxes against the ground truth, x,y,width,height counted from 1.
TEST(ClTrackerPipeline, TracksARealVideo) {
  SKIP_WITHOUT("decodebin", "filesrc")
  const char* data = std::getenv("CLTRACK_DATA");
  if (data == nullptr) GTEST_SKIP() << "CLTRACK_DATA is not set";
  const std::filesystem::path folder = std::filesystem::path(data) / "tld" / "jumping";
  std::ifstream truth_file(folder / "groundtruth_rect.txt");
  if (!truth_file) GTEST_SKIP() << folder << " is not there";
  std::vector<BoundingBox> truth;
  char comma = 0;
  for (BoundingBox box;
       truth_file >> box.x >> comma >> box.y >> comma >> box.width >> comma >> box.height;) {
    truth.push_back({box.x - 1, box.y - 1, box.width, box.height});
  }
  ASSERT_GT(truth.size(), 300u);

  const Outcome result = run("filesrc location=" + (folder / "jumping.mpg").string() +
                             " ! decodebin ! cltracker targets=\"<<146,109,34,33>>\" ! "
                             "fakesink name=out");
  EXPECT_TRUE(result.ended) << result.error;
  std::size_t right = 0;
  for (std::size_t i = 0; i < std::min(truth.size(), result.boxes.size()); ++i) {
    if (overlap(result.boxes[i], truth[i]) > 0.25f) ++right;
  }
  EXPECT_GT(right, truth.size() * 8 / 10) << "of " << truth.size() << " frames";
}

}  // namespace
}  // namespace cltrack
