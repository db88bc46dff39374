// SPDX-License-Identifier: LGPL-2.1-or-later
// Whole pipelines, written as for gst-launch-1.0.
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "../support/matchers.h"
#include "../support/navigation.h"
#include "../support/pipeline.h"
#include "../support/scene.h"
#include "metadata/track_meta.h"

namespace cltrack::test {
namespace {

struct Outcome {
  std::string error;
  int states = 0;                  // messages cltracker-state
  std::vector<BoundingBox> boxes;  // of each buffer at "out": its first region, or empty

  int buffers() const { return static_cast<int>(boxes.size()); }
  int with_region() const {
    return static_cast<int>(std::ranges::count_if(boxes, &BoundingBox::is_valid));
  }
};

Outcome run(const std::string& line) {
  Outcome result;
  Pipeline pipeline(line);
  if (line.find("name=out") != line.npos) {
    pipeline.probe("out", "sink", [&](GstBuffer* buffer) {
      const auto regions = gst::read_tracks(buffer);
      result.boxes.push_back(regions.empty() ? BoundingBox{} : regions[0].box);
    });
  }
  result.error = pipeline.run([&](GstMessage* message) {
    result.states += gst_message_has_name(message, "cltracker-state");
  });
  return result;
}

const char* const kSource = "videotestsrc pattern=ball num-buffers=20 ! ";

TEST(ClTrackerPipeline, StandsInForCvtracker) {
  // The ball starts near the middle. No videoconvert on either side.
  for (const char* format : {"I420", "NV12", "YUY2", "RGB", "BGRx"}) {
    const Outcome result =
        run(std::string(kSource) + "video/x-raw,width=320,height=240,format=" + format +
            " ! cltracker object-initial-x=130 object-initial-y=90 object-initial-width=60 "
            "object-initial-height=60 algorithm=TLD draw-rect=true ! fakesink name=out");
    EXPECT_EQ(result.error, "");
    EXPECT_EQ(result.buffers(), 20);
    EXPECT_GT(result.with_region(), 0);
  }
}

TEST(ClTrackerPipeline, LineOfTheDocumentationRuns) {
  const Outcome result =
      run("videotestsrc pattern=ball num-buffers=100 ! cltracker "
          "targets=\"<<140,100,40,40,ball>>\" ! fakesink");
  EXPECT_EQ(result.error, "");
  EXPECT_GE(result.states, 1);
}

TEST(ClTrackerPipeline, TargetsSyntaxOfLaunchLines) {
  const Outcome result = run(std::string(kSource) +
                             "cltracker targets=\"<<10,20,50,50>,<60,20,30,40,\\\"car\\\">>\" ! "
                             "fakesink name=out");
  EXPECT_EQ(result.error, "");
  EXPECT_GE(result.states, 2);
}

TEST(ClTrackerPipeline, BadTargetsEndInOneErrorThatSaysWhy) {
  const Outcome refused = run(std::string(kSource) + "cltracker targets=\"<<1,2,3>>\" ! fakesink");
  EXPECT_THAT(refused.error, HasSubstr("it has 3 values"));
  const Outcome outside =
      run(std::string(kSource) + "cltracker targets=\"<<1000,2,30,40>>\" ! fakesink");
  EXPECT_THAT(outside.error, HasSubstr("x=1000"));
}

TEST(ClTrackerPipeline, BranchesOfATeeAreIndependent) {
  SKIP_WITHOUT("videotestsrc", "tee", "queue")
  const Outcome result = run(
      std::string(kSource) +
      "tee name=t  t. ! queue ! cltracker targets=\"<<130,90,60,60>>\" draw-rect=true ! fakesink "
      "t. ! queue ! fakesink name=out");
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.buffers(), 20);
  EXPECT_EQ(result.with_region(), 0);
}

TEST(ClTrackerPipeline, TwoTrackersInARow) {
  const Outcome result = run(std::string(kSource) +
                             "cltracker targets=\"<<130,90,60,60,a>>\" ! "
                             "cltracker targets=\"<<10,10,60,60,b>>\" ! fakesink name=out");
  EXPECT_EQ(result.error, "");
  EXPECT_GE(result.states, 2);
}

TEST(ClTrackerPipeline, SizeMayChangeMidStream) {
  SKIP_WITHOUT("videotestsrc", "concat")
  const Outcome result = run(
      "concat name=c ! cltracker targets=\"<<130,90,60,60>>\" ! fakesink name=out "
      "videotestsrc pattern=ball num-buffers=5 ! video/x-raw,width=320,height=240 ! c. "
      "videotestsrc pattern=ball num-buffers=5 ! video/x-raw,width=642,height=481 ! c. "
      "videotestsrc pattern=ball num-buffers=5 ! video/x-raw,width=322,height=243,format=RGB ! c.");
  EXPECT_EQ(result.error, "");
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
  ASSERT_EQ(written.error, "");
  const Outcome result = run("filesrc location=" + file + " ! " + codec.decode +
                             " ! cltracker targets=\"<<130,90,60,60>>\" ! fakesink name=out");
  std::filesystem::remove(file);
  EXPECT_EQ(result.error, "");
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
  EXPECT_EQ(result.error, "");
  std::size_t right = 0;
  for (std::size_t i = 0; i < std::min(truth.size(), result.boxes.size()); ++i) {
    if (overlap(result.boxes[i], truth[i]) > 0.25f) ++right;
  }
  EXPECT_GT(right, truth.size() * 8 / 10) << "of " << truth.size() << " frames";
}

// --- navigation events that have passed other elements, which translate their points

// Drags in the sink's picture when the first buffer is there; the first box of the target.
BoundingBox box_of_drag(const std::string& rest, const BoundingBox& in_window) {
  Pipeline pipeline(
      "videotestsrc pattern=smpte75 num-buffers=3 is-live=true ! "
      "video/x-raw,format=I420,width=320,height=240,framerate=5/1 ! "
      "cltracker name=tracker navigation=true ! trackoverlay navigation=true ! " +
      rest + " ! fakesink name=out");
  bool is_first = true;
  // On the thread that streams.
  pipeline.probe("out", "sink", [&](GstBuffer*) {
    if (!std::exchange(is_first, false)) return;
    const PadPtr pad(gst_element_get_static_pad(pipeline.element("out").get(), "sink"));
    const auto x = static_cast<double>(in_window.x), y = static_cast<double>(in_window.y);
    const auto right = static_cast<double>(in_window.right());
    const auto bottom = static_cast<double>(in_window.bottom());
    gst_pad_push_event(pad.get(), mouse_press(1, x, y));
    gst_pad_push_event(pad.get(), mouse_move(right, bottom));
    gst_pad_push_event(pad.get(), mouse_release(1, right, bottom));
  });
  BoundingBox found;
  EXPECT_EQ(pipeline.run([&](GstMessage* message) {
    if (!gst_message_has_name(message, "cltracker-state") || found.is_valid()) return;
    const auto side = [&](const char* name) {
      return static_cast<float>(double_of(gst_message_get_structure(message), name));
    };
    found = {side("x"), side("y"), side("width"), side("height")};
  }),
            "");
  return found;
}

TEST(ClTrackerNavigation, ThroughVideoscale) {
  SKIP_WITHOUT("videoscale")
  EXPECT_EQ(box_of_drag("videoscale ! video/x-raw,width=640,height=480", {200, 160, 100, 80}),
            (BoundingBox{100, 80, 50, 40}));
  EXPECT_EQ(box_of_drag("videoscale ! video/x-raw,width=160,height=240,pixel-aspect-ratio=2/1",
                        {50, 80, 25, 40}),
            (BoundingBox{100, 80, 50, 40}));
}

TEST(ClTrackerNavigation, ThroughCompositor) {
  SKIP_WITHOUT("compositor")
  EXPECT_EQ(box_of_drag("compositor sink_0::xpos=30 sink_0::ypos=10 sink_0::width=640 "
                        "sink_0::height=480 ! video/x-raw,width=700,height=500",
                        {230, 170, 100, 80}),
            (BoundingBox{100, 80, 50, 40}));
}

// --- a live source that is twice as fast as pictures can be looked at, on a real clock

// What a picture costs is for the most part a wait of the test; no bound depends on the machine's
// speed.
constexpr int kPictures = 60;
constexpr GstClockTime kInterval = 80 * GST_MSECOND;
constexpr GstClockTime kLimit = 400 * GST_MSECOND;
constexpr GstClockTime kStall = 2 * GST_SECOND;  // of a busy machine
constexpr std::chrono::milliseconds kCost(160);

struct Passing {
  GstClockTime came = 0, left = 0;  // running times
  bool is_looked_at = false;
  std::vector<BoundingBox> boxes;
};

struct Passage {
  std::mutex mutex;
  std::map<int, Passing> pictures;  // by their numbers
  std::atomic<int> qos = 0;
  std::atomic<int> lost = 0;
  std::atomic<int> at_work = 0;  // number of the picture in the tracker
};

int number_of(GstBuffer* buffer) { return static_cast<int>(GST_BUFFER_PTS(buffer) / kInterval); }

GstBusSyncReply on_message(GstBus*, GstMessage* message, gpointer data) {
  auto* run = static_cast<Passage*>(data);
  if (GST_MESSAGE_TYPE(message) == GST_MESSAGE_QOS) ++run->qos;
  if (gst_message_has_name(message, "cltracker-state")) {
    run->lost += string_of(gst_message_get_structure(message), "state") == "lost";
    {
      const std::lock_guard lock(run->mutex);
      run->pictures[run->at_work].is_looked_at = true;
    }
    std::this_thread::sleep_for(kCost);
  }
  return GST_BUS_PASS;
}

TEST(ClTrackerLatencyPipeline, ALiveSourceAtTwiceTheRateIsTracked) {
  Pipeline pipeline(
      "appsrc name=in is-live=true format=time ! cltracker name=tracker messages=every-frame "
      "max-latency=" +
      std::to_string(kLimit) + " targets=\"" + targets_text(moving_target(0)) +
      "\" ! fakesink sync=true");
  const auto now = [&] {
    return gst_clock_get_time(GST_ELEMENT_CLOCK(pipeline.get())) -
           gst_element_get_base_time(pipeline.get());
  };
  Passage run;
  const BusPtr bus(gst_element_get_bus(pipeline.get()));
  gst_bus_set_sync_handler(bus.get(), on_message, &run, nullptr);
  pipeline.probe("tracker", "sink", [&](GstBuffer* buffer) {
    const std::lock_guard lock(run.mutex);
    run.at_work = number_of(buffer);
    run.pictures[number_of(buffer)].came = now();
  });
  pipeline.probe("tracker", "src", [&](GstBuffer* buffer) {
    const std::lock_guard lock(run.mutex);
    Passing& picture = run.pictures[number_of(buffer)];
    picture.left = now();
    for (const auto& region : gst::read_tracks(buffer)) picture.boxes.push_back(region.box);
  });
  const ElementPtr source = pipeline.element("in");
  const CapsPtr caps = caps_from(caps_text(320, 240, GST_VIDEO_FORMAT_GRAY8));
  g_object_set(source.get(), "caps", caps.get(), nullptr);
  gst_element_set_state(pipeline.get(), GST_STATE_PLAYING);
  ASSERT_EQ(gst_element_get_state(source.get(), nullptr, nullptr, 60 * GST_SECOND),
            GST_STATE_CHANGE_SUCCESS);

  GstFlowReturn flow = GST_FLOW_ERROR;
  for (int i = 0; i < kPictures; ++i) {
    BufferPtr picture = make_buffer(moving_scene(i), GST_VIDEO_FORMAT_GRAY8);
    GST_BUFFER_PTS(picture.get()) = static_cast<GstClockTime>(i) * kInterval;
    GST_BUFFER_DURATION(picture.get()) = kInterval;
    while (now() < GST_BUFFER_PTS(picture.get())) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    g_signal_emit_by_name(source.get(), "push-buffer", picture.get(), &flow);
    ASSERT_EQ(flow, GST_FLOW_OK);
  }
  g_signal_emit_by_name(source.get(), "end-of-stream", &flow);
  EXPECT_EQ(pipeline.run(), "");
  gst_bus_set_sync_handler(bus.get(), nullptr, nullptr, nullptr);

  // Without a limit, the last one would leave nearly five seconds after its time.
  GstClockTime cost = 0, late = 0;
  int looked_at = 0;
  ASSERT_EQ(run.pictures.size(), std::size_t{kPictures}) << "each one passes";
  for (const auto& [number, picture] : run.pictures) {
    cost = std::max(cost, picture.left - picture.came);
    late = std::max(late, picture.left - static_cast<GstClockTime>(number) * kInterval);
    looked_at += picture.is_looked_at;
    ASSERT_EQ(picture.boxes.size(), picture.is_looked_at ? 1u : 0u) << number;
    if (picture.is_looked_at) {
      EXPECT_GT(overlap(picture.boxes[0], moving_target(number)), 0.4f) << number;
    }
  }
  EXPECT_LT(late, kLimit + cost + kStall);
  EXPECT_GE(looked_at, kPictures / 5);
  EXPECT_LT(looked_at, kPictures * 3 / 4);
  EXPECT_EQ(run.lost, 0);
  EXPECT_GT(run.qos, 0);
}

}  // namespace
}  // namespace cltrack::test
