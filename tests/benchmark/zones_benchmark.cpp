// SPDX-License-Identifier: LGPL-2.1-or-later
// Counting: 200 tracks that walk about, and 50 zones of 20 corners each, half of them lines.
//
//   zones/spread    as people draw them: each covers a part of the picture
//   zones/stacked   all of them over the whole picture: every track is in the reach of each
#include <benchmark/benchmark.h>

#include <chrono>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "benchmarks.h"
#include "cltrack/zones.h"
#include "metrics.h"

namespace cltrack::accuracy {
namespace {

constexpr int kTracks = 200, kZones = 50, kCorners = 20;
constexpr int kWidth = 1920, kHeight = 1080;
constexpr int kColumns = 10;
constexpr std::int64_t kFrame = 40'000'000;  // ns

// Stars, and zigzags, about a centre; sizes are shares of the picture.
Zone zone(int number, RelativePoint center, RelativePoint radius) {
  Zone zone{.name = "zone" + std::to_string(number)};
  zone.kind = number % 2 == 0 ? ZoneKind::area : ZoneKind::line;
  for (int i = 0; i < kCorners; ++i) {
    const float in = i % 2 == 0 ? 1.0f : 0.7f;
    const float angle = 6.2831853f * static_cast<float>(i) / kCorners;
    const float along = 2 * static_cast<float>(i) / (kCorners - 1) - 1;
    zone.corners.push_back(
        zone.kind == ZoneKind::area
            ? RelativePoint{center.x + radius.x * in * std::cos(angle),
                            center.y + radius.y * in * std::sin(angle)}
            : RelativePoint{center.x + radius.x * along, center.y + radius.y * (in - 0.85f)});
  }
  return zone;
}

std::vector<Zone> zones(bool spread) {
  std::vector<Zone> zones;
  for (int i = 0; i < kZones; ++i) {
    const RelativePoint center = {0.05f + 0.1f * static_cast<float>(i % kColumns),
                                  0.1f + 0.2f * static_cast<float>(i / kColumns)};
    zones.push_back(spread ? zone(i, center, {0.05f, 0.1f}) : zone(i, {0.5f, 0.5f}, {0.5f, 0.5f}));
  }
  return zones;
}

// Boxes that walk, and turn round at the borders.
class Crowd {
 public:
  Crowd() {
    std::uniform_real_distribution<float> x(0, kWidth - 40), y(0, kHeight - 80), speed(-8, 8);
    for (int i = 0; i < kTracks; ++i) {
      Track& track = tracks_.emplace_back();
      track.id = static_cast<std::uint64_t>(i) + 1;
      track.label = "person";
      track.state = TrackState::tracking;
      track.box = {x(random_), y(random_), 40, 80};
      speeds_.push_back({speed(random_), speed(random_)});
    }
  }

  const std::vector<Track>& next() {
    for (std::size_t i = 0; i < tracks_.size(); ++i) {
      BoundingBox& box = tracks_[i].box;
      RelativePoint& speed = speeds_[i];
      if (box.x + speed.x < 0 || box.right() + speed.x > kWidth) speed.x = -speed.x;
      if (box.y + speed.y < 0 || box.bottom() + speed.y > kHeight) speed.y = -speed.y;
      box.x += speed.x;
      box.y += speed.y;
    }
    return tracks_;
  }

 private:
  std::mt19937 random_{1};
  std::vector<Track> tracks_;
  std::vector<RelativePoint> speeds_;
};

void time_zones(benchmark::State& state, bool spread) {
  Crowd crowd;
  Zones counted;
  counted.set_zones(zones(spread));
  std::int64_t time = 0;
  std::size_t events = 0;
  std::vector<double> ms;
  for ([[maybe_unused]] auto _ : state) {
    const std::vector<Track>& tracks = crowd.next();
    time += kFrame;
    const auto start = std::chrono::steady_clock::now();
    events += counted.update(tracks, {time, kWidth, kHeight}).size();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    state.SetIterationTime(taken.count());
    ms.push_back(taken.count() * 1000);
  }
  state.counters["ms_median"] = percentile(ms, 0.5);
  state.counters["ms_p99"] = percentile(ms, 0.99);
  state.counters["events"] = static_cast<double>(events) / static_cast<double>(ms.size());
}

}  // namespace

void register_zones_benchmarks() {
  for (const bool spread : {true, false}) {
    benchmark::RegisterBenchmark(spread ? "zones/spread" : "zones/stacked", time_zones, spread)
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond);
  }
}

}  // namespace cltrack::accuracy
