// SPDX-License-Identifier: LGPL-2.1-or-later
// Pictures in DMA-BUFs: the same tracks as of system memory, whichever way they take, with an
// OpenCL that imports. Memory files play DMA-BUFs.
#include "devices/dma_buf.h"

#include <gst/allocators/gstdmabuf.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "../support/lent_stream.h"
#include "../support/video_picture.h"
#include "scoped.h"

namespace cltrack::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kSize = ",width=320,height=240,framerate=25/1";
const std::string kDrm = std::string("video/x-raw(memory:DMABuf),format=DMA_DRM,drm-format=");

// A picture with colours; its rows are longer than needed, and its planes apart.
BufferPtr colored_scene(int index, GstVideoFormat format) {
  const Image scene = moving_scene(index);
  const BoundingBox box = moving_target(index);
  return make_picture(video_info(format, 320, 240), 16, [&](int x, int y, int c) {
    const bool inside =
        static_cast<float>(x) >= box.x && static_cast<float>(x) < box.x + box.width &&
        static_cast<float>(y) >= box.y && static_cast<float>(y) < box.y + box.height;
    if (c == 0) return 255;
    if (c == 1) return int{scene.row(y)[x]};
    return inside ? c * 80 - 60 : 118 + c * 4;
  });
}

// How the memory of a buffer and its DMA-BUF go together.
enum class Memory {
  system,
  one,       // the same for all
  behind,    // the picture does not begin where the DMA-BUF does
  part,      // a part of a memory, made for each buffer
  planes,    // a memory for each plane
  strangers  // a DMA-BUF for each plane
};

class DmaBuf : public LentStream {
 protected:
  DmaBuf() : LentStream(2), allocator_(gst_dmabuf_allocator_new()) {}
  ~DmaBuf() override { gst_object_unref(allocator_); }

  int memory_file(const std::vector<std::uint8_t>& bytes, std::size_t offset) {
    const int file = memfd_create("dma-buf", MFD_CLOEXEC);
    EXPECT_EQ(pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(offset)),
              static_cast<ssize_t>(bytes.size()));
    return file;
  }

  // [begin, end) of a file, which is closed with the first one of its memories.
  GstMemory* memory_of(int file, std::size_t begin, std::size_t end, bool first) {
    GstMemory* memory = gst_dmabuf_allocator_alloc_with_flags(
        allocator_, file, end, first ? GST_FD_MEMORY_FLAG_NONE : GST_FD_MEMORY_FLAG_DONT_CLOSE);
    gst_memory_resize(memory, static_cast<gssize>(begin), end - begin);
    return memory;
  }

  std::vector<GstMemory*> make_memories(const BufferPtr& picture, Memory kind) {
    const std::vector<std::uint8_t> bytes = bytes_of(picture.get());
    const std::size_t offset = kind == Memory::behind ? 4096 : 0;
    const int file = memory_file(bytes, offset);
    const bool apart = kind == Memory::planes || kind == Memory::strangers;
    const std::size_t end =
        apart ? gst_buffer_get_video_meta(picture.get())->offset[1] : offset + bytes.size();
    std::vector<GstMemory*> memories = {memory_of(file, offset, end, true)};
    if (kind == Memory::planes) memories.push_back(memory_of(file, end, bytes.size(), false));
    if (kind == Memory::strangers) {
      memories.push_back(memory_of(memory_file(bytes, 0), end, bytes.size(), true));
    }
    return memories;
  }

  // Pictures in three memories that are used again and again, as those of decoders.
  class Pictures {
   public:
    Pictures(DmaBuf& test, Memory memory, GstVideoFormat format)
        : test_(test), memory_(memory), format_(format) {}
    ~Pictures() {
      for (const auto& [i, memories] : pool_) {
        for (GstMemory* const own : memories) gst_memory_unref(own);
      }
    }
    BufferPtr operator()(int i) {
      BufferPtr made = colored_scene(i, format_);
      if (memory_ == Memory::system) return made;
      std::vector<GstMemory*>& memories = pool_[i % 3];
      if (memories.empty()) {
        memories = test_.make_memories(made, memory_);
      } else {
        const std::vector<std::uint8_t> bytes = bytes_of(made.get());
        gst_buffer_fill(with_memory(made, memories).get(), 0, bytes.data(), bytes.size());
      }
      if (memory_ != Memory::part) return with_memory(made, memories);
      GstMemory* const part = gst_memory_share(memories[0], 0, -1);
      BufferPtr buffer = with_memory(made, {part});
      gst_memory_unref(part);
      return buffer;
    }

   private:
    DmaBuf& test_;
    const Memory memory_;
    const GstVideoFormat format_;
    std::map<int, std::vector<GstMemory*>> pool_;
  };

  std::vector<BoundingBox> follow(const TrackerKind& kind, const std::string& device, Memory memory,
                                  GstVideoFormat format = GST_VIDEO_FORMAT_NV12, int frames = 10,
                                  const std::string& caps = {}) {
    Pictures pictures(*this, memory, format);
    return track(kind, device, !caps.empty() ? caps + kSize : caps_text(320, 240, format), frames,
                 [&](int i) { return pictures(i); });
  }

  GstAllocator* const allocator_;
};

