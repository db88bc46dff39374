// SPDX-License-Identifier: LGPL-2.1-or-later
// Devices as a context: one for all elements of a pipeline, kept while it is stopped, and handed on
// by an application. Runs on the OpenCL that counts calls.
#include <gmock/gmock.h>
#include <gst/video/video.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "../../support/faults.h"
#include "../support/pipeline.h"
#include "../support/video_picture.h"
#include "cltrack/device_info.h"
#include "devices/dma_buf.h"
#include "metadata/track_meta.h"

namespace cltrack::test {
namespace {

struct UnrefContext {
  void operator()(GstContext* context) const { gst_context_unref(context); }
};
using ContextPtr = std::unique_ptr<GstContext, UnrefContext>;

constexpr const char* kType = "gst.cltrack.devices";
const std::string kSource =
    "videotestsrc num-buffers=4 pattern=ball ! video/x-raw,format=GRAY8,width=160,height=120 ";
const std::string kTracker = "! cltracker name=tracker device=0.0 targets=\"<<40,30,40,40>>\" ";
const std::string kSecond = "! cltracker device=0.0 targets=\"<<40,30,40,40>>\" ";
const std::string kSink = "! fakesink";

class DeviceContext : public testing::Test {
 protected:
  void SetUp() override {
    if (list_devices().size() < 2) GTEST_SKIP() << "NO OPENCL DEVICE: there is none to share";
  }

  // From start to stop. Returns the context that an element has made, if one has.
  static ContextPtr run(Pipeline& pipeline) {
    ContextPtr made;
    const auto hear = [&](GstMessage* message) {
      EXPECT_EQ(made, nullptr) << "one is enough";
      GstContext* context = nullptr;
      gst_message_parse_have_context(message, &context);
      made.reset(context);
    };
    EXPECT_EQ(pipeline.run(hear, GST_MESSAGE_HAVE_CONTEXT), "");
    return made;
  }
  static ContextPtr run(const std::string& line) {
    Pipeline pipeline(line);
    return run(pipeline);
  }

  long contexts() const { return faults_.calls("clCreateContext"); }
  long builds() const { return faults_.calls("clBuildProgram"); }
  long open_contexts() const {
    return faults_.alive("clCreateContext", "clRetainContext", "clReleaseContext");
  }

