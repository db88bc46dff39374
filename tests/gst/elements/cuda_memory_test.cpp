// SPDX-License-Identifier: LGPL-2.1-or-later
// Pictures in CUDA memory: the same tracks as of system memory, whichever way they take, with
// libraries that play CUDA's and an OpenCL that imports.
#include <dlfcn.h>
#include <gmock/gmock.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "../support/fake_cuda.h"
#include "../support/lent_stream.h"

namespace cltrack::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// As a decoder would have loaded them.
void* load(const char* variable) {
  void* const library = dlopen(std::getenv(variable), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) ADD_FAILURE() << dlerror();
  return library;
}

template <typename Function>
Function* find(const char* name) {
  static void* const driver = load("CLTRACK_FAKE_CUDA_DRIVER");
  static void* const library = load("CLTRACK_FAKE_GSTCUDA");
  EXPECT_NE(driver, nullptr);
  return reinterpret_cast<Function*>(dlsym(library, name));
}
#define FAKE(name) find<decltype(name)>(#name)

enum class Memory { system, exportable, other };

class CudaMemory : public LentStream {
 protected:
  CudaMemory() : LentStream(1) { FAKE(fake_cuda_context)(); }

  // Pictures with rows of their own length, in `memories` that decoders use again.
  std::vector<BoundingBox> follow(const TrackerKind& kind, const std::string& device, Memory memory,
                                  int frames = 10) {
    const std::string features = memory == Memory::system ? "" : "(memory:CUDAMemory)";
    constexpr int kMemories = 3;
    std::vector<GstMemory*> memories(kMemories);
    const auto picture = [&](int i) {
      BufferPtr buffer = make_buffer(moving_scene(i), GST_VIDEO_FORMAT_NV12, {.row_padding = 64});
      if (memory == Memory::system) return buffer;
      GstMemory*& own = memories[static_cast<std::size_t>(i % kMemories)];
      GstMapInfo map;
      gst_buffer_map(buffer.get(), &map, GST_MAP_READ);
      if (own == nullptr) {
        own = FAKE(fake_cuda_memory)(map.data, map.size, memory == Memory::exportable);
      } else {
        GstMapInfo to;
        gst_memory_map(own, &to, GST_MAP_WRITE);
        std::copy_n(map.data, map.size, to.data);
        gst_memory_unmap(own, &to);
      }
      gst_buffer_unmap(buffer.get(), &map);
      return with_memory(buffer, {own});
    };
    const auto all = track(
        kind, device, "video/x-raw" + features + ",format=NV12,width=320,height=240,framerate=25/1",
        frames, picture);
    for (GstMemory* own : memories) {
      if (own != nullptr) gst_memory_unref(own);
    }
    return all;
  }

  guint64 copied() const { return uint64_of(stats_.get(), "pictures-copied"); }
};

TEST_F(CudaMemory, IsTrackedWithoutTheHost) {
  for (const TrackerKind& kind : {kTld, kTemplate, kColor}) {
    SCOPED_TRACE(kind.factory);
    const auto expected = follow(kind, "0.0", Memory::system);
    EXPECT_FALSE(expected.empty());
    EXPECT_EQ(lent() + copied() + mapped(), 0);
    const int exports = FAKE(fake_cuda_exports)(), syncs = FAKE(fake_cuda_syncs)();
    EXPECT_EQ(follow(kind, "0.0", Memory::exportable), expected);
    EXPECT_EQ(lent(), 10);
    EXPECT_EQ(mapped(), 0);
    EXPECT_EQ(reason(), "");
    EXPECT_THAT(texts_, IsEmpty());
    EXPECT_EQ(FAKE(fake_cuda_exports)() - exports, 3) << "once for each memory";
    EXPECT_EQ(FAKE(fake_cuda_syncs)() - syncs, 10);
  }
}

