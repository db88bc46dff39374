// SPDX-License-Identifier: LGPL-2.1-or-later
// What the element adds to the library, and what it gains over cvtracker. What is compared runs by
// turns in the same benchmark, so that a machine that changes its speed changes both.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>

#include "benchmarks.h"
#include "cltrack/error.h"
#include "pipeline.h"
#include "run.h"

namespace cltrack::accuracy {
namespace {

constexpr std::size_t kCvtrackerFrames = 40;  // its TLD needs a second for ten of them
constexpr const char* kHowToFind =
    "no such element: run through `meson devenv -C BUILD`, or set GST_PLUGIN_PATH";

struct CapsUnref {
  void operator()(GstCaps* caps) const { gst_caps_unref(caps); }
};
using Caps = std::unique_ptr<GstCaps, CapsUnref>;

// The frames of a clip as buffers; RGB ones are converted here.
class Buffers {
 public:
  Buffers(const Clip& clip, std::size_t max_frames, bool rgb) {
    BgrConverter converter;
    for (const auto& frame : clip.footage.frames()) {
      if (max_frames > 0 && buffers_.size() == max_frames) break;
      buffers_.push_back(rgb ? to_rgb(*frame, converter) : gst_buffer_ref(frame->buffer()));
      if (caps_) continue;
      GstVideoInfo info = frame->info();
      if (rgb) {
        gst_video_info_set_format(&info, GST_VIDEO_FORMAT_RGB, static_cast<guint>(frame->width()),
                                  static_cast<guint>(frame->height()));
        info.fps_n = frame->info().fps_n;
        info.fps_d = frame->info().fps_d;
      }
      caps_.reset(gst_video_info_to_caps(&info));
    }
  }
  ~Buffers() {
    for (GstBuffer* buffer : buffers_) gst_buffer_unref(buffer);
  }
  Buffers(const Buffers&) = delete;
  Buffers& operator=(const Buffers&) = delete;

  GstCaps* caps() const { return caps_.get(); }
  std::span<GstBuffer* const> all() const { return buffers_; }

 private:
  // In the layout of GStreamer's RGB: rows padded to four bytes.
  static GstBuffer* to_rgb(const VideoFrame& frame, BgrConverter& converter) {
    BgrImage image;
    converter.convert(frame, image);
    const std::size_t row = static_cast<std::size_t>(image.width) * 3;
    const std::size_t stride = (row + 3) / 4 * 4;
    std::vector<std::uint8_t> padded(stride * static_cast<std::size_t>(image.height));
    for (std::size_t y = 0; y < static_cast<std::size_t>(image.height); ++y) {
      for (std::size_t x = 0; x < row; x += 3) {
        std::reverse_copy(&image.pixels[y * row + x], &image.pixels[y * row + x] + 3,
                          &padded[y * stride + x]);
      }
    }
    GstBuffer* buffer = gst_buffer_new_allocate(nullptr, padded.size(), nullptr);
    gst_buffer_fill(buffer, 0, padded.data(), padded.size());
    gst_buffer_copy_into(buffer, frame.buffer(), GST_BUFFER_COPY_TIMESTAMPS, 0,
                         static_cast<gsize>(-1));
    return buffer;
  }

  std::vector<GstBuffer*> buffers_;
  Caps caps_;
};

double library_seconds(const Clip& clip, const TldConfig& config) {
  const auto tracker = make_tracker("tld", {.tld = config, .match = {}});
  const Observations result =
      run_tracker(*tracker, clip.footage, {kGivenStart, clip.box()}, config.seed);
  double sum = 0;
  for (const double ms : result.ms) sum += ms / 1000;
  return sum;
}

void element_against_library(benchmark::State& state, const Clip& clip) {
  if (!element_exists("cltracker")) {
    state.SkipWithError((std::string("cltracker: ") + kHowToFind).c_str());
    return;
  }
  TldConfig config;
  config.threads = static_cast<int>(state.range(0));
  const std::string properties = "threads=" + std::to_string(config.threads);
  double library = 0;
  double pipeline = 0;
  double frames = 0;
  try {
    const Buffers buffers(clip, 0, false);
    // Once each to have code and frames in the caches.
    library_seconds(clip, config);
    run_pipeline("cltracker", properties, clip.box(), buffers.caps(), buffers.all());
    for ([[maybe_unused]] auto _ : state) {
      library += library_seconds(clip, config);
      const double seconds =
          run_pipeline("cltracker", properties, clip.box(), buffers.caps(), buffers.all()).seconds;
      state.SetIterationTime(seconds);
      pipeline += seconds;
      frames += static_cast<double>(buffers.all().size());
    }
  } catch (const Error& error) {
    state.SkipWithError(error.what());
    return;
  }
  state.counters["library_fps"] = frames / library;
  state.counters["pipeline_fps"] = frames / pipeline;
  state.counters["share"] = library / pipeline;
}

void element_against_cvtracker(benchmark::State& state, const Clip& clip) {
  for (const char* name : {"cltracker", "cvtracker"}) {
    if (!element_exists(name)) {
      state.SkipWithError((std::string(name) + ": " + kHowToFind).c_str());
      return;
    }
  }
  double ours = 0;
  double theirs = 0;
  double frames = 0;
  try {
    const Buffers buffers(clip, kCvtrackerFrames, true);
    for ([[maybe_unused]] auto _ : state) {
      const double seconds =
          run_pipeline("cltracker", "", clip.box(), buffers.caps(), buffers.all()).seconds;
      theirs += run_pipeline("cvtracker", "algorithm=TLD draw-rect=false", clip.box(),
                             buffers.caps(), buffers.all())
                    .seconds;
      state.SetIterationTime(seconds);
      ours += seconds;
      frames += static_cast<double>(buffers.all().size());
    }
  } catch (const Error& error) {
    state.SkipWithError(error.what());
    return;
  }
  state.counters["cltracker_fps"] = frames / ours;
  state.counters["cvtracker_fps"] = frames / theirs;
  state.counters["times_faster"] = theirs / ours;
}

}  // namespace

void register_element_benchmarks(std::span<const Clip> clips) {
  for (const Clip& clip : clips) {
    benchmark::RegisterBenchmark(("element/share_of_library/" + clip.sequence.name).c_str(),
                                 element_against_library, std::cref(clip))
        ->ArgName("threads")
        ->Arg(1)
        ->Arg(2)
        ->UseManualTime()
        ->Iterations(3)
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark(("element/against_cvtracker/" + clip.sequence.name).c_str(),
                                 element_against_cvtracker, std::cref(clip))
        ->UseManualTime()
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
  }
}

}  // namespace cltrack::accuracy
