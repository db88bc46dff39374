// SPDX-License-Identifier: LGPL-2.1-or-later
// Memory that upstream is offered where a device copies pictures. A CPU that calls itself a GPU, by
// the OpenCL that does as it is told, is such a device.
#include <gmock/gmock.h>
#include <gst/video/video.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "../../support/faults.h"
#include "../support/bus.h"
#include "../support/gst_ptr.h"
#include "cltrack/device_info.h"
#include "metadata/track_meta.h"

namespace cltrack::test {
namespace {

const std::string kGpu = "CL_DEVICE_TYPE=4,CL_DEVICE_HOST_UNIFIED_MEMORY=0";
constexpr const char* kPinned = "cltrack-pinned";

struct Outcome {
  bool ended = false;
  std::vector<std::string> memories;  // their types, as they reach the tracker
  std::vector<BoundingBox> boxes;
  BufferPtr last;
};

GstPadProbeReturn note_buffer(GstPad*, GstPadProbeInfo* info, gpointer data) {
  auto* run = static_cast<Outcome*>(data);
  GstBuffer* buffer = GST_PAD_PROBE_INFO_BUFFER(info);
  run->memories.emplace_back(gst_buffer_peek_memory(buffer, 0)->allocator->mem_type);
  for (const gst::TrackRegion& region : gst::read_tracks(buffer)) run->boxes.push_back(region.box);
  run->last.reset(gst_buffer_ref(buffer));
  return GST_PAD_PROBE_OK;
}

// Five pictures of an odd width, so that rows are padded.
Outcome track(const std::string& device, const std::string& before = "") {
  Outcome run;
  const ElementPtr pipeline(gst_parse_launch(("videotestsrc num-buffers=5 pattern=ball ! "
                                              "video/x-raw,format=I420,width=161,height=121 ! " +
                                              before + " cltracker name=tracker device=" + device +
                                              " targets=\"<<40,30,40,40>>\" ! fakesink")
                                                 .c_str(),
                                             nullptr));
  const ElementPtr tracker(gst_bin_get_by_name(GST_BIN(pipeline.get()), "tracker"));
  GstPad* pad = gst_element_get_static_pad(tracker.get(), "src");
  gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER, note_buffer, &run, nullptr);
  gst_object_unref(pad);
  const BusPtr bus(gst_element_get_bus(pipeline.get()));
  gst_element_set_state(pipeline.get(), GST_STATE_PLAYING);
  const MessagePtr end = next_message(bus.get());
  run.ended = end != nullptr && GST_MESSAGE_TYPE(end.get()) == GST_MESSAGE_EOS;
  gst_element_set_state(pipeline.get(), GST_STATE_NULL);
  return run;
}

std::vector<guint8> contents(GstBuffer* buffer) {
  std::vector<guint8> bytes(gst_buffer_get_size(buffer));
  gst_buffer_extract(buffer, 0, bytes.data(), bytes.size());
  return bytes;
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
    EXPECT_TRUE(run.ended);
    EXPECT_THAT(run.memories, testing::AllOf(testing::SizeIs(5), testing::Each(kPinned))) << before;
    EXPECT_EQ(run.boxes.size(), 5u);
  }
}

TEST_F(PinnedAllocator, IsNotOfferedWhereNothingIsCopied) {
  for (const char* device : {"host", "0.0"}) {
    const Outcome run = track(device);
    EXPECT_TRUE(run.ended);
    EXPECT_THAT(run.memories, testing::AllOf(testing::SizeIs(5),
                                             testing::Each(testing::Ne(std::string(kPinned)))));
  }
}

TEST_F(PinnedAllocator, ChangesNoPictureAndNoBox) {
  faults_.set(kGpu);
  const Outcome pinned = track("0.0");
  // clEnqueueMapBuffer is needed for pinned memory alone where a device copies.
  faults_.set(kGpu + ",clEnqueueMapBuffer=-12");
  const Outcome ordinary = track("0.0");
  EXPECT_TRUE(ordinary.ended) << "a driver without such memory is none that has failed";
  EXPECT_THAT(ordinary.memories, testing::Each(testing::Ne(std::string(kPinned))));
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
  const std::vector<guint8> whole = contents(run.last.get());
  EXPECT_THAT(whole, testing::Contains(testing::Gt(200))) << "the ball";
  const BufferPtr part(gst_buffer_copy_region(run.last.get(), GST_BUFFER_COPY_MEMORY, 1000, 500));
  run.last.reset();
  EXPECT_EQ(contents(part.get()), std::vector<guint8>(whole.begin() + 1000, whole.begin() + 1500));
}

TEST_F(PinnedAllocator, LeavesNothingBehind) {
  faults_.set(kGpu);
  track("0.0").last.reset();
  EXPECT_EQ(faults_.alive("clCreateBuffer", "clRetainMemObject", "clReleaseMemObject"), 0);
  EXPECT_EQ(faults_.alive("clCreateContext", "clRetainContext", "clReleaseContext"), 0);
}

}  // namespace
}  // namespace cltrack::test