TEST_F(DmaBuf, IsTrackedWithoutTheHost) {
  TrackerKind drawn = kTld;
  drawn.properties.push_back({"draw-rect", "true"});
  for (const TrackerKind& kind : {kTld, kTemplate, kColor, drawn}) {
    SCOPED_TRACE(kind.factory);
    const auto expected = follow(kind, "0.0", Memory::system);
    EXPECT_FALSE(expected.empty());
    EXPECT_EQ(lent() + mapped(), 0);
    for (const std::string& caps : {std::string("video/x-raw,format=NV12"), kDrm + "NV12"}) {
      SCOPED_TRACE(caps);
      faults_.set(gpu_);
      EXPECT_EQ(follow(kind, "0.0", Memory::one, GST_VIDEO_FORMAT_NV12, 10, caps), expected);
      EXPECT_EQ(lent(), 10);
      EXPECT_EQ(mapped(), 0);
      EXPECT_EQ(reason(), "");
      EXPECT_THAT(texts_, IsEmpty());
      EXPECT_EQ(faults_.calls("clCreateBufferWithProperties"), 3) << "once for each memory";
    }
  }
}

TEST_F(DmaBuf, LiesInMemoryInManyWays) {
  for (const TrackerKind& kind : {kTld, kColor}) {
    SCOPED_TRACE(kind.factory);
    const auto expected = follow(kind, "0.0", Memory::system);
    for (const Memory memory : {Memory::behind, Memory::part, Memory::planes}) {
      SCOPED_TRACE(static_cast<int>(memory));
      faults_.set(gpu_);
      EXPECT_EQ(follow(kind, "0.0", memory), expected);
      EXPECT_EQ(lent(), 10);
      EXPECT_EQ(faults_.calls("clCreateBufferWithProperties"), 3);
    }
  }
}

TEST_F(DmaBuf, HasTheColorsOfItsFormat) {
  const TrackerKind reddish = {
      "clcolortracker", {{"colors", R"(<"hsv, hue-min=330, hue-max=40, saturation-min=0.2">)"}}};
  struct Format {
    GstVideoFormat format;
    std::string drm;  // none: in caps of system memory alone
    bool has_luma_plane = true;
    bool has_color = true;
  };
  const Format formats[] = {
      {GST_VIDEO_FORMAT_I420, "YU12"},          {GST_VIDEO_FORMAT_YV12, "YV12"},
      {GST_VIDEO_FORMAT_NV21, "NV21"},          {GST_VIDEO_FORMAT_NV16, "NV16"},
      {GST_VIDEO_FORMAT_Y42B, "YU16"},          {GST_VIDEO_FORMAT_YUY2, "", false},
      {GST_VIDEO_FORMAT_UYVY, "", false},       {GST_VIDEO_FORMAT_VYUY, "", false},
      {GST_VIDEO_FORMAT_GRAY8, "", true, false}};
  for (const auto& [format, drm, has_luma_plane, has_color] : formats) {
    for (const TrackerKind& kind : {kTld, reddish}) {
      const bool by_color = kind.factory == reddish.factory;
      if (by_color && !has_color) continue;
      SCOPED_TRACE(std::string(kind.factory) + " " + gst_video_format_to_string(format));
      const auto expected = follow(kind, "0.0", Memory::system, format, 5);
      EXPECT_EQ(expected.size(), 5u);
      EXPECT_EQ(follow(kind, "0.0", Memory::one, format, 5, drm.empty() ? "" : kDrm + drm),
                expected);
      EXPECT_EQ(lent(), by_color || has_luma_plane ? 5u : 0u);
      EXPECT_EQ(lent() + mapped(), 5u);
    }
  }
}

