// SPDX-License-Identifier: LGPL-2.1-or-later
// The ops that TLD is made of, on the host, on frames and windows of a real sequence, with ferns
// that have learnt its first frame.
#include <benchmark/benchmark.h>

#include <numeric>

#include "benchmarks.h"
#include "cltrack/tld_config.h"
#include "ops/ferns/fern_codes.h"
#include "ops/ferns/fern_tables.h"
#include "ops/ferns/scan.h"
#include "ops/flow/point_flow.h"
#include "ops/patches/extract_patches.h"
#include "ops/patches/nearest_patches.h"
#include "ops/planes/blur.h"
#include "ops/planes/integral.h"
#include "scan_stand.h"
#include "tld/scan_grid.h"

namespace cltrack::accuracy {
namespace {

template <decltype(&reference::blur) body>
void time_blur(benchmark::State& state, const Clip& clip) {
  Frames frames(clip);
  const ImageView first = frames.next();
  Image blurred;
  blurred.resize(first.width, first.height);
  for ([[maybe_unused]] auto _ : state) {
    body(frames.next(), 0, first.height, blurred.row(0));
    benchmark::DoNotOptimize(blurred.row(0)[0]);
  }
}

void time_integrate(benchmark::State& state, const Clip& clip) {
  Frames frames(clip);
  Integrals integrals;
  for ([[maybe_unused]] auto _ : state) {
    reference::integrate(frames.next(), integrals);
    benchmark::DoNotOptimize(integrals.sums.back());
  }
}

struct PyramidOnHost {
  decltype(&flow_pyramid_shape) shape;
  decltype(&reference::build_flow_pyramid) build;
};
constexpr PyramidOnHost kPyramid = {padded_flow_pyramid_shape, vector::build_flow_pyramid};
constexpr PyramidOnHost kPyramidReference = {flow_pyramid_shape, reference::build_flow_pyramid};

template <const PyramidOnHost& body>
void time_pyramid(benchmark::State& state, const Clip& clip) {
  const TldConfig config;
  Frames frames(clip);
  std::vector<std::uint8_t> pixels;
  for ([[maybe_unused]] auto _ : state) {
    const ImageView frame = frames.next();
    const FlowPyramidShape shape =
        body.shape(frame.width, frame.height, config.flow_levels, config.flow_window_min);
    pixels.resize(shape.bytes());
    body.build(frame, shape, pixels.data());
    benchmark::DoNotOptimize(pixels.data());
  }
}

template <decltype(&reference::point_flow) body>
void time_point_flow(benchmark::State& state, const Clip& clip) {
  const TldConfig config;
  Frames frames(clip);
  FlowPyramid from, to;
  const auto build = [&](FlowPyramid& pyramid, const ImageView& frame) {
    pyramid.reshape(padded_flow_pyramid_shape(frame.width, frame.height, config.flow_levels,
                                              config.flow_window_min));
    vector::build_flow_pyramid(frame, pyramid, pyramid.pixels.host_write().data());
  };
  build(from, frames.next());
  build(to, frames.next());
  const BoundingBox box = clip.box();
  std::vector<Point> points;
  const auto side = static_cast<float>(config.flow_points);
  for (float y = 0.5f; y < side; ++y) {
    for (float x = 0.5f; x < side; ++x) {
      points.push_back({box.x + box.width * x / side, box.y + box.height * y / side});
    }
  }
  const FlowSettings settings{config.flow_window_min, config.flow_iterations, config.flow_epsilon};
  std::vector<TrackedPoint> tracked(points.size());
  for ([[maybe_unused]] auto _ : state) {
    body(from.host_view(), to.host_view(), points, settings, tracked.data());
    benchmark::DoNotOptimize(tracked.data());
  }
  state.counters["points"] = static_cast<double>(points.size());
}

// As the detector does it: with what is learnt from later, above one posterior's worth.
template <decltype(&reference::scan_rows) body>
void time_scan(benchmark::State& state, const Clip& clip) {
  const Scan scan(clip);
  CandidateList candidates;
  for ([[maybe_unused]] auto _ : state) {
    scan.run(body, kPosteriorOne, candidates);
    benchmark::DoNotOptimize(candidates.codes.data());
  }
  state.counters["windows"] = scan.grid.size();
  state.counters["ns_per_window"] =
      benchmark::Counter(scan.grid.size(), benchmark::Counter::kIsIterationInvariantRate |
                                               benchmark::Counter::kInvert);
}

void time_select_best(benchmark::State& state, const Clip& clip) {
  CandidateList every;
  Scan(clip).run(vector::scan_rows, 0, every);
  const std::vector<Candidate>& all = every.windows;
  for ([[maybe_unused]] auto _ : state) {
    std::vector<Candidate> candidates = all;
    reference::select_best(candidates, 100);
    benchmark::DoNotOptimize(candidates.data());
  }
  state.counters["candidates"] = static_cast<double>(all.size());
}

template <decltype(&reference::extract_patch) body>
void time_extract_patch(benchmark::State& state, const Clip& clip) {
  const ImageView frame = clip.footage.frames().front()->frame().luma;
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(body(frame, clip.box()));
  }
}

void time_nearest_patches(benchmark::State& state, const Clip& clip) {
  const std::vector<Patch> patches = Scan(clip).patches(kPatches + 1);
  const std::span all(patches);
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(vector::nearest_patches(patches.back(), all.first(kPatches / 3),
                                                     kPatches / 6,
                                                     all.subspan(kPatches / 3, kPatches * 2 / 3)));
  }
  state.counters["patches"] = static_cast<double>(kPatches);
}

