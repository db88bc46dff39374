// SPDX-License-Identifier: LGPL-2.1-or-later
// Many streams at a time, each on a thread of its own, all stages on one device, with the settings
// that trackers have if nobody sets them:
//
//   streams/library/WIDTHxHEIGHT/N/DEVICE/TARGETS/CLIP   trackers
//   streams/lent/WIDTHxHEIGHT/N/DEVICE/TARGETS/CLIP      of pictures that are on the device already
//   streams/network/WIDTHxHEIGHT/N/DEVICE/TARGETS/CLIP   trackers with a network (--network)
//   streams/element/WIDTHxHEIGHT/N/DEVICE/TARGETS/CLIP   pipelines with cltracker
//
// fps: frames a second of all streams together, while all of them are running and behind their
// first frames, where the targets are learnt; p99_ms: of a stream's frame; launches: that the
// driver was given for a frame, by devices with memory of their own (library only: the plugin has
// its own devices); cores: processor time of the program for each second, first frames included.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "benchmarks.h"
#include "cltrack/device_picture.h"
#include "cltrack/error.h"
#include "cltrack/network.h"
#include "cltrack/tld_tracker.h"
#include "compute/cl.h"
#include "compute/device.h"
#include "compute/submitter.h"
#include "loop.h"
#include "metrics.h"
#include "pipeline.h"
#include "placements.h"

namespace cltrack::accuracy {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kFirst = 60;
constexpr std::size_t kFrames = 210;
constexpr int kStreams[] = {1, 4, 16, 64};
struct Work {
  FrameSize size;
  int targets;
};
constexpr Work kWork[] = {{{640, 480}, 1}, {{640, 480}, 8}, {{1920, 1080}, 16}};

// What became of one stream.
struct Stream {
  std::vector<double> ms;               // of each frame
  std::vector<Clock::time_point> ends;  // when each was done
  std::string error;
};

// Tracks all frames, from any number of threads at a time.
using Follow = std::function<Stream(const std::vector<BoundingBox>& boxes)>;
using MakeFollow = std::function<Follow(const Loop& loop, const DeviceInfo& device)>;

Stream follow_in_library(const std::function<Frame(std::size_t)>& frames, const DeviceInfo& device,
                         const std::vector<BoundingBox>& boxes,
                         const std::optional<Network>& network = {}) {
  Stream stream;
  TldConfig config;
  config.placement.device = device.spec;
  config.network = network;
  const auto tracker = make_tld_tracker(config);
  for (const BoundingBox& box : boxes) tracker->add(box);
  for (std::size_t i = 0; i < kFrames; ++i) {
    const auto start = Clock::now();
    tracker->process(frames(i));
    stream.ends.push_back(Clock::now());
    stream.ms.push_back(
        std::chrono::duration<double, std::milli>(stream.ends.back() - start).count());
  }
  return stream;
}

// The luma of a loop's frames in a device's memory.
class LentLoop {
 public:
  LentLoop(const Loop& loop, const DeviceInfo& device)
      : loop_(loop), context_(opencl_context(device)) {
    const cl::Context context(static_cast<cl_context>(context_.get()), true);
    for (std::size_t i = 0; i < kFrames; ++i) {
      DevicePicture& picture = pictures_[&loop.frame(i)];
      if (!picture.empty()) continue;
      const ImageView luma = loop.frame(i).frame().luma;
      const cl::Buffer buffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                              static_cast<std::size_t>(luma.height * luma.stride),
                              const_cast<std::uint8_t*>(luma.data));
      picture = {.memory = lend_buffer(device, buffer()),
                 .width = luma.width,
                 .height = luma.height,
                 .components = {{{.stride = luma.stride}}}};
    }
  }

  Frame frame(std::size_t index) const {
    Frame frame;
    frame.on_device = pictures_.at(&loop_.frame(index));
    return frame;
  }

 private:
  const Loop& loop_;
  const std::shared_ptr<void> context_;
  std::map<const VideoFrame*, DevicePicture> pictures_;
};

Stream follow_in_element(const Loop& loop, const DeviceInfo& device,
                         const std::vector<BoundingBox>& boxes) {
  std::string properties = "device=" + device.spec;
  std::string more;  // than the first one
  for (std::size_t i = 1; i < boxes.size(); ++i) {
    const auto whole = [](float value) { return std::to_string(static_cast<int>(value)); };
    more += (more.empty() ? "<" : ",<") + whole(boxes[i].x) + "," + whole(boxes[i].y) + "," +
            whole(boxes[i].width) + "," + whole(boxes[i].height) + ">";
  }
  if (!more.empty()) properties += " targets=\"<" + more + ">\"";
  std::vector<GstBuffer*> buffers;
  for (std::size_t i = 0; i < kFrames; ++i) buffers.push_back(loop.frame(i).buffer());
  GstVideoInfo info = loop.frame(0).info();
  const std::unique_ptr<GstCaps, decltype(&gst_caps_unref)> caps(gst_video_info_to_caps(&info),
                                                                 gst_caps_unref);
  PipelineRun run = run_pipeline("cltracker", properties, boxes[0], caps.get(), buffers);
  return {std::move(run.frame_ms), std::move(run.frame_ends), {}};
}