TEST_F(DmaBuf, ComesThroughTheHostWhereItCannotBeImported) {
  const auto expected = follow(kTld, "0.0", Memory::system);
  EXPECT_EQ(follow(kTld, "0.0", Memory::strangers), expected);
  EXPECT_EQ(mapped(), 10);
  EXPECT_THAT(reason(), HasSubstr("not in one DMA-BUF"));
  EXPECT_THAT(texts_, IsEmpty());
  EXPECT_EQ(follow(kTld, "host", Memory::one), follow(kTld, "host", Memory::system));
  faults_.set(importing_gpu(1));
  for (const std::string& caps : {std::string("video/x-raw,format=NV12"), kDrm + "NV12"}) {
    EXPECT_EQ(follow(kTld, "0.0", Memory::one, GST_VIDEO_FORMAT_NV12, 10, caps), expected);
    EXPECT_EQ(lent(), 0);
    EXPECT_EQ(mapped(), 10);
    EXPECT_EQ(uint64_of(stats_.get(), "pictures-staged"), 0) << "it is counted once";
    EXPECT_THAT(reason(), HasSubstr("cl_khr_external_memory_dma_buf"));
    EXPECT_THAT(texts_, IsEmpty());
  }
}

// The next way is taken, with one warning; nobody misses a box.
TEST_F(DmaBuf, FaultsLeadToTheNextWay) {
  for (const TrackerKind& kind : {kTld, kColor}) {
    const auto expected = follow(kind, "0.0", Memory::system);
    for (const std::string function :
         {"clCreateBufferWithProperties", "clEnqueueAcquireExternalMemObjectsKHR"}) {
      const int calls = function == "clCreateBufferWithProperties" ? 3 : 10;
      for (int call = 1; call <= calls; ++call) {
        const std::string fault = function + "@" + std::to_string(call) + "=-6";
        SCOPED_TRACE(std::string(kind.factory) + " " + fault);
        faults_.set(gpu_ + "," + fault);
        EXPECT_EQ(follow(kind, "0.0", Memory::one), expected);
        EXPECT_EQ(lent(), static_cast<guint64>(call - 1));
        EXPECT_EQ(lent() + mapped(), 10);
        EXPECT_THAT(texts_, ElementsAre(HasSubstr("0.0")));
        EXPECT_THAT(texts_, ElementsAre(HasSubstr("through the host")));
      }
    }
    // What has been read cannot be missed.
    for (int call = 1; call <= 10; ++call) {
      faults_.set(gpu_ + ",clEnqueueReleaseExternalMemObjectsKHR@" + std::to_string(call) + "-" +
                  std::to_string(call) + "=-5");
      EXPECT_EQ(follow(kind, "0.0", Memory::one), expected);
      EXPECT_EQ(lent() + mapped(), 10);
      EXPECT_LE(texts_.size(), 1u);
    }
  }
}

TEST_F(DmaBuf, NothingStaysOpen) {
  follow(kTld, "0.0", Memory::one);
  const int before = open_descriptors();
  faults_.set(gpu_);
  for (int i = 0; i < 20; ++i) {
    follow(kTld, "0.0", i % 2 == 0 ? Memory::one : Memory::planes, GST_VIDEO_FORMAT_NV12, 4);
  }
  EXPECT_EQ(open_descriptors(), before);
  expect_all_closed(60);
}

