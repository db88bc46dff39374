// SPDX-License-Identifier: LGPL-2.1-or-later
// Pictures as NVIDIA's decoder leaves them on a GPU: the same boxes as of those that come through
// the host, whichever way they take, and nothing that stays behind. Needs GStreamer 1.24, a GPU and
// nobody else who takes or gives back memory of it meanwhile.
//
// The video is encoded here, or CLTRACK_H264 names a file (a byte stream of H.264). A thousand
// starts take minutes:
//   CLTRACK_SOAK_STARTS=1000 meson test -C build cuda-memory-pipelines -t 0
#include <dlfcn.h>
#include <fcntl.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "../../support/temporary_folder.h"
#include "../support/matchers.h"
#include "../support/pipeline.h"
#include "../support/scene.h"
#include "../support/tracker_harness.h"
#include "cltrack/device_info.h"

namespace cltrack::test {
namespace {

using testing::IsEmpty;

struct Size {
  int width, height;
};
constexpr Size kLarge = {640, 360}, kSmall = {322, 242};
constexpr int kFrames = 40;

BoundingBox target_on(int frame) { return {100.F + 2.F * static_cast<float>(frame), 80, 48, 40}; }

// As `format` says, into the file; empty if there is no encoder.
std::string encode(const Size& size, const std::string& file,
                   const std::string& format = "video/x-h264,stream-format=byte-stream") {
  const char* encoder = has_elements({"x264enc"}) ? "x264enc speed-preset=ultrafast key-int-max=10"
                                                  : "openh264enc gop-size=10";
  if (!has_elements({"x264enc"}) && !has_elements({"openh264enc"})) return "";
  Pipeline pipeline("appsrc name=in format=time caps=" + std::string("\"") +
                    caps_text(size.width, size.height, GST_VIDEO_FORMAT_I420) + "\" ! " + encoder +
                    " ! h264parse ! " + format + " ! filesink location=" + file);
  const ElementPtr in = pipeline.element("in");
  for (int i = 0; i < kFrames; ++i) {
    const BufferPtr buffer =
        make_buffer(draw_scene(size.width, size.height, target_on(i)), GST_VIDEO_FORMAT_I420);
    GST_BUFFER_PTS(buffer.get()) = static_cast<GstClockTime>(i) * GST_SECOND / 25;
    GstFlowReturn flow = GST_FLOW_OK;
    g_signal_emit_by_name(in.get(), "push-buffer", buffer.get(), &flow);
  }
  GstFlowReturn flow = GST_FLOW_OK;
  g_signal_emit_by_name(in.get(), "end-of-stream", &flow);
  const std::string error = pipeline.run();
  EXPECT_EQ(error, "") << "while encoding";
  return error.empty() ? file : "";
}

// What a stream has come to.
struct Stream {
  std::vector<std::vector<BoundingBox>> boxes;  // of each frame
  guint64 lent = 0, copied = 0, mapped = 0, pinned = 0, staged = 0;
};

struct Outcome {
  std::string error;
  std::vector<std::string> warnings;
  std::vector<Stream> streams;

  const Stream& only() const { return streams.front(); }
};

// `line` has trackers named t0, t1 and so on.
class Tracking {
 public:
  Tracking(const std::string& line, int streams)
      : pipeline_(line), streams_(static_cast<std::size_t>(streams)) {
    for (std::size_t i = 0; i < streams_.size(); ++i) {
      const std::string name = "t" + std::to_string(i);
      pipeline_.probe(name.c_str(), "src", [this, i](GstBuffer* buffer) {
        streams_[i].boxes.push_back(boxes(BufferPtr(gst_buffer_ref(buffer))));
      });
    }
  }

  Pipeline& pipeline() { return pipeline_; }

