// SPDX-License-Identifier: LGPL-2.1-or-later
// The ops that TLD is made of, on frames and windows of a real sequence. What a tracker would have
// learnt is drawn at random from a fixed seed: the time that an op takes hardly depends on it.
#include <benchmark/benchmark.h>

#include <memory>
#include <random>

#include "benchmarks.h"
#include "ops/blur.h"
#include "ops/fern_codes.h"
#include "ops/fern_update.h"
#include "ops/integral.h"
#include "ops/nearest_patches.h"
#include "ops/patch.h"
#include "ops/point_flow.h"
#include "ops/scan.h"
#include "ops/select_best.h"
#include "tld/config.h"
#include "tld/scan_grid.h"

namespace cltrack::accuracy {
namespace {

constexpr std::size_t kPatches = 300;  // about what a model holds after some hundred frames

// Frames of a clip, one after the other and again from the start.
class Frames {
 public:
  explicit Frames(const Clip& clip) : clip_(clip) {}
  ImageView next() {
    const auto& frames = clip_.footage.frames();
    return frames[index_++ % frames.size()]->frame().luma;
  }

 private:
  const Clip& clip_;
  std::size_t index_ = 0;
};

void time_blur(benchmark::State& state, const Clip& clip) {
  Frames frames(clip);
  Image blurred;
  BlurScratch scratch;
  for ([[maybe_unused]] auto _ : state) {
    blur(frames.next(), blurred, scratch);
    benchmark::DoNotOptimize(blurred.row(0)[0]);
  }
}

void time_integrate(benchmark::State& state, const Clip& clip) {
  Frames frames(clip);
  Integrals integrals;
  for ([[maybe_unused]] auto _ : state) {
    integrate(frames.next(), integrals);
    benchmark::DoNotOptimize(integrals.sums.back());
  }
}

void time_pyramid(benchmark::State& state, const Clip& clip) {
  const TldConfig config;
  Frames frames(clip);
  FlowPyramid pyramid;
  for ([[maybe_unused]] auto _ : state) {
    pyramid.build(frames.next(), config.flow_levels, config.flow_window_min);
  }
}

void time_point_flow(benchmark::State& state, const Clip& clip) {
  const TldConfig config;
  Frames frames(clip);
  FlowPyramid from;
  FlowPyramid to;
  from.build(frames.next(), config.flow_levels, config.flow_window_min);
  to.build(frames.next(), config.flow_levels, config.flow_window_min);
  const BoundingBox box = clip.box();
  std::vector<Point> points;
  const auto side = static_cast<float>(config.flow_points);
  for (float y = 0.5f; y < side; ++y) {
    for (float x = 0.5f; x < side; ++x) {
      points.push_back({box.x + box.width * x / side, box.y + box.height * y / side});
    }
  }
  const FlowSettings settings{config.flow_window_min, config.flow_iterations, config.flow_epsilon};
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(point_flow(from, to, points, settings));
  }
  state.counters["points"] = static_cast<double>(points.size());
}

// Scan grid and ferns for the first box of a clip.
struct Scan {
  explicit Scan(const Clip& clip) : frame(clip.footage.frames().front()->frame().luma) {
    const BoundingBox box = clip.box();
    grid = ScanGrid(box.width, box.height, frame.width, frame.height, config);
    tables = FernTables(config.ferns, config.pairs);
    BlurScratch scratch;
    blur(frame, blurred, scratch);
    integrate(frame, integrals);
    for (auto& posterior : tables.posteriors) {
      posterior = static_cast<std::uint16_t>(random() % kPosteriorOne / 2);
    }
    const std::uint64_t variance =
        scaled_variance(integrals, static_cast<int>(box.x), static_cast<int>(box.y),
                        static_cast<int>(box.width), static_cast<int>(box.height));
    const double per_pixel_squared =
        static_cast<double>(variance) / std::pow(static_cast<double>(box.area()), 2);
    for (const ScanScale& scale : grid.scales()) {
      pairs.push_back(random_pairs(scale.width, scale.height));
      const double pixels = static_cast<double>(scale.width) * scale.height;
      sizes.push_back({scale.width, scale.height, scale.xs, scale.ys, scale.first, pairs.back(),
                       static_cast<std::uint64_t>(per_pixel_squared * pixels * pixels / 2)});
    }
  }

  std::vector<PixelPair> random_pairs(int width, int height) {
    const auto below = [this](int limit) {
      return static_cast<std::int16_t>(random() % static_cast<unsigned>(limit));
    };
    std::vector<PixelPair> result;
    for (int i = 0; i < config.ferns * config.pairs; ++i) {
      result.push_back({below(width), below(height), below(width), below(height)});
    }
    return result;
  }

  std::vector<Candidate> run(std::uint32_t minimum_score) const {
    std::vector<Candidate> candidates;
    for (const ScanSize& size : sizes) {
      scan_rows(blurred.view(), integrals, size, tables, minimum_score, 0,
                static_cast<int>(size.ys.size()), candidates);
    }
    return candidates;
  }