// Two trackers, one after the other, import it once.
TEST_F(DmaBuf, IsImportedOnceForAllElements) {
  const auto follow_both = [&](Memory memory) {
    ElementHarness harness("cltracker device=0.0 targets=\"" + targets_text(moving_target(0)) +
                           "\" ! clcolortracker device=0.0 colors=\"<\\\"box, x=100, y=80, "
                           "width=40, height=40\\\">\"");
    Pictures pictures(*this, memory, GST_VIDEO_FORMAT_NV12);
    return pass_all(harness, caps_text(320, 240, GST_VIDEO_FORMAT_NV12), 10,
                    [&](int i) { return pictures(i); });
  };
  const auto expected = follow_both(Memory::system);
  EXPECT_GT(expected.size(), 10u);
  faults_.set(gpu_);
  EXPECT_EQ(follow_both(Memory::one), expected);
  expect_all_closed(3);
}

// One that repeats the one before has its memory, and is not looked at again.
TEST_F(DmaBuf, IsToldFromOthersByItsMemory) {
  ElementHarness harness(kTld.factory, {kTld.properties[0], {"device", "0.0"}});
  gst_harness_set_src_caps_str(harness.get(), (kDrm + "NV12" + kSize).c_str());
  std::vector<BufferPtr> pictures;
  for (int i = 0; i < 2; ++i) {
    const BufferPtr made = colored_scene(i, GST_VIDEO_FORMAT_NV12);
    const std::vector<GstMemory*> memories = make_memories(made, Memory::one);
    pictures.push_back(with_memory(made, memories));
    gst_memory_unref(memories[0]);
  }
  const auto lent_after = [&](int i, bool gap) {
    BufferPtr buffer(gst_buffer_copy(pictures[static_cast<std::size_t>(i)].get()));
    if (gap) GST_BUFFER_FLAG_SET(buffer.get(), GST_BUFFER_FLAG_GAP);
    EXPECT_TRUE(harness.pass(std::move(buffer)) != nullptr);
    return uint64_of(structure_property(harness.object(), "stats").get(), "pictures-lent");
  };
  EXPECT_EQ(lent_after(0, false), 1);
  EXPECT_EQ(lent_after(0, true), 1);
  EXPECT_EQ(lent_after(1, false), 2);
  EXPECT_EQ(lent_after(1, true), 2);
}

// A descriptor that is never ready plays one with a fence that is never done: behind the back of
// its memory, which is mapped already.
TEST_F(DmaBuf, IsNotReadBeforeItIsWritten) {
  const auto expected = follow(kTld, "0.0", Memory::system);
  const int busy = eventfd(0, EFD_CLOEXEC);
  std::vector<GstMemory*> memories;
  const auto picture = [&](int i) {
    const BufferPtr made = colored_scene(i, GST_VIDEO_FORMAT_NV12);
    const std::vector<std::uint8_t> bytes = bytes_of(made.get());
    const int file = memory_file(bytes, 0);
    memories = {gst_dmabuf_allocator_alloc_with_flags(allocator_, file, bytes.size(),
                                                      GST_FD_MEMORY_FLAG_KEEP_MAPPED)};
    BufferPtr buffer = with_memory(made, memories);
    gst_memory_unref(memories[0]);
    GstMapInfo map;
    gst_memory_map(memories[0], &map, GST_MAP_READ);
    gst_memory_unmap(memories[0], &map);
    if (i == 3) dup2(busy, file);
    return buffer;
  };
  EXPECT_EQ(track(kTld, "0.0", caps_text(320, 240, GST_VIDEO_FORMAT_NV12), 10, picture), expected);
  EXPECT_EQ(lent(), 3);
  EXPECT_EQ(mapped(), 7);
  EXPECT_THAT(texts_, ElementsAre(HasSubstr("still written to")));
  EXPECT_THAT(texts_, ElementsAre(HasSubstr("through the host")));
  close(busy);
}

class DmaBufCaps : public DmaBuf {
 protected:
  // What a tracker's pad takes, of what upstream could give.
  static std::string taken(ElementHarness& harness, const std::string& given) {
    const CapsPtr filter = caps_from(given);
    const CapsPtr caps(gst_pad_peer_query_caps(harness.get()->srcpad, filter.get()));
    return gst::Scoped<char, g_free>(gst_caps_to_string(caps.get())).get();
  }
  const std::string host_ = "video/x-raw,format=NV12", drm_ = kDrm + "NV12";
};