TEST_F(CudaMemory, ComesThroughTheHostWhereItCannotBeImported) {
  const auto expected = follow(kTld, "0.0", Memory::system);
  const auto on_host = follow(kTld, "host", Memory::system);
  EXPECT_EQ(follow(kTld, "host", Memory::exportable), on_host);
  EXPECT_EQ(mapped(), 10);
  EXPECT_THAT(reason(), HasSubstr("no stage runs on"));
  EXPECT_THAT(texts_, IsEmpty());
  faults_.set("CL_DEVICE_TYPE=4,CL_DEVICE_HOST_UNIFIED_MEMORY=0,IMPORTS=2");
  EXPECT_EQ(follow(kTld, "0.0", Memory::exportable), expected);
  EXPECT_EQ(mapped(), 10);
  EXPECT_THAT(reason(), HasSubstr("cl_khr_external_memory_opaque_fd"));
  faults_.set("CL_DEVICE_TYPE=4,CL_DEVICE_HOST_UNIFIED_MEMORY=0");
  EXPECT_EQ(follow(kTld, "0.0", Memory::exportable), expected);
  EXPECT_EQ(mapped(), 10);
}

// Into memory that can, which is imported once.
TEST_F(CudaMemory, IsCopiedOnItsDeviceWhereItCannotBeExported) {
  const int memories = FAKE(fake_cuda_memories)();
  for (const TrackerKind& kind : {kTld, kTemplate, kColor}) {
    SCOPED_TRACE(kind.factory);
    const auto expected = follow(kind, "0.0", Memory::system);
    const int exports = FAKE(fake_cuda_exports)(), copies = FAKE(fake_cuda_copies)();
    EXPECT_EQ(follow(kind, "0.0", Memory::other), expected);
    EXPECT_EQ(copied(), 10);
    EXPECT_EQ(lent() + mapped(), 0);
    EXPECT_THAT(string_of(stats_.get(), "copied-because"), HasSubstr("cannot be exported"));
    EXPECT_THAT(texts_, IsEmpty());
    EXPECT_EQ(FAKE(fake_cuda_exports)() - exports, 1);
    EXPECT_EQ(FAKE(fake_cuda_copies)() - copies, 10);
    EXPECT_EQ(FAKE(fake_cuda_memories)(), memories) << "of a stream that has ended";
  }
}

TEST_F(CudaMemory, CopiesThatFailLeadToTheNextWay) {
  const int memories = FAKE(fake_cuda_memories)();
  const auto expected = follow(kTld, "0.0", Memory::system);
  for (const char* function :
       {"gst_buffer_pool_set_config", "start", "acquire", "map", "gst_cuda_context_push",
        "CuMemcpy2DAsync", "CuStreamSynchronize", "gst_cuda_memory_export"}) {
    for (const int nth : {1, 2}) {
      SCOPED_TRACE(std::string(function) + "@" + std::to_string(nth));
      FAKE(fake_cuda_fail)(function, nth);
      EXPECT_EQ(follow(kTld, "0.0", Memory::other), expected);
      FAKE(fake_cuda_fail)(nullptr, 0);
      EXPECT_EQ(copied() + mapped(), 10);
      EXPECT_LE(texts_.size(), 1u);
      for (const std::string& text : texts_) EXPECT_THAT(text, HasSubstr("through the host"));
      EXPECT_EQ(mapped() > 0, texts_.size() == 1);
      if (nth == 1) {
        EXPECT_EQ(mapped(), 10);
      }
      EXPECT_EQ(FAKE(fake_cuda_memories)(), memories);
    }
  }
  // What has been acquired by the way is released.
  for (const char* fault :
       {"clCreateBufferWithProperties=-6", "clEnqueueAcquireExternalMemObjectsKHR@4=-5"}) {
    SCOPED_TRACE(fault);
    faults_.set(gpu_ + "," + fault);
    EXPECT_EQ(follow(kTld, "0.0", Memory::other), expected);
    EXPECT_GT(mapped(), 0);
    EXPECT_EQ(copied() + mapped(), 10);
    EXPECT_THAT(texts_, ElementsAre(HasSubstr("through the host")));
    EXPECT_EQ(FAKE(fake_cuda_memories)(), memories);
  }
}

