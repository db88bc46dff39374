// SPDX-License-Identifier: LGPL-2.1-or-later
// Template matching in whole frames, the three cases of the paper, on every device present and in
// the same run with cv::matchTemplate:
//
//   match/DEVICE/CASE/SCENE/MEASURE   from a frame in the host's memory to the best place; its
//   parts
//                                     on devices; OpenCV's time on the host (one thread) and,
//                                     beside devices, of UMat; how many times as long that takes
//   match/paper/DEVICE/CASE/KERNEL    the paper's kernel, with upload and read-back, beside ours
//
// SCENE: `seen`, the template comes from the clip's first frame, around its target; `changed`, from
// there too, but searched in a later frame; `absent`, it is upside down; `noise`, frame and
// template are noise. MEASURE: ncc or cosine. All times are medians, in ms. On a machine that does
// other things as well, the times of the processor (cpu_ms, opencv_cpu_ms) say more.
#include <benchmark/benchmark.h>

#include <chrono>
#include <cmath>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include "benchmarks.h"
#include "cltrack/error.h"
#include "compute/device.h"
#include "compute/pinned_memory.h"
#include "core/random.h"
#include "loop.h"
#include "metrics.h"
#include "opencv_match.h"
#include "ops/match/best_match.h"
#include "paper_match.h"
#include "placements.h"

namespace cltrack::accuracy {
namespace {

using Clock = std::chrono::steady_clock;

struct MatchCase {
  const char* name;
  FrameSize frame, pattern;
};
constexpr MatchCase kCases[] = {{"240p", {426, 240}, {87, 118}},
                                {"480p", {854, 480}, {150, 232}},
                                {"720p", {1280, 720}, {251, 351}}};
enum class Scene { seen, changed, absent, noise };
constexpr const char* kSceneNames[] = {"seen", "changed", "absent", "noise"};
constexpr std::size_t kLater = 20;       // frames
constexpr std::size_t kComparisons = 9;  // with what is slower

Image copy_of(const ImageView& view, int left, int top, int width, int height, bool upside_down) {
  Image image(width, height);
  for (int y = 0; y < height; ++y) {
    const int from = top + (upside_down ? height - 1 - y : y);
    std::copy_n(view.row(from) + left, width, image.row(y));
  }
  return image;
}

Image noise(FrameSize size, std::uint64_t seed) {
  Random random(seed);
  Image image(size.width, size.height);
  for (int y = 0; y < size.height; ++y) {
    for (int x = 0; x < size.width; ++x) {
      image.row(y)[x] = static_cast<std::uint8_t>(random.below(256));
    }
  }
  return image;
}

struct Job {
  Image frame, pattern;
  std::unique_ptr<PinnedMemory> pinned;  // the frame once more, where uploads gain by it

  Job(const Clip& clip, const MatchCase& size, Scene scene) {
    const auto [width, height] = size.pattern;
    if (scene == Scene::noise) {
      frame = noise(size.frame, 1);
      pattern = noise(size.pattern, 2);
      return;
    }
    const Loop& loop = Loop::of(clip, size.frame);
    const ImageView first = loop.frame(0).frame().luma;
    const ImageView searched = loop.frame(scene == Scene::changed ? kLater : 0).frame().luma;
    frame = copy_of(searched, 0, 0, size.frame.width, size.frame.height, false);
    const auto start = [](float center, int side, int limit) {
      return std::clamp(static_cast<int>(center) - side / 2, 0, limit - side);
    };
    pattern = copy_of(first, start(loop.box().center_x(), width, size.frame.width),
                      start(loop.box().center_y(), height, size.frame.height), width, height,
                      scene == Scene::absent);
  }

  ImageView frame_for(const DeviceInfo& device) {
    if (!PinnedMemory::is_useful_for(device)) return frame.view();
    const ImageView view = frame.view();
    const auto bytes = static_cast<std::size_t>(view.width) * static_cast<std::size_t>(view.height);
    if (!pinned) pinned = PinnedMemory::make(device, bytes);
    if (!pinned) return view;
    auto* data = static_cast<std::uint8_t*>(pinned->data());
    std::copy_n(view.data, bytes, data);
    return {data, view.width, view.height, view.stride};
  }
};

struct Times {
  std::vector<double> wall, cpu;  // ms

  template <typename Body>
  void take(Body&& body) {
    const auto start = Clock::now();
    const std::clock_t cpu_start = std::clock();
    body();
    const std::clock_t cpu_end = std::clock();
    wall.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
    cpu.push_back(1000.0 * static_cast<double>(cpu_end - cpu_start) / CLOCKS_PER_SEC);
  }
  double median() const { return percentile(wall, 0.5); }
  double cpu_median() const { return percentile(cpu, 0.5); }
};

// Our search on a device, part by part.
class Search {
 public:
  Search(const DeviceInfo& device, const ImageView& frame, MatchTemplate& pattern)
      : queue_(Device::open(device)->make_queue(2)), frame_(frame), pattern_(pattern) {}

  void upload() {
    plane_.borrow(frame_);
    if (!queue_->is_host()) plane_.pixels.device_read(*queue_);
  }
  void search() { best_match(*queue_, plane_, pattern_, scratch_, found_); }
  MatchPlace read_back() {
    found_.fetch();
    queue_->finish();
    const MatchPlace place = match_place(found_.host_read()[0], pattern_);
    plane_.release();
    return place;
  }
  MatchPlace all() {
    upload();
    search();
    return read_back();
  }
  Queue& queue() { return *queue_; }