// Decoders of VA-API and V4L2 leave DMA-BUFs to whoever takes them.
TEST_F(DmaBufCaps, AreOfferedWhereADeviceImports) {
  for (const TrackerKind& kind : {kTld, kColor}) {
    for (const char* const device : {"0.0", "host", "auto"}) {
      ElementHarness harness(kind.factory, {kind.properties[0], {"device", device}});
      SCOPED_TRACE(std::string(kind.factory) + " " + device);
      const bool imports = std::string(device) == "0.0";
      const std::string both = taken(harness, drm_ + "; " + host_);
      EXPECT_EQ(both.find("DMA_DRM") != both.npos, imports) << both;
      EXPECT_THAT(both, HasSubstr("format=(string)NV12"));
      // Where there is nothing else.
      EXPECT_THAT(taken(harness, drm_), HasSubstr("DMA_DRM"));
      EXPECT_TRUE(
          gst_pad_peer_query_accept_caps(harness.get()->srcpad, caps_from(drm_ + kSize).get()));
      // Before it has devices.
      harness.set_state(GST_STATE_NULL);
      EXPECT_THAT(taken(harness, drm_ + "; " + host_), HasSubstr("DMA_DRM"));
    }
  }
}

TEST_F(DmaBufCaps, OfPicturesThatMayBeTiledAreRefused) {
  ElementHarness harness(kTld.factory, {kTld.properties[0], {"device", "0.0"}});
  for (const std::string& caps : {drm_ + ":0x0100000000000002", kDrm + "P010", kDrm + "YUYV",
                                  std::string("video/x-raw(memory:DMABuf),format=NV12")}) {
    EXPECT_FALSE(
        gst_pad_peer_query_accept_caps(harness.get()->srcpad, caps_from(caps + kSize).get()))
        << caps;
  }
}

TEST_F(DmaBufCaps, HaveTheLayoutOfTheirFormat) {
  GstVideoInfo info;
  ASSERT_TRUE(gst::read_video_info(
      info, caps_from(kDrm + "YU12,colorimetry=bt709,pixel-aspect-ratio=4/3" + kSize).get()));
  EXPECT_EQ(GST_VIDEO_INFO_FORMAT(&info), GST_VIDEO_FORMAT_I420);
  EXPECT_EQ(GST_VIDEO_INFO_WIDTH(&info), 320);
  EXPECT_EQ(GST_VIDEO_INFO_HEIGHT(&info), 240);
  EXPECT_EQ(GST_VIDEO_INFO_FPS_N(&info), 25);
  EXPECT_EQ(GST_VIDEO_INFO_PAR_N(&info), 4);
  EXPECT_EQ(info.colorimetry.matrix, GST_VIDEO_COLOR_MATRIX_BT709);
  EXPECT_EQ(GST_VIDEO_INFO_SIZE(&info), 320u * 240 * 3 / 2);
  for (const char* drm : {"NV12:0x0100000000000002", "NV12:0x0", "nv12", "NV1", "NV122"}) {
    EXPECT_FALSE(gst::read_video_info(info, caps_from(kDrm + drm + kSize).get())) << drm;
  }
}

// Decoders leave no DMA-BUFs to those who do not take any strides.
TEST_F(DmaBufCaps, ComeWithAnyStrides) {
  for (const char* const device : {"0.0", "host"}) {
    ElementHarness harness(kTld.factory, {kTld.properties[0], {"device", device}});
    const CapsPtr caps = caps_from(drm_ + kSize);
    gst_harness_set_src_caps(harness.get(), gst_caps_ref(caps.get()));
    const QueryPtr query(gst_query_new_allocation(caps.get(), FALSE));
    EXPECT_TRUE(gst_pad_peer_query(harness.get()->srcpad, query.get()));
    EXPECT_TRUE(gst_query_find_allocation_meta(query.get(), GST_VIDEO_META_API_TYPE, nullptr));
    EXPECT_EQ(gst_query_get_n_allocation_pools(query.get()), 0u);
  }
}

}  // namespace
}  // namespace cltrack::test