  // To the end; can be called again.
  Outcome run() {
    Outcome outcome;
    outcome.error = pipeline_.run(
        [&](GstMessage* message) {
          outcome.warnings.push_back(text_of(MessagePtr(gst_message_ref(message))));
        },
        GST_MESSAGE_WARNING);
    for (std::size_t i = 0; outcome.error.empty() && i < streams_.size(); ++i) {
      const ElementPtr tracker = pipeline_.element(("t" + std::to_string(i)).c_str());
      const StructurePtr stats = structure_property(tracker.get(), "stats");
      Stream& stream = streams_[i];
      stream.lent = uint64_of(stats.get(), "pictures-lent");
      stream.copied = uint64_of(stats.get(), "pictures-copied");
      stream.mapped = uint64_of(stats.get(), "pictures-mapped");
      stream.pinned = uint64_of(stats.get(), "pictures-pinned");
      stream.staged = uint64_of(stats.get(), "pictures-staged");
      outcome.streams.push_back(std::exchange(stream, {}));
    }
    return outcome;
  }

 private:
  Pipeline pipeline_;
  std::vector<Stream> streams_;
};

int open_descriptors() {
  int open = 0;
  for (int i = 0; i < 65536; ++i) open += fcntl(i, F_GETFD) >= 0 ? 1 : 0;
  return open;
}

// In MiB, of all processes on all GPUs; nothing if NVIDIA's library for that is not there.
std::optional<double> device_memory() {
  struct Memory {
    unsigned long long total, free, used;
  };
  static void* const library = dlopen("libnvidia-ml.so.1", RTLD_NOW);
  if (library == nullptr) return std::nullopt;
  const auto init = reinterpret_cast<int (*)()>(dlsym(library, "nvmlInit_v2"));
  const auto count = reinterpret_cast<int (*)(unsigned*)>(dlsym(library, "nvmlDeviceGetCount_v2"));
  const auto get =
      reinterpret_cast<int (*)(unsigned, void**)>(dlsym(library, "nvmlDeviceGetHandleByIndex_v2"));
  const auto memory =
      reinterpret_cast<int (*)(void*, Memory*)>(dlsym(library, "nvmlDeviceGetMemoryInfo"));
  if (init == nullptr || count == nullptr || get == nullptr || memory == nullptr) {
    return std::nullopt;
  }
  unsigned devices = 0;
  if (init() != 0 || count(&devices) != 0 || devices == 0) return std::nullopt;
  double used = 0;
  for (unsigned i = 0; i < devices; ++i) {
    void* device = nullptr;
    Memory info{};
    if (get(i, &device) != 0 || memory(device, &info) != 0) return std::nullopt;
    used += static_cast<double>(info.used) / (1024 * 1024);
  }
  return used;
}

double host_memory() {
  std::ifstream file("/proc/self/statm");
  double size = 0, resident = 0;
  file >> size >> resident;
  return resident * 4096 / (1024 * 1024);
}

// What the process has, at different times.
struct Possessions {
  std::optional<double> device = device_memory();  // first, as it opens files that stay open
  int descriptors = open_descriptors();
  double host = host_memory();

  void expect_no_more_than(const Possessions& before) const {
    EXPECT_LE(descriptors, before.descriptors);
    // One picture that stays with each start would be more.
    if (device && before.device) {
      EXPECT_LE(*device, *before.device + 16);
    }
  }
  void print(const std::string& when) const {
    std::cout << when << ": " << descriptors << " descriptors, "
              << (device ? std::to_string(*device) : "unknown") << " MiB of device memory, " << host
              << " MiB resident" << std::endl;
  }
};

class CudaMemoryPipeline : public testing::Test {
 protected:
  static void SetUpTestSuite() { folder_ = new TemporaryFolder; }
  static void TearDownTestSuite() {
    delete folder_;
    folder_ = nullptr;
    video_.clear();
  }

  void SetUp() override {
    if (!has_elements({"nvh264dec", "h264parse"})) {
      GTEST_SKIP() << "NO NVIDIA DECODER: there is no element nvh264dec";
    }
    for (const DeviceInfo& device : list_devices()) {
      if (device.imports_opaque && !device.uuid.empty()) gpu_ = device.spec;
    }
    if (gpu_.empty()) GTEST_SKIP() << "NO GPU: no OpenCL device imports CUDA's memory";
    if (video_.empty()) {
      const char* const given = std::getenv("CLTRACK_H264");
      video_ = given != nullptr ? given : encode(kLarge, file("large"));
    }
    if (video_.empty()) {
      GTEST_SKIP() << "NO VIDEO: neither x264enc nor openh264enc, nor a file named by CLTRACK_H264";
    }
  }

