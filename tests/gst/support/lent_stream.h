// SPDX-License-Identifier: LGPL-2.1-or-later
// Streams of pictures in memory other than the host's, through trackers on an OpenCL of
// faulty_opencl that plays a GPU which imports.
#pragma once

#include <fcntl.h>
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "../../support/faults.h"
#include "tracker_harness.h"

namespace cltrack::test {

struct TrackerKind {
  const char* factory;
  std::vector<Property> properties;
};

inline const TrackerKind kTld = {"cltracker", {{"targets", targets_text(moving_target(0))}}};
inline const TrackerKind kTemplate = {
    "cltracker", {{"targets", targets_text(moving_target(0))}, {"algorithm", "template"}}};
inline const TrackerKind kColor = {"clcolortracker",
                                   {{"colors", R"(<"box, x=100, y=80, width=40, height=40">)"}}};

// Imports opaque descriptors (1), DMA-BUFs (2), or both.
inline std::string importing_gpu(int imports) {
  return "CL_DEVICE_TYPE=4,CL_DEVICE_HOST_UNIFIED_MEMORY=0,IMPORTS=" + std::to_string(imports);
}

class LentStream : public testing::Test {
 protected:
  explicit LentStream(int imports) : gpu_(importing_gpu(imports)), faults_(gpu_) {}

  void SetUp() override {
    if (list_devices().size() < 2) GTEST_SKIP() << "NO OPENCL DEVICE: there is none that imports";
  }

  // The boxes of all frames; `picture(i)` is the buffer of one.
  template <typename Picture>
  static std::vector<BoundingBox> pass_all(ElementHarness& harness, const std::string& caps,
                                           int frames, const Picture& picture) {
    gst_harness_set_src_caps_str(harness.get(), caps.c_str());
    std::vector<BoundingBox> all;
    for (int i = 0; i < frames; ++i) {
      const BufferPtr out = harness.pass(picture(i));
      EXPECT_TRUE(out != nullptr);
      if (out == nullptr) break;
      const std::vector<BoundingBox> found = boxes(out);
      all.insert(all.end(), found.begin(), found.end());
    }
    return all;
  }

  template <typename Picture>
  std::vector<BoundingBox> track(const TrackerKind& kind, const std::string& device,
                                 const std::string& caps, int frames, const Picture& picture) {
    std::vector<Property> properties = kind.properties;
    properties.push_back({"device", device});
    ElementHarness harness(kind.factory, properties);
    std::vector<BoundingBox> all = pass_all(harness, caps, frames, picture);
    stats_ = structure_property(harness.object(), "stats");
    texts_ = harness.texts();
    return all;
  }

  // A buffer of such a memory, with the GstVideoMeta of another one.
  static BufferPtr with_memory(const BufferPtr& from, const std::vector<GstMemory*>& memories) {
    BufferPtr buffer(gst_buffer_new());
    if (GstVideoMeta* meta = gst_buffer_get_video_meta(from.get())) {
      gst_buffer_add_video_meta_full(buffer.get(), GST_VIDEO_FRAME_FLAG_NONE, meta->format,
                                     meta->width, meta->height, meta->n_planes, meta->offset,
                                     meta->stride);
    }
    for (GstMemory* memory : memories) {
      gst_buffer_append_memory(buffer.get(), gst_memory_ref(memory));
    }
    return buffer;
  }

  static int open_descriptors() {
    int open = 0;
    for (int i = 0; i < 1024; ++i) open += fcntl(i, F_GETFD) >= 0 ? 1 : 0;
    return open;
  }

  // All that has been imported since the faults were set was acquired and released in turn, and is
  // closed.
  void expect_all_closed(int imports) const {
    EXPECT_EQ(faults_.calls("clCreateBufferWithProperties"), imports);
    EXPECT_EQ(faults_.calls("clEnqueueAcquireExternalMemObjectsKHR"),
              faults_.calls("clEnqueueReleaseExternalMemObjectsKHR"));
    EXPECT_EQ(faults_.calls("clCreateBuffer") + imports + faults_.calls("clRetainMemObject"),
              faults_.calls("clReleaseMemObject"));
  }

  // Of the latest stream.
  guint64 lent() const { return uint64_of(stats_.get(), "pictures-lent"); }
  guint64 mapped() const { return uint64_of(stats_.get(), "pictures-mapped"); }
  std::string reason() const { return string_of(stats_.get(), "mapped-because"); }

  const std::string gpu_;
  Faults faults_;
  StructurePtr stats_;
  std::vector<std::string> texts_;
};

}  // namespace cltrack::test
