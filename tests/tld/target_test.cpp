// SPDX-License-Identifier: LGPL-2.1-or-later
// A target that moves from device to device on its way keeps all that it has learnt.
#include "tld/target.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/devices.h"
#include "support/scene.h"

namespace cltrack {
namespace {

constexpr int kFrames = 60;

std::optional<BoundingBox> path(int i) {
  if (i >= 30 && i < 38) return std::nullopt;
  const float t = static_cast<float>(i < 30 ? i : i + 35);
  return BoundingBox{80 + 40 * std::cos(0.06f * t), 60 + 30 * std::sin(0.06f * t), 41, 33};
}

bool is_device(const std::shared_ptr<Queue>& queue) { return queue && !queue->is_host(); }

// Where the target was on each frame; `place` says before each frame where its stages run.
std::vector<std::optional<Estimate>> run(const std::function<Detector::Queues(int)>& place) {
  test::Scene scene(201, 151);
  const TldConfig config;
  std::array<FramePlanes, 2> planes;
  std::optional<Target> target;
  std::vector<std::optional<Estimate>> estimates;
  for (int i = 0; i < kFrames; ++i) {
    const Detector::Queues queues = place(i);
    FramePlanes& before = planes[static_cast<std::size_t>(i + 1) % 2];
    FramePlanes& now = planes[static_cast<std::size_t>(i) % 2];
    now.luma = scene.draw(path(i)).luma;
    now.borrow();
    now.build_pyramid_on_host(config.flow_levels, config.flow_window_max);
    if (is_device(queues.ferns)) {
      now.enqueue_ferns(*queues.ferns);
    } else {
      now.blur_on_host();
      now.integrate_on_host();
    }
    if (i == 0) {
      if (is_device(queues.ferns)) {
        now.view_blurred_on_host();
        now.view_integrals_on_host();
      }
      target.emplace(*path(0), now, config, 7, queues);
    } else {
      target->place(queues);
      target->enqueue_scan(now);
      target->chain_match(now);
      target->flow(before, now, true);
      for (int part = 0; part < target->detector().scan_parts(); ++part) {
        target->scan_part(part, now);
      }
      target->collect();
      target->enqueue_match(now);
      for (int part = 0; part < target->detector().match_parts(); ++part) {
        target->match_part(part, now);
      }
      target->collect_match();
      target->decide(now, true);
      if (target->has_lesson()) {
        target->enqueue_lesson();
        if (is_device(queues.ferns)) now.fetch_blurred();
        target->learn(now);
      }
    }
    now.release();
    estimates.push_back(target->estimate());
  }
  return estimates;
}

TEST(Target, KeepsWhatItKnowsWhereverItIsPlaced) {
  const auto expected = run([](int) { return Detector::Queues{}; });
  int found = 0, lost = 0;
  for (const auto& estimate : expected) {
    found += estimate && estimate->valid;
    lost += !estimate;
  }
  ASSERT_GT(found, 20);
  ASSERT_GT(lost, 3);

  std::vector<std::shared_ptr<Queue>> queues;
  for (const DeviceInfo& info : test::device_cases()) {
    queues.push_back(Device::open(info)->make_queue());
  }
  // Stages change their device every third frame, each in its own turn.
  const auto moved = run([&](int i) {
    const auto turn = static_cast<std::size_t>(i / 3);
    const auto count = queues.size();
    return Detector::Queues{queues[turn % count], queues[(turn / 2 + 1) % count],
                            queues[(turn / 3 + 2) % count]};
  });
  for (std::size_t i = 0; i < kFrames; ++i) {
    ASSERT_EQ(moved[i].has_value(), expected[i].has_value()) << "frame " << i;
    if (!expected[i]) continue;
    ASSERT_EQ(moved[i]->box, expected[i]->box) << "frame " << i;
    ASSERT_EQ(moved[i]->confidence, expected[i]->confidence) << "frame " << i;
    ASSERT_EQ(moved[i]->valid, expected[i]->valid) << "frame " << i;
  }
}

}  // namespace
}  // namespace cltrack