void time_warped_codes(benchmark::State& state, const Clip& clip) {
  Scan scan(clip);
  const BoundingBox box = clip.box();
  const auto pairs =
      scan.ferns.pairs_for(static_cast<int>(box.width), static_cast<int>(box.height));
  const FixedWarp warp =
      fixed_warp({box.center_x(), box.center_y(), {0.99f, 0.1f, -0.1f, 0.99f}, 0.5f, 0.5f, 5, 1});
  std::vector<std::uint16_t> codes(kMaxFerns);
  for ([[maybe_unused]] auto _ : state) {
    reference::warped_fern_codes(scan.blurred.view(), static_cast<int>(box.x),
                                 static_cast<int>(box.y), pairs, scan.config.ferns, warp,
                                 codes.data());
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
      codes.push_back(static_cast<std::uint16_t>(scan.random.bits() % (1u << scan.config.pairs)));
    }
  }
  std::vector<std::uint32_t> order(kSamples);
  std::iota(order.begin(), order.end(), 0u);
  const std::uint32_t half = static_cast<std::uint32_t>(scan.tables.ferns) * kPosteriorOne / 2;
  for ([[maybe_unused]] auto _ : state) {
    reference::update_ferns(scan.tables, {codes, positive}, order, half, half);
  }
  state.counters["samples"] = static_cast<double>(kSamples);
}

}  // namespace

void register_stage_benchmarks(std::span<const Clip> clips) {
  using Body = void (*)(benchmark::State&, const Clip&);
  constexpr std::pair<const char*, Body> kStages[] = {
      {"blur", time_blur<vector::blur>},
      {"blur_reference", time_blur<reference::blur>},
      {"integrate", time_integrate},
      {"pyramid", time_pyramid<kPyramid>},
      {"pyramid_reference", time_pyramid<kPyramidReference>},
      {"point_flow", time_point_flow<vector::point_flow>},
      {"point_flow_reference", time_point_flow<reference::point_flow>},
      {"scan", time_scan<vector::scan_rows>},
      {"scan_reference", time_scan<reference::scan_rows>},
      {"select_best", time_select_best},
      {"extract_patch", time_extract_patch<vector::extract_patch>},
      {"extract_patch_reference", time_extract_patch<reference::extract_patch>},
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