  Faults faults_;
};

TEST_F(DeviceContext, IsSharedByTheElementsOfAPipeline) {
  run(kSource + kTracker + kSink);
  const long programs = builds();
  EXPECT_GT(programs, 0);
  EXPECT_EQ(open_contexts(), 0);
  faults_.set({});
  const ContextPtr context = run(kSource + kTracker + kSecond + kSink);
  ASSERT_NE(context, nullptr);
  EXPECT_STREQ(gst_context_get_context_type(context.get()), "gst.cltrack.devices");
  EXPECT_EQ(contexts(), 1);
  EXPECT_EQ(builds(), programs) << "each once, for both";
}

TEST_F(DeviceContext, KeepsAStoppedPipelineWarm) {
  Pipeline pipeline(kSource + kTracker + kSink);
  run(pipeline);
  faults_.set({});
  EXPECT_EQ(run(pipeline), nullptr);
  EXPECT_EQ(contexts(), 0);
  EXPECT_EQ(builds(), 0);
}

TEST_F(DeviceContext, IsHandedOnByTheApplication) {
  ContextPtr context = run(kSource + kTracker + kSink);
  ASSERT_NE(context, nullptr);
  EXPECT_GT(open_contexts(), 0);
  const long before = contexts() + builds();
  {
    Pipeline pipeline(kSource + kTracker + kSink);
    gst_element_set_context(pipeline.get(), context.get());
    EXPECT_EQ(run(pipeline), nullptr) << "it has one already";
    EXPECT_EQ(contexts() + builds(), before);
  }
  context.reset();
  EXPECT_EQ(open_contexts(), 0) << "nobody holds the device any more";
}

TEST_F(DeviceContext, IsNotKeptOfADeviceThatHasFailed) {
  Pipeline pipeline(kSource + kTracker + kSink);
  const ContextPtr context = run(pipeline);
  faults_.set("clFlush=-5");
  gst_element_set_state(pipeline.get(), GST_STATE_PLAYING);
  const BusPtr bus(gst_element_get_bus(pipeline.get()));
  const MessagePtr failure = next_message(bus.get(), GST_MESSAGE_ERROR);
  EXPECT_NE(failure, nullptr) << "it hangs";
  gst_element_set_state(pipeline.get(), GST_STATE_NULL);
  // The warm-up and the first frame both fail; whichever comes second may have made a context anew.
  EXPECT_LE(contexts(), 1);
  faults_.set({});
  run(pipeline);
  EXPECT_EQ(contexts(), 1) << "the old one may be beyond use";
}

TEST_F(DeviceContext, IsToldToNeighbours) {
  Pipeline pipeline(kSource + kTracker + kSink);
  const QueryPtr query(gst_query_new_context(kType));
  const QueryPtr other(gst_query_new_context("gst.some.context"));
  const ElementPtr tracker = pipeline.element("tracker");
  GstPad* pad = gst_element_get_static_pad(tracker.get(), "sink");
  EXPECT_FALSE(gst_pad_query(pad, query.get())) << "there is none yet";
  run(pipeline);
  EXPECT_TRUE(gst_pad_query(pad, query.get()));
  EXPECT_FALSE(gst_pad_query(pad, other.get()));
  gst_object_unref(pad);
  GstContext* context = nullptr;  // the query's
  gst_query_parse_context(query.get(), &context);
  ASSERT_NE(context, nullptr);
  // Without a bin around that passes messages on, neighbours are asked.
  const ElementPtr next(gst_parse_launch("cltracker device=0.0", nullptr));
  GstPad* src = gst_element_get_static_pad(tracker.get(), "src");
  GstPad* old = gst_pad_get_peer(src);
  GstPad* sink = gst_element_get_static_pad(next.get(), "sink");
  gst_pad_unlink(src, old);
  EXPECT_EQ(gst_pad_link_full(src, sink, GST_PAD_LINK_CHECK_NOTHING), GST_PAD_LINK_OK);
  gst_element_set_state(next.get(), GST_STATE_PAUSED);
  const ContextPtr found(gst_element_get_context(next.get(), kType));
  EXPECT_EQ(found.get(), context);
  gst_element_set_state(next.get(), GST_STATE_NULL);
  gst_pad_unlink(src, sink);
  for (GstPad* each : {src, old, sink}) gst_object_unref(each);
}

TEST_F(DeviceContext, IsNotNeededOnTheHost) {
  EXPECT_EQ(run(kSource + "! cltracker device=host targets=\"<<40,30,40,40>>\" " + kSink), nullptr);
  EXPECT_EQ(contexts(), 0);
}

TEST_F(DeviceContext, OfStrangeContentsIsReplaced) {
  Pipeline pipeline(kSource + kTracker + kSink);
  const ContextPtr strange(gst_context_new(kType, TRUE));
  gst_element_set_context(pipeline.get(), strange.get());
  EXPECT_NE(run(pipeline), nullptr);
}

const std::string kGpu = "CL_DEVICE_TYPE=4,CL_DEVICE_HOST_UNIFIED_MEMORY=0";
constexpr const char* kPinned = "cltrack-pinned";

struct Outcome {
  std::string error;
  std::vector<std::string> memories;  // their types, as they reach the tracker
  std::vector<BoundingBox> boxes;
  BufferPtr last;
  guint64 pinned = 0, staged = 0;
};

// Five pictures of an odd width, so that rows are padded.
Outcome track(const std::string& device, const std::string& before = "",
              const std::string& behind = "fakesink") {
  Outcome run;
  Pipeline pipeline(
      "videotestsrc num-buffers=5 pattern=ball ! video/x-raw,format=I420,width=161,height=121 ! " +
      before + " cltracker name=tracker device=" + device + " targets=\"<<40,30,40,40>>\" ! " +
      behind);
  pipeline.probe("tracker", "src", [&](GstBuffer* buffer) {
    run.memories.emplace_back(gst_buffer_peek_memory(buffer, 0)->allocator->mem_type);
    for (const gst::TrackRegion& region : gst::read_tracks(buffer)) {
      run.boxes.push_back(region.box);
    }
    run.last.reset(gst_buffer_ref(buffer));
  });
  const ElementPtr tracker = pipeline.element("tracker");
  run.error = pipeline.run();
  const StructurePtr stats = structure_property(tracker.get(), "stats");
  run.pinned = uint64_of(stats.get(), "pictures-pinned");
  run.staged = uint64_of(stats.get(), "pictures-staged");
  return run;
}

// What is between rows is nobody's business.
std::vector<guint8> pixels(GstBuffer* buffer) {
  GstVideoInfo info;
  gst_video_info_set_format(&info, GST_VIDEO_FORMAT_I420, 161, 121);
  GstVideoFrame frame;
  EXPECT_TRUE(gst_video_frame_map(&frame, &info, buffer, GST_MAP_READ));
  std::vector<guint8> all;
  for (guint c = 0; c < 3; ++c) {
    for (int y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT(&frame, c); ++y) {
      const guint8* row =
          GST_VIDEO_FRAME_COMP_DATA(&frame, c) + y * GST_VIDEO_FRAME_COMP_STRIDE(&frame, c);
      all.insert(all.end(), row, row + GST_VIDEO_FRAME_COMP_WIDTH(&frame, c));
    }
  }
  gst_video_frame_unmap(&frame);
  return all;
}

class PinnedAllocator : public testing::Test {
 protected:
  void SetUp() override {
    if (list_devices().size() < 2) GTEST_SKIP() << "NO OPENCL DEVICE: none could act as a GPU";
  }
  Faults faults_;
};

TEST_F(PinnedAllocator, IsOfferedWhereADeviceCopies) {
  faults_.set(kGpu);
  for (const char* before : {"", "queue !", "identity ! queue !"}) {
    const Outcome run = track("0.0", before);
    EXPECT_EQ(run.error, "");
    EXPECT_THAT(run.memories, testing::AllOf(testing::SizeIs(5), testing::Each(kPinned))) << before;
    EXPECT_EQ(run.boxes.size(), 5u);
    EXPECT_EQ(run.pinned, 5u);
    EXPECT_EQ(run.staged, 0u);
  }
}

// Converters and encoders offer pools of ordinary memory. Those with memory of their own keep it.
TEST_F(PinnedAllocator, IsOfferedWhateverIsBehind) {
  faults_.set(kGpu);
  for (const char* behind :
       {"videoconvert ! video/x-raw,format=RGB ! fakesink",
        "queue ! videoscale ! video/x-raw,width=80 ! fakesink", "jpegenc ! fakesink",
        "identity ! videoconvert ! jpegenc ! fakesink", "tee ! queue ! fakesink"}) {
    const Outcome run = track("0.0", "", behind);
    EXPECT_EQ(run.error, "");
    EXPECT_EQ(run.pinned, 5u) << behind;
    EXPECT_EQ(run.staged, 0u) << behind;
    EXPECT_THAT(run.memories, testing::Each(kPinned)) << behind;
  }
}

// Upstream is asked again when `auto` tries a device: by then it has memory of its own. DMA-BUFs
// are not asked for then: `auto` may turn back.
TEST_F(PinnedAllocator, IsOfferedForADeviceThatAutoTurnsTo) {
  faults_.set(kGpu + ",IMPORTS=2");
  Pipeline pipeline(
      "videotestsrc pattern=ball ! video/x-raw,format=I420,width=160,height=120 ! queue ! "
      "cltracker name=tracker targets=\"<<40,30,40,40>>\" ! fakesink");
  const ElementPtr tracker = pipeline.element("tracker");
  const PadPtr sink(gst_element_get_static_pad(tracker.get(), "sink"));
  const CapsPtr both(gst_caps_from_string(
      "video/x-raw(memory:DMABuf),format=DMA_DRM,drm-format=NV12; video/x-raw,format=NV12"));
  std::atomic<bool> has_ordinary = false, has_pinned = false;
  pipeline.probe("tracker", "src", [&](GstBuffer* buffer) {
    if (!gst_memory_is_type(gst_buffer_peek_memory(buffer, 0), kPinned)) {
      has_ordinary = true;
    } else if (!has_pinned.exchange(true)) {
      const CapsPtr taken(gst_pad_query_caps(sink.get(), both.get()));
      EXPECT_EQ(gst_caps_get_size(taken.get()), 1u);
      EXPECT_FALSE(gst::is_dma_buf(taken.get()));
      gst_element_post_message(
          tracker.get(), gst_message_new_application(nullptr, gst_structure_new_empty("pinned")));
    }
  });
  gst_element_set_state(pipeline.get(), GST_STATE_PLAYING);
  const BusPtr bus(gst_element_get_bus(pipeline.get()));
  EXPECT_NE(next_message(bus.get(), GST_MESSAGE_APPLICATION), nullptr);
  pipeline.stop();
  EXPECT_TRUE(has_ordinary);
  EXPECT_TRUE(has_pinned);
}

// Behind a tee, for one: what others have allocated.
TEST_F(PinnedAllocator, OtherMemoryIsCopiedOnce) {
  faults_.set(kGpu);
  const Outcome run = track("0.0", "tee ! queue !");
  EXPECT_EQ(run.error, "");
  EXPECT_EQ(run.pinned, 0u);
  EXPECT_EQ(run.staged, 5u);
  EXPECT_EQ(run.boxes, track("0.0").boxes);
}

TEST_F(PinnedAllocator, EachOfManyStreamsHasIt) {
  faults_.set(kGpu);
  const std::vector<std::vector<const char*>> codecs = {{"jpegenc", "jpegdec"},
                                                        {"x264enc", "h264parse", "avdec_h264"}};
  constexpr int kStreams = 16;
  for (const std::vector<const char*>& codec : codecs) {
    if (!has_elements(codec)) continue;
    SCOPED_TRACE(codec.back());
    std::string coded, line;
    for (const char* element : codec) coded += element + std::string(" ! ");
    for (int i = 0; i < kStreams; ++i) {
      line +=
          "videotestsrc num-buffers=5 pattern=ball ! "
          "video/x-raw,format=I420,width=160,height=120 ! " +
          coded + "queue ! cltracker device=0.0 targets=\"<<40,30,40,40>>\" name=tracker" +
          std::to_string(i) + " ! videoconvert ! video/x-raw,format=BGR ! fakesink async=false ";
    }
    Pipeline pipeline(line);
    std::vector<ElementPtr> trackers;
    for (int i = 0; i < kStreams; ++i) {
      trackers.push_back(pipeline.element(("tracker" + std::to_string(i)).c_str()));
    }
    EXPECT_EQ(pipeline.run(), "");
    for (const ElementPtr& tracker : trackers) {
      const StructurePtr stats = structure_property(tracker.get(), "stats");
      EXPECT_EQ(uint64_of(stats.get(), "pictures-pinned"), 5u);
      EXPECT_EQ(uint64_of(stats.get(), "pictures-staged"), 0u);
    }
  }
}

TEST_F(PinnedAllocator, IsNotOfferedWhereNothingIsCopied) {
  for (const char* device : {"host", "0.0"}) {
    const Outcome run = track(device);
    EXPECT_EQ(run.error, "");
    EXPECT_THAT(run.memories, testing::AllOf(testing::SizeIs(5),
                                             testing::Each(testing::Ne(std::string(kPinned)))));
    EXPECT_EQ(run.pinned + run.staged, 0u);
  }
}

TEST_F(PinnedAllocator, ChangesNoPictureAndNoBox) {
  faults_.set(kGpu);
  const Outcome pinned = track("0.0");
  // clEnqueueMapBuffer is needed for pinned memory alone where a device copies.
  faults_.set(kGpu + ",clEnqueueMapBuffer=-12");
  const Outcome ordinary = track("0.0");
  EXPECT_EQ(ordinary.error, "") << "a driver without such memory is none that has failed";
  EXPECT_THAT(ordinary.memories, testing::Each(testing::Ne(std::string(kPinned))));
  EXPECT_EQ(ordinary.staged, 5u);
  EXPECT_EQ(pinned.boxes, ordinary.boxes);
  EXPECT_EQ(pixels(pinned.last.get()), pixels(ordinary.last.get()));
}

TEST_F(PinnedAllocator, OutlivesTheElement) {
  faults_.set(kGpu);
  Outcome run = track("0.0");
  ASSERT_NE(run.last, nullptr);
  const auto open = [&] {
    return faults_.alive("clCreateContext", "clRetainContext", "clReleaseContext");
  };
  EXPECT_GT(open(), 0) << "held by the memory";
  const std::vector<guint8> whole = bytes_of(run.last.get());
  EXPECT_THAT(whole, testing::Contains(testing::Gt(200))) << "the ball";
  const BufferPtr part(gst_buffer_copy_region(run.last.get(), GST_BUFFER_COPY_MEMORY, 1000, 500));
  run.last.reset();
  EXPECT_EQ(bytes_of(part.get()), std::vector<guint8>(whole.begin() + 1000, whole.begin() + 1500));
}

TEST_F(PinnedAllocator, LeavesNothingBehind) {
  faults_.set(kGpu);
  track("0.0").last.reset();
  EXPECT_EQ(faults_.alive("clCreateBuffer", "clRetainMemObject", "clReleaseMemObject"), 0);
  EXPECT_EQ(faults_.alive("clCreateContext", "clRetainContext", "clReleaseContext"), 0);
}

}  // namespace
}  // namespace cltrack::test