  static std::string file(const std::string& name) { return (folder_->path() / name).string(); }

  // Everything up to the decoder.
  static std::string decoded(const std::string& decoder = "nvh264dec",
                             const std::string& video = video_) {
    return "filesrc location=" + video + " ! h264parse ! " + decoder + " ! ";
  }
  std::string tracker(const std::string& kind = kTld, int number = 0) const {
    return kind + " name=t" + std::to_string(number) + " device=" + gpu_;
  }
  static Outcome run(const std::string& line, int streams = 1) {
    return Tracking(line, streams).run();
  }
  // What others have to equal: through the host.
  std::vector<std::vector<BoundingBox>> expected(const std::string& kind = kTld,
                                                 const std::string& source = decoded()) const {
    const Outcome outcome = run(source + "video/x-raw ! " + tracker(kind) + " ! fakesink");
    EXPECT_EQ(outcome.error, "");
    EXPECT_THAT(outcome.warnings, IsEmpty());
    if (!outcome.error.empty()) return {};
    const Stream& stream = outcome.only();
    EXPECT_EQ(stream.lent + stream.copied + stream.mapped, 0u);
    EXPECT_EQ(stream.pinned, stream.boxes.size());
    EXPECT_EQ(stream.staged, 0u);
    EXPECT_THAT(stream.boxes, testing::Contains(testing::Not(IsEmpty())));
    return stream.boxes;
  }

  inline static const std::string kTld = "cltracker targets=\"<<100,80,48,40>>\"";
  inline static const std::string kTemplate =
      "cltracker algorithm=template targets=\"<<100,80,48,40>>\"";
  inline static const std::string kColor =
      "clcolortracker colors=\"<\\\"box, x=100, y=80, width=48, height=40\\\">\"";