// The next way is taken, with one warning; nobody misses a box.
TEST_F(CudaMemory, FaultsLeadToTheNextWay) {
  const auto expected = follow(kTld, "0.0", Memory::system);
  for (const char* fault :
       {"clCreateBufferWithProperties=-6", "clCreateBufferWithProperties@2=-6",
        "clEnqueueAcquireExternalMemObjectsKHR=-5", "clEnqueueAcquireExternalMemObjectsKHR@4=-5",
        "clGetExtensionFunctionAddressForPlatform=-5"}) {
    SCOPED_TRACE(fault);
    faults_.set(gpu_ + "," + fault);
    EXPECT_EQ(follow(kTld, "0.0", Memory::exportable), expected);
    EXPECT_GT(mapped(), 0);
    EXPECT_EQ(lent() + mapped(), 10);
    EXPECT_THAT(texts_, ElementsAre(HasSubstr("0.0")));
    EXPECT_THAT(texts_, ElementsAre(HasSubstr("through the host")));
  }
  // What has been read cannot be missed.
  faults_.set(gpu_ + ",clEnqueueReleaseExternalMemObjectsKHR@4=-5");
  EXPECT_EQ(follow(kTld, "0.0", Memory::exportable), expected);
}

TEST_F(CudaMemory, NothingStaysOpen) {
  follow(kTld, "0.0", Memory::exportable);
  const int before = open_descriptors();
  faults_.set(gpu_);
  for (int i = 0; i < 20; ++i) follow(kTld, "0.0", Memory::exportable, 4);
  EXPECT_EQ(open_descriptors(), before);
  expect_all_closed(60);
}

// A decoder takes the first pool.
TEST_F(CudaMemory, IsAskedForInAFormThatCanBeExported) {
  TrackerHarness harness{{"targets", kTargets}, {"device", "0.0"}};
  const CapsPtr caps(gst_caps_from_string(
      "video/x-raw(memory:CUDAMemory),format=NV12,width=320,height=240,framerate=25/1"));
  const auto answer = +[](GstPad* pad, GstObject* parent, GstQuery* query) -> gboolean {
    const gchar* type = nullptr;
    if (GST_QUERY_TYPE(query) == GST_QUERY_CONTEXT && gst_query_parse_context_type(query, &type) &&
        g_str_equal(type, "gst.cuda.context")) {
      GstContext* context = gst_context_new(type, TRUE);
      gst_structure_set(gst_context_writable_structure(context), type, G_TYPE_OBJECT,
                        FAKE(fake_cuda_context)(), nullptr);
      gst_query_set_context(query, context);
      gst_context_unref(context);
      return TRUE;
    }
    return gst_pad_query_default(pad, parent, query);
  };
  gst_pad_set_query_function(harness.get()->srcpad, answer);
  gst_harness_set_src_caps(harness.get(), gst_caps_ref(caps.get()));
  const QueryPtr query(gst_query_new_allocation(caps.get(), TRUE));
  ASSERT_TRUE(gst_pad_peer_query(harness.get()->srcpad, query.get()));
  ASSERT_GE(gst_query_get_n_allocation_pools(query.get()), 1u);
  GstBufferPool* pool = nullptr;
  guint size = 0, min = 9, max = 9;
  gst_query_parse_nth_allocation_pool(query.get(), 0, &pool, &size, &min, &max);
  ASSERT_NE(pool, nullptr);
  EXPECT_EQ(max, 0u);
  EXPECT_EQ(g_object_get_data(G_OBJECT(pool), "context"), FAKE(fake_cuda_context)());
  const StructurePtr config(gst_buffer_pool_get_config(pool));
  gint method = 0;
  EXPECT_TRUE(gst_structure_get_int(config.get(), "alloc-method", &method));
  EXPECT_EQ(method, 2);
  EXPECT_TRUE(gst_query_find_allocation_meta(query.get(), GST_VIDEO_META_API_TYPE, nullptr));
  gst_object_unref(pool);
}

}  // namespace
}  // namespace cltrack::test