double processor_seconds() {
  return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

void report(benchmark::State& state, const std::vector<Stream>& streams, std::uint64_t launches) {
  Clock::time_point begin = Clock::time_point::min(), end = Clock::time_point::max();
  std::vector<double> ms;
  for (const Stream& stream : streams) {
    if (!stream.error.empty()) return state.SkipWithError(stream.error.c_str());
    if (stream.ends.size() != kFrames) return state.SkipWithError("frames are missing");
    begin = std::max(begin, stream.ends[kFirst - 1]);
    end = std::min(end, stream.ends.back());
    ms.insert(ms.end(), stream.ms.begin() + kFirst, stream.ms.end());
  }
  if (begin >= end) return state.SkipWithError("one had ended before others had begun");
  std::ptrdiff_t frames = 0;
  for (const Stream& stream : streams) {
    frames += std::ranges::count_if(stream.ends,
                                    [&](const auto& time) { return time > begin && time <= end; });
  }
  const double seconds = std::chrono::duration<double>(end - begin).count();
  state.counters["fps"] = static_cast<double>(frames) / seconds;
  state.counters["median_ms"] = percentile(ms, 0.5);
  state.counters["p99_ms"] = percentile(ms, 0.99);
  if (launches > 0) {
    state.counters["launches"] =
        static_cast<double>(launches) / static_cast<double>(kFrames * streams.size());
  }
  state.SetIterationTime(seconds / static_cast<double>(frames));
}

void run_streams(benchmark::State& state, const MakeFollow& make_follow, const Clip& clip,
                 const DeviceInfo& device, int count, const Work& work) {
  try {
    const Loop& loop = Loop::of(clip, work.size);
    const std::vector<BoundingBox> boxes = spread_boxes(loop.box(), work.targets, work.size);
    const Follow follow = make_follow(loop, device);
    const auto opened = Device::open(device);
    const auto launches = [&] {
      std::uint64_t all = 0;
      for (const auto& submitter : opened->submitters()) all += submitter->launches();
      return all;
    };
    for ([[maybe_unused]] auto _ : state) {
      std::vector<Stream> streams(static_cast<std::size_t>(count));
      const std::uint64_t before = launches();
      const double processor_before = processor_seconds();
      const auto start = Clock::now();
      {
        std::vector<std::jthread> threads;
        for (Stream& stream : streams) {
          threads.emplace_back([&] {
            try {
              stream = follow(boxes);
            } catch (const Error& error) {
              stream.error = error.what();
            }
          });
        }
      }
      state.counters["cores"] = (processor_seconds() - processor_before) /
                                std::chrono::duration<double>(Clock::now() - start).count();
      report(state, streams, launches() - before);
    }
  } catch (const Error& error) {
    state.SkipWithError(error.what());
  } catch (const cl::Error& error) {
    state.SkipWithError((std::string(error.what()) + ": " + cl_error_name(error.err())).c_str());
  }
}

}  // namespace

void register_streams_benchmarks(std::span<const Clip> clips,
                                 std::span<const std::filesystem::path> networks) {
  std::vector<std::pair<const char*, MakeFollow>> kinds = {
      {"library",
       [](const Loop& loop, const DeviceInfo& device) {
         return [&](const std::vector<BoundingBox>& boxes) {
           return follow_in_library([&](std::size_t i) { return loop.frame(i).frame(); }, device,
                                    boxes);
         };
       }},
      {"lent",
       [](const Loop& loop, const DeviceInfo& device) {
         return [&, lent = std::make_shared<LentLoop>(loop, device)](
                    const std::vector<BoundingBox>& boxes) {
           return follow_in_library([&](std::size_t i) { return lent->frame(i); }, device, boxes);
         };
       }},
      {"element", [](const Loop& loop, const DeviceInfo& device) {
         return [&](const std::vector<BoundingBox>& boxes) {
           return follow_in_element(loop, device, boxes);
         };
       }}};
  if (!networks.empty()) {
    std::ifstream file(networks.front(), std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(file), {});
    kinds.emplace_back(
        "network", [network = Network::parse(bytes)](const Loop& loop, const DeviceInfo& device) {
          return [&, network](const std::vector<BoundingBox>& boxes) {
            return follow_in_library([&](std::size_t i) { return loop.frame(i).frame(); }, device,
                                     boxes, network);
          };
        });
  }
  for (const auto& [kind, make_follow] : kinds) {
    for (const Clip& clip : clips) {
      for (const DeviceInfo& device : benchmark_devices()) {
        if (device.type == DeviceType::host && std::string_view(kind) == "lent") continue;
        for (const Work& work : kWork) {
          for (const int streams : kStreams) {
            const std::string name =
                "streams/" + std::string(kind) + "/" + std::to_string(work.size.width) + "x" +
                std::to_string(work.size.height) + "/" + std::to_string(streams) + "/" +
                short_name(device) + "/" + std::to_string(work.targets) + "/" + clip.sequence.name;
            benchmark::RegisterBenchmark(name.c_str(), run_streams, make_follow, std::cref(clip),
                                         device, streams, work)
                ->UseManualTime()
                ->Iterations(1)
                ->Unit(benchmark::kMillisecond);
          }
        }
      }
    }
  }
}

}  // namespace cltrack::accuracy