  inline static TemporaryFolder* folder_ = nullptr;
  inline static std::string video_;
  std::string gpu_;
};

TEST_F(CudaMemoryPipeline, IsTrackedWhereItIs) {
  for (const std::string& kind : {kTld, kTemplate, kColor}) {
    const auto wanted = expected(kind);
    for (const std::string before : {"", "queue ! ", "queue max-size-buffers=2 ! identity ! "}) {
      for (const std::string behind :
           {" ! fakesink", " ! queue ! fakesink", " ! cudadownload ! fakesink"}) {
        const std::string line = before + tracker(kind) + behind;
        SCOPED_TRACE(line);
        if (behind.find("cudadownload") != behind.npos && !has_elements({"cudadownload"})) continue;
        const Outcome outcome = run(decoded() + line);
        ASSERT_EQ(outcome.error, "");
        EXPECT_THAT(outcome.warnings, IsEmpty());
        EXPECT_EQ(outcome.only().boxes, wanted);
        EXPECT_EQ(outcome.only().lent, wanted.size());
        EXPECT_EQ(outcome.only().copied + outcome.only().mapped, 0u);
      }
    }
  }
}

TEST_F(CudaMemoryPipeline, IsCopiedOnTheDeviceBehindATee) {
  for (const std::string& kind : {kTld, kTemplate, kColor}) {
    const auto wanted = expected(kind);
    for (const std::string queue : {"", "queue ! "}) {
      SCOPED_TRACE(kind + " " + queue);
      const Outcome outcome = run(decoded() + "tee name=x ! " + queue + tracker(kind) +
                                  " ! fakesink async=false x. ! queue ! fakesink async=false");
      ASSERT_EQ(outcome.error, "");
      EXPECT_THAT(outcome.warnings, IsEmpty());
      EXPECT_EQ(outcome.only().boxes, wanted);
      EXPECT_EQ(outcome.only().copied, wanted.size());
      EXPECT_EQ(outcome.only().lent + outcome.only().mapped, 0u);
    }
  }
}

TEST_F(CudaMemoryPipeline, MayBeTheDecodersOwn) {
  const ElementPtr decoder(gst_element_factory_make("nvh264dec", nullptr));
  if (g_object_class_find_property(G_OBJECT_GET_CLASS(decoder.get()), "num-output-surfaces") ==
      nullptr) {
    GTEST_SKIP() << "this decoder has no property num-output-surfaces";
  }
  const auto wanted = expected();
  for (const std::string queue : {"", "queue max-size-buffers=3 ! "}) {
    SCOPED_TRACE(queue);
    const Outcome outcome =
        run(decoded("nvh264dec num-output-surfaces=0") + queue + tracker() + " ! fakesink");
    ASSERT_EQ(outcome.error, "");
    EXPECT_THAT(outcome.warnings, IsEmpty());
    EXPECT_EQ(outcome.only().boxes, wanted);
    EXPECT_GT(outcome.only().copied, 0u);
    EXPECT_EQ(outcome.only().copied + outcome.only().lent, wanted.size());
  }
}

// What the decoder brings to the host, it writes where the GPU reads.
TEST_F(CudaMemoryPipeline, ThroughTheHostEachStreamHasPinnedMemory) {
  const auto wanted = expected();
  constexpr int kStreams = 16;
  for (const std::string queue : {"", "queue ! "}) {
    for (const std::string behind :
         {" ! fakesink async=false ",
          " ! videoconvert ! video/x-raw,format=RGB ! fakesink async=false "}) {
      SCOPED_TRACE(queue + behind);
      std::string line;
      for (int i = 0; i < kStreams; ++i) {
        line += decoded() + "video/x-raw ! " + queue + tracker(kTld, i) + behind;
      }
      const Outcome outcome = run(line, kStreams);
      ASSERT_EQ(outcome.error, "");
      for (const Stream& stream : outcome.streams) {
        EXPECT_EQ(stream.boxes, wanted);
        EXPECT_EQ(stream.pinned, wanted.size());
        EXPECT_EQ(stream.staged, 0u);
      }
    }
  }
}

TEST_F(CudaMemoryPipeline, SeeksThatFlush) {
  SKIP_WITHOUT("mp4mux", "qtdemux")
  const std::string movie = encode(kLarge, file("movie"), "mp4mux");
  if (movie.empty()) GTEST_SKIP() << "NO VIDEO: neither x264enc nor openh264enc";
  const std::string source = "filesrc location=" + movie + " ! qtdemux ! h264parse ! nvh264dec ! ";
  const auto seek = [&](const std::string& line) {
    Tracking tracking(line, 1);
    GstElement* const pipeline = tracking.pipeline().get();
    // One picture each, as the sink waits with it.
    gst_element_set_state(pipeline, GST_STATE_PAUSED);
    gst_element_get_state(pipeline, nullptr, nullptr, GST_CLOCK_TIME_NONE);
    for (const int milliseconds : {1000, 400, 1200, 0, 800}) {
      EXPECT_TRUE(gst_element_seek_simple(
          pipeline, GST_FORMAT_TIME,
          static_cast<GstSeekFlags>(int{GST_SEEK_FLAG_FLUSH} | int{GST_SEEK_FLAG_KEY_UNIT}),
          milliseconds * GST_MSECOND));
      gst_element_get_state(pipeline, nullptr, nullptr, GST_CLOCK_TIME_NONE);
    }
    return tracking.run();
  };
  const Outcome host = seek(source + "video/x-raw ! " + tracker() + " ! fakesink");
  ASSERT_EQ(host.error, "");
  EXPECT_GT(host.only().boxes.size(), 6u);
  for (const std::string between : {"", "tee ! "}) {
    const Outcome device = seek(source + between + tracker() + " ! fakesink");
    ASSERT_EQ(device.error, "");
    EXPECT_THAT(device.warnings, IsEmpty());
    EXPECT_EQ(device.only().boxes, host.only().boxes);
    EXPECT_EQ(device.only().mapped, 0u);
  }
}

TEST_F(CudaMemoryPipeline, SizeMayChange) {
  const std::string small = encode(kSmall, file("small"));
  if (small.empty() || std::getenv("CLTRACK_H264") != nullptr) {
    GTEST_SKIP() << "NO VIDEO of two sizes: neither x264enc nor openh264enc";
  }
  const std::string changing = file("changing");
  std::ofstream all(changing, std::ios::binary);
  for (const std::string& part : {video_, small, video_, small}) {
    all << std::ifstream(part, std::ios::binary).rdbuf();
  }
  all.close();
  const std::string source = decoded("nvh264dec", changing);
  const auto wanted = expected(kTld, source);
  EXPECT_EQ(wanted.size(), 4u * kFrames);
  for (const std::string between : {"", "queue ! ", "tee ! "}) {
    SCOPED_TRACE(between);
    const Outcome outcome = run(source + between + tracker() + " ! fakesink");
    ASSERT_EQ(outcome.error, "");
    EXPECT_THAT(outcome.warnings, IsEmpty());
    EXPECT_EQ(outcome.only().boxes, wanted);
    EXPECT_EQ(outcome.only().mapped, 0u);
  }
}

TEST_F(CudaMemoryPipeline, RestartsLeaveNothingBehind) {
  const auto wanted = expected();
  for (const std::string between : {"", "tee ! "}) {
    SCOPED_TRACE(between);
    Tracking tracking(decoded() + between + tracker() + " ! fakesink", 1);
    std::optional<Possessions> before;
    for (int i = 0; i < 22; ++i) {
      const Outcome outcome = tracking.run();
      ASSERT_EQ(outcome.error, "");
      EXPECT_EQ(outcome.only().boxes, wanted);
      EXPECT_EQ(outcome.only().lent + outcome.only().copied, wanted.size());
      if (i == 1) before.emplace();  // what is made once, is
    }
    Possessions().expect_no_more_than(*before);
  }
}

TEST_F(CudaMemoryPipeline, ManyStreamsAtATime) {
  const auto wanted = expected();
  constexpr int kStreams = 64;
  for (const std::string between : {"", "tee ! "}) {
    SCOPED_TRACE(between);
    std::string line;
    for (int i = 0; i < kStreams; ++i) {
      line += decoded() + between + tracker(kTld, i) + " ! fakesink async=false ";
    }
    const Outcome outcome = run(line, kStreams);
    ASSERT_EQ(outcome.error, "");
    EXPECT_THAT(outcome.warnings, IsEmpty());
    for (const Stream& stream : outcome.streams) {
      EXPECT_EQ(stream.boxes, wanted);
      EXPECT_EQ(stream.lent + stream.copied, wanted.size());
    }
  }
}

// New pipelines, twenty at a time, every other one of which copies.
TEST_F(CudaMemoryPipeline, StartsLeaveNothingBehind) {
  const auto wanted = expected();
  const char* const text = std::getenv("CLTRACK_SOAK_STARTS");
  const int starts = text != nullptr ? std::atoi(text) : 40;
  constexpr int kAtATime = 20, kFirst = 40;
  std::optional<Possessions> before;
  for (int begun = 0; begun < starts + kFirst; begun += kAtATime) {
    if (begun == kFirst) before.emplace();
    std::string line;
    for (int i = 0; i < kAtATime; ++i) {
      line +=
          decoded() + (i % 2 == 0 ? "" : "tee ! ") + tracker(kTld, i) + " ! fakesink async=false ";
    }
    const Outcome outcome = run(line, kAtATime);
    ASSERT_EQ(outcome.error, "") << "at start " << begun;
    EXPECT_THAT(outcome.warnings, IsEmpty());
    for (const Stream& stream : outcome.streams) {
      ASSERT_EQ(stream.boxes, wanted) << "at start " << begun;
      ASSERT_EQ(stream.lent + stream.copied, wanted.size());
    }
  }
  const Possessions after;
  before->print("before " + std::to_string(starts) + " starts");
  after.print("after them");
  after.expect_no_more_than(*before);
}

}  // namespace
}  // namespace cltrack::test
