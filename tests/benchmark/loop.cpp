// SPDX-License-Identifier: LGPL-2.1-or-later
#include "loop.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>

#include "cltrack/error.h"

namespace cltrack::accuracy {
namespace {

constexpr std::size_t kMostFrames = 100;
constexpr std::size_t kMostMemory = std::size_t{1} << 31;
constexpr float kSmallestSide = 16;  // under it few trackers are of use

// The box in a picture that is now `scale_x`, `scale_y` times as large.
BoundingBox scaled(const BoundingBox& box, float scale_x, float scale_y, FrameSize size) {
  const float width = std::max(kSmallestSide, std::floor(box.width * scale_x));
  const float height = std::max(kSmallestSide, std::floor(box.height * scale_y));
  const auto place = [](float center, float side, int limit) {
    return std::clamp(std::floor(center - side / 2), 0.0f, static_cast<float>(limit) - side);
  };
  return {place(box.center_x() * scale_x, width, size.width),
          place(box.center_y() * scale_y, height, size.height), width, height};
}

}  // namespace

const Loop& Loop::of(const Clip& clip, FrameSize size) {
  static std::string key;
  static std::unique_ptr<Loop> loop;
  const std::string wanted = clip.sequence.folder.string() + "|" + clip.sequence.name + "|" +
                             std::to_string(size.width) + "x" + std::to_string(size.height);
  if (key != wanted) {
    key.clear();
    loop.reset();  // before the next one takes as much memory
    loop.reset(new Loop(clip, size));
    key = wanted;
  }
  return *loop;
}

Loop::Loop(const Clip& clip, FrameSize size)
    : footage_(clip.sequence, kMostFrames, kMostMemory, size) {
  if (!footage_.in_memory() || footage_.size() < 2) {
    throw Error(ErrorCode::failed, clip.sequence.name + ": " + std::to_string(footage_.size()) +
                                       " frames that cannot be held in memory");
  }
  const VideoFrame& first = *clip.footage.frames().front();
  box_ = scaled(clip.box(), static_cast<float>(size.width) / static_cast<float>(first.width()),
                static_cast<float>(size.height) / static_cast<float>(first.height()), size);
}

const VideoFrame& Loop::frame(std::size_t index) const {
  const std::size_t count = footage_.size();
  const std::size_t phase = index % (2 * (count - 1));
  return *footage_.frames()[phase < count ? phase : 2 * (count - 1) - phase];
}

LoopRun track_loop(Tracker& tracker, const Loop& loop, std::size_t frames,
                   const std::function<void(std::size_t)>& after) {
  using Clock = std::chrono::steady_clock;
  LoopRun run;
  tracker.reset();
  tracker.add(loop.box());
  for (std::size_t i = 0; i < frames; ++i) {
    Frame frame = loop.frame(i).frame();
    frame.pts = static_cast<std::int64_t>(i) * 40'000'000;
    const auto start = Clock::now();
    const auto tracks = tracker.process(frame);
    const std::chrono::duration<double, std::milli> time = Clock::now() - start;
    run.ms.push_back(time.count());
    if (!tracks.empty() && tracks[0].has_box()) ++run.with_box;
    if (after) after(i);
  }
  run.stats = tracker.stats();
  return run;
}

}  // namespace cltrack::accuracy