 private:
  std::shared_ptr<Queue> queue_;
  ImageView frame_;
  MatchTemplate& pattern_;
  MatchScratch scratch_;
  Plane plane_;
  Array<MatchFound> found_;
};

void expect_place(const MatchPlace& own, const MatchPlace& other, const char* whose) {
  // Of scores that are equal but for rounding, OpenCV may find another one.
  if (std::abs(own.score - other.score) <= 1e-4f) return;
  throw Error(ErrorCode::failed, std::string(whose) + " score is " + std::to_string(other.score) +
                                     ", ours " + std::to_string(own.score));
}

void count_parts(benchmark::State& state, Search& search) {
  Times upload, kernels, download;
  for (std::size_t i = 0; i < kComparisons; ++i) {
    upload.take([&] {
      search.upload();
      search.queue().finish();
    });
    kernels.take([&] {
      search.search();
      search.queue().finish();
    });
    download.take([&] { search.read_back(); });
  }
  state.counters["upload_ms"] = upload.median();
  state.counters["search_ms"] = kernels.median();
  state.counters["read_back_ms"] = download.median();
}

void time_match(benchmark::State& state, const Clip& clip, const DeviceInfo& device,
                const MatchCase& size, Scene scene, Similarity similarity) {
  try {
    Job job(clip, size, scene);
    MatchTemplate pattern(job.pattern.view(), similarity);
    Search search(device, job.frame_for(device), pattern);
    const MatchPlace place = search.all();
    const bool with_opencv = OpenCvMatch::is_built();
    const bool with_umat =
        with_opencv && device.type != DeviceType::host && !OpenCvMatch::device().empty();
    std::unique_ptr<OpenCvMatch> on_host, on_device;
    if (with_opencv) {
      on_host = std::make_unique<OpenCvMatch>(job.pattern.view(), similarity, false);
      expect_place(place, on_host->find(job.frame.view()), "OpenCV's");
    }
    if (with_umat) {
      on_device = std::make_unique<OpenCvMatch>(job.pattern.view(), similarity, true);
      expect_place(place, on_device->find(job.frame.view()), "UMat's");
      state.SetLabel("UMat on " + OpenCvMatch::device());
    }
    Times own, host, umat;
    for ([[maybe_unused]] auto _ : state) {
      own.take([&] { benchmark::DoNotOptimize(search.all()); });
      state.SetIterationTime(own.wall.back() / 1000);
      if (host.wall.size() >= kComparisons) continue;
      if (on_host) host.take([&] { on_host->find(job.frame.view()); });
      if (on_device) umat.take([&] { on_device->find(job.frame.view()); });
    }
    state.counters["ms"] = own.median();
    state.counters["cpu_ms"] = own.cpu_median();
    state.counters["score"] = static_cast<double>(place.score);
    if (on_host) {
      state.counters["opencv_ms"] = host.median();
      state.counters["opencv_cpu_ms"] = host.cpu_median();
      state.counters["opencv/ours"] = host.median() / own.median();
    }
    if (on_device) {
      state.counters["umat_ms"] = umat.median();
      state.counters["umat/ours"] = umat.median() / own.median();
    }
    if (device.type != DeviceType::host) count_parts(state, search);
  } catch (const Error& error) {
    state.SkipWithError(error.what());
  }
}

void time_paper(benchmark::State& state, const Clip& clip, const DeviceInfo& device,
                const MatchCase& size, bool tiled) {
  try {
    Job job(clip, size, Scene::seen);
    MatchTemplate pattern(job.pattern.view(), Similarity::cosine);
    const ImageView frame = job.frame_for(device);
    Search search(device, frame, pattern);
    PaperMatch paper(search.queue(), job.pattern.view(), tiled);
    expect_place(search.all(), paper.find(frame), "the paper's");
    Times own, theirs;
    for ([[maybe_unused]] auto _ : state) {
      theirs.take([&] { paper.find(frame); });
      own.take([&] { benchmark::DoNotOptimize(search.all()); });
      state.SetIterationTime(theirs.wall.back() / 1000);
    }
    state.counters["ms"] = theirs.median();
    state.counters["ours_ms"] = own.median();
    state.counters["paper/ours"] = theirs.median() / own.median();
  } catch (const Error& error) {
    state.SkipWithError(error.what());
  }
}

}  // namespace

void register_match_benchmarks(std::span<const Clip> clips) {
  if (clips.empty()) return;
  const Clip& clip = clips.front();
  for (const DeviceInfo& device : benchmark_devices()) {
    for (const MatchCase& size : kCases) {
      const std::string where = short_name(device) + "/" + size.name;
      for (const Scene scene : {Scene::seen, Scene::changed, Scene::absent, Scene::noise}) {
        for (const Similarity similarity : {Similarity::ncc, Similarity::cosine}) {
          const std::string name = "match/" + where + "/" + kSceneNames[static_cast<int>(scene)] +
                                   (similarity == Similarity::ncc ? "/ncc" : "/cosine");
          benchmark::RegisterBenchmark(name.c_str(), time_match, std::cref(clip), device,
                                       std::cref(size), scene, similarity)
              ->UseManualTime()
              ->MinTime(0.5)
              ->Unit(benchmark::kMillisecond);
        }
      }
      if (device.type == DeviceType::host) continue;
      for (const bool tiled : {false, true}) {
        const std::string name = "match/paper/" + where + (tiled ? "/tiled" : "/global");
        benchmark::RegisterBenchmark(name.c_str(), time_paper, std::cref(clip), device,
                                     std::cref(size), tiled)
            ->UseManualTime()
            ->MinTime(0.5)
            ->Unit(benchmark::kMillisecond);
      }
    }
  }
}

}  // namespace cltrack::accuracy