  TldConfig config;
  std::minstd_rand random{1};
  ImageView frame;
  ScanGrid grid;
  FernTables tables;
  Image blurred;
  Integrals integrals;
  std::vector<std::vector<PixelPair>> pairs;
  std::vector<ScanSize> sizes;
};

void time_scan(benchmark::State& state, const Clip& clip) {
  const Scan scan(clip);
  const std::uint32_t half = static_cast<std::uint32_t>(scan.tables.ferns) * kPosteriorOne / 2;
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(scan.run(half));
  state.counters["windows"] = scan.grid.size();
  state.counters["ns_per_window"] =
      benchmark::Counter(scan.grid.size(), benchmark::Counter::kIsIterationInvariantRate |
                                               benchmark::Counter::kInvert);
}

void time_select_best(benchmark::State& state, const Clip& clip) {
  const std::vector<Candidate> all = Scan(clip).run(0);
  for ([[maybe_unused]] auto _ : state) {
    std::vector<Candidate> candidates = all;
    select_best(candidates, 100);
    benchmark::DoNotOptimize(candidates.data());
  }
  state.counters["candidates"] = static_cast<double>(all.size());
}

// Patches all over the frame.
std::vector<Patch> patches_of(const Scan& scan, std::size_t count) {
  std::vector<Patch> patches;
  for (std::size_t i = 0; i < count; ++i) {
    const auto window = static_cast<std::uint32_t>(i * 7919 % scan.grid.size());
    patches.push_back(extract_patch(scan.frame, scan.grid.window(window).box()));
  }
  return patches;
}

void time_extract_patch(benchmark::State& state, const Clip& clip) {
  const ImageView frame = clip.footage.frames().front()->frame().luma;
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(extract_patch(frame, clip.box()));
  }
}

void time_nearest_patches(benchmark::State& state, const Clip& clip) {
  const std::vector<Patch> patches = patches_of(Scan(clip), kPatches + 1);
  const std::span all(patches);
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(nearest_patches(patches.back(), all.first(kPatches / 3), kPatches / 6,
                                             all.subspan(kPatches / 3, kPatches * 2 / 3)));
  }
  state.counters["patches"] = static_cast<double>(kPatches);
}

void time_warped_codes(benchmark::State& state, const Clip& clip) {
  Scan scan(clip);
  const BoundingBox box = clip.box();
  const auto pairs = scan.random_pairs(static_cast<int>(box.width), static_cast<int>(box.height));
  const Warp warp{box.center_x(), box.center_y(), {0.99f, 0.1f, -0.1f, 0.99f}, 0.5f, 0.5f, 5, 1};
  std::vector<std::uint16_t> codes(kMaxFerns);
  for ([[maybe_unused]] auto _ : state) {
    warped_fern_codes(scan.blurred.view(), static_cast<int>(box.x), static_cast<int>(box.y), pairs,
                      scan.config.ferns, warp, codes.data());
    benchmark::DoNotOptimize(codes.data());
  }
}

void time_update_ferns(benchmark::State& state, const Clip& clip) {
  Scan scan(clip);
  constexpr std::size_t kSamples = 300;
  std::vector<std::uint16_t> codes;
  std::vector<std::uint8_t> positive;
  for (std::size_t i = 0; i < kSamples; ++i) {
    positive.push_back(i % 3 == 0 ? 1 : 0);
    for (int f = 0; f < scan.config.ferns; ++f) {
      codes.push_back(static_cast<std::uint16_t>(scan.random() % (1u << scan.config.pairs)));
    }
  }
  const std::uint32_t half = static_cast<std::uint32_t>(scan.tables.ferns) * kPosteriorOne / 2;
  for ([[maybe_unused]] auto _ : state) update_ferns(scan.tables, {codes, positive}, half, half);
  state.counters["samples"] = static_cast<double>(kSamples);
}

}  // namespace

void register_stage_benchmarks(std::span<const Clip> clips) {
  using Body = void (*)(benchmark::State&, const Clip&);
  constexpr std::pair<const char*, Body> kStages[] = {
      {"blur", time_blur},
      {"integrate", time_integrate},
      {"pyramid", time_pyramid},
      {"point_flow", time_point_flow},
      {"scan", time_scan},
      {"select_best", time_select_best},
      {"extract_patch", time_extract_patch},
      {"nearest_patches", time_nearest_patches},
      {"warped_fern_codes", time_warped_codes},
      {"update_ferns", time_update_ferns},
  };
  for (const Clip& clip : clips) {
    for (const auto& [name, body] : kStages) {
      const std::string full = std::string("stage/") + name + "/" + clip.sequence.name;
      benchmark::RegisterBenchmark(full.c_str(), body, std::cref(clip))
          ->Unit(benchmark::kMicrosecond);
    }
  }
}

}  // namespace cltrack::accuracy
