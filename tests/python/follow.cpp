// SPDX-License-Identifier: LGPL-2.1-or-later
// What the library says of a video: the same calls that package_test.py makes in Python.
//
// Usage: follow tld|template|color|detections WIDTH HEIGHT X,Y,W,H EVERY [ZONES] < FRAMES
// FRAMES are pictures in BGR, one behind the other, 25 a second. With `detections`, each EVERYth
// frame has a detection of the box, which is two pixels further on each frame. Prints a line for
// each track: frame, id, state, confidence, box (the bits of the numbers) and detection. With zones
// it prints one for each event as well: frame, zone, event, nanoseconds, id, direction, nanoseconds
// in the area, tracks in it.
#include <cltrack/cltrack.h>

#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bgr_frame.h"

namespace {

void print(int frame, const cltrack::Track& track, const std::optional<std::size_t>& detection) {
  std::printf("%d %llu %s", frame, static_cast<unsigned long long>(track.id),
              to_string(track.state));
  const cltrack::BoundingBox& box = track.box;
  for (const float value : {track.confidence, box.x, box.y, box.width, box.height}) {
    std::printf(" %08x", static_cast<unsigned>(std::bit_cast<std::uint32_t>(value)));
  }
  std::printf(" %d\n", detection ? static_cast<int>(*detection) : -1);
}

void print(int frame, const cltrack::ZoneEvent& event) {
  std::printf("%d %s %s %lld %llu %d %lld %d\n", frame, event.zone.c_str(), to_string(event.kind),
              static_cast<long long>(event.time), static_cast<unsigned long long>(event.id),
              event.forward ? 1 : 0, static_cast<long long>(event.dwell), event.inside);
}

template <typename Config>
Config on_host() {
  Config config;
  config.placement.device = "host";
  return config;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6 && argc != 7) return 2;
  const std::string what = argv[1];
  const int width = std::atoi(argv[2]), height = std::atoi(argv[3]), every = std::atoi(argv[5]);
  cltrack::BoundingBox box;
  if (std::sscanf(argv[4], "%f,%f,%f,%f", &box.x, &box.y, &box.width, &box.height) != 4) return 2;

  std::unique_ptr<cltrack::Tracker> tracker;
  std::unique_ptr<cltrack::DetectionTracker> detections;
  if (what == "template") {
    tracker = cltrack::make_template_tracker(on_host<cltrack::TemplateConfig>());
  } else if (what == "color") {
    tracker = cltrack::make_color_tracker(on_host<cltrack::ColorConfig>());
  } else {
    tracker = cltrack::make_tld_tracker(on_host<cltrack::TldConfig>());
  }
  if (what == "detections") {
    detections = cltrack::make_detection_tracker(std::move(tracker));
  } else {
    tracker->add(box, "object");
  }

  cltrack::Zones zones;
  if (argc == 7) zones.set_zones(cltrack::parse_zones(argv[6]));

  const std::size_t bytes = 3 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  std::vector<std::uint8_t> pixels(bytes);
  cltrack::Image luma;
  for (int i = 0; std::fread(pixels.data(), 1, bytes, stdin) == bytes; ++i) {
    cltrack::Frame frame = cltrack::bgr_frame(pixels.data(), width, height, luma);
    frame.pts = i * 40'000'000;
    const auto count = [&](std::span<const cltrack::Track> tracks) {
      for (const auto& event : zones.update(tracks, {frame.pts, width, height})) print(i, event);
    };
    if (!detections) {
      const std::span<const cltrack::Track> tracks = tracker->process(frame);
      for (const cltrack::Track& track : tracks) print(i, track, std::nullopt);
      count(tracks);
      continue;
    }
    const std::vector<cltrack::DetectedObject> found = {
        {{box.x + 2 * static_cast<float>(i), box.y, box.width, box.height}, "person", 0.75f}};
    std::optional<std::span<const cltrack::DetectedObject>> seen;
    if (i % every == 0) seen = found;
    std::vector<cltrack::Track> tracks;
    for (const cltrack::DetectedTrack& track : detections->update(frame, seen)) {
      print(i, track, track.detection);
      tracks.push_back(track);
    }
    count(tracks);
  }
}
