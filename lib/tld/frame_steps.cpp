// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/frame_steps.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

#include "core/interruption.h"

namespace cltrack {
namespace {

constexpr int kFlow = -1;  // in place of the number of a part

template <typename Items>
int count(const Items& items) {
  return static_cast<int>(items.size());
}

void copy(const ImageView& from, Image& to) {
  to.resize(from.width, from.height);
  for (int y = 0; y < from.height; ++y) std::copy_n(from.row(y), from.width, to.row(y));
}

}  // namespace

FrameSteps::FrameSteps(const TldConfig& config, const std::vector<PlacedStage>& placement)
    : config_(config),
      devices_(placement),
      pool_(config.threads),
      keeps_pictures_(std::ranges::any_of(placement, &PlacedStage::automatic)) {}

Detector::Queues FrameSteps::queues() const {
  return {devices_.shared_queue(Stage::ferns), devices_.shared_queue(Stage::nn),
          devices_.shared_queue(Stage::learn)};
}

void FrameSteps::run(int tasks, const std::function<void(int)>& task) {
  pool_.run(tasks, task, stop_);
}

void FrameSteps::begin(const Frame& frame, Targets targets, bool motion) {
  motion_ = motion && has_before_;
  stop_ = frame.stop;
  make_planes(frame, targets);
}

void FrameSteps::make_planes(const Frame& frame, Targets targets) {
  const auto measure = meters_.measure(Step::planes);
  FramePlanes& planes = now();
  Kept& kept = kept_[current_];
  if (!decided_) {  // or else targets may have another size already
    kept.largest_window = config_.flow_window_min | 1;
    for (const Target* target : targets) {
      kept.largest_window = std::max(kept.largest_window, target->flow_window());
    }
  }
  const int window = kept.largest_window;
  planes.luma = frame.luma;
  planes.borrow();
  kept.has_picture = false;
  for (const Stage stage : {Stage::flow, Stage::ferns}) {
    if (!on_device(stage)) continue;
    planes.device.luma.pixels.stage(
        devices_.queue(stage),
        [this](int parts, const std::function<void(int)>& part) { pool_.run(parts, part); });
  }
  enum class Task { pyramid, blur, integrate };
  std::vector<Task> tasks;
  if (on_device(Stage::flow)) {
    planes.enqueue_pyramid(devices_.queue(Stage::flow), config_.flow_levels, window);
  } else {
    tasks.push_back(Task::pyramid);
  }
  if (on_device(Stage::ferns)) {
    planes.enqueue_ferns(devices_.queue(Stage::ferns));
  } else {
    tasks.insert(tasks.end(), {Task::blur, Task::integrate});
  }
  run(count(tasks), [&](int i) {
    const Task task = tasks[static_cast<std::size_t>(i)];
    if (task == Task::pyramid) planes.build_pyramid_on_host(config_.flow_levels, window);
    if (task == Task::blur) planes.blur_on_host();
    if (task == Task::integrate) planes.integrate_on_host();
  });
}

void FrameSteps::find(Targets targets) {
  if (targets.empty()) return;
  search(targets);
  match(targets);
}

void FrameSteps::search(Targets targets) {
  // What devices do goes first, so that they and the threads work at the same time.
  const bool device_flow = on_device(Stage::flow);
  if (device_flow) {
    const auto measure = meters_.measure(Step::flow);
    Queue& queue = devices_.queue(Stage::flow);
    for (Target* target : targets) {
      throw_if_stopped(stop_);
      target->enqueue_flow(queue, before(), now(), motion_);
    }
  }
  {
    const auto measure = meters_.measure(Step::ferns);
    for (Target* target : targets) {
      throw_if_stopped(stop_);
      target->enqueue_scan(now());
    }
  }
  {
    const auto measure = meters_.measure(Step::nn);
    for (Target* target : targets) {
      throw_if_stopped(stop_);
      target->chain_match(now());
    }
  }
  // Flow first: it is the longest single piece of work.
  work_.clear();
  if (!device_flow) {
    for (Target* target : targets) work_.push_back({target, kFlow});
  }
  for (Target* target : targets) {
    for (int part = 0; part < target->detector().scan_parts(); ++part)
      work_.push_back({target, part});
  }
  // While devices are at work, and last, since it is needed least.
  const int more = wants_picture() ? 1 : 0;
  run(count(work_) + more, [&](int i) {
    if (i == count(work_)) return keep_picture();
    const auto& [target, part] = work_[static_cast<std::size_t>(i)];
    const auto time = meters_.time(part == kFlow ? Step::flow : Step::ferns);
    if (part == kFlow) {
      target->flow(before(), now(), motion_);
    } else {
      target->scan_part(part, now());
    }
  });
  // One wait for all that has been queued on a device.
  {
    const auto measure = meters_.measure(Step::flow);
    devices_.queue(Stage::flow).finish();
    if (device_flow) {
      for (Target* target : targets) target->collect_flow(now());
    }
  }
  const auto measure = meters_.measure(Step::ferns);
  devices_.queue(Stage::ferns).finish();
}

void FrameSteps::match(Targets targets) {
  work_.clear();
  for (Target* target : targets) {
    throw_if_stopped(stop_);
    {
      const auto measure = meters_.measure(Step::ferns);
      target->collect();
    }
    const auto measure = meters_.measure(Step::nn);
    target->enqueue_match(now());
    for (int part = 0; part < target->detector().match_parts(); ++part) {
      work_.push_back({target, part});
    }
  }
  run(count(work_), [&](int i) {
    const auto& [target, part] = work_[static_cast<std::size_t>(i)];
    const auto time = meters_.time(Step::nn);
    target->match_part(part, now());
  });
  const auto measure = meters_.measure(Step::nn);
  devices_.queue(Stage::nn).finish();
  for (Target* target : targets) target->collect_match();
}

void FrameSteps::refine(Targets targets) {
  std::vector<std::pair<const Target*, Detection*>> work;
  for (Target* target : targets) {
    for (Detection* detection : target->promising_detections()) work.push_back({target, detection});
  }
  run(count(work), [&](int i) {
    const auto& [target, detection] = work[static_cast<std::size_t>(i)];
    const auto time = meters_.time(Step::nn);
    target->refine(*detection, now());
  });
}

void FrameSteps::decide(Targets targets, bool learning) {
  if (targets.empty()) return;
  decided_ = true;
  refine(targets);
  run(count(targets), [&](int i) {
    const auto time = meters_.time(Step::learn);
    targets[static_cast<std::size_t>(i)]->decide(now(), learning);
  });
  std::vector<Target*> pupils;
  std::ranges::copy_if(targets, std::back_inserter(pupils), &Target::has_lesson);
  if (!pupils.empty()) teach(pupils);
}

// What a device is to learn is queued there: nobody has to wait for it before the next frame.
void FrameSteps::teach(Targets targets) {
  {
    const auto measure = meters_.measure(Step::learn);
    if (on_device(Stage::ferns) && !devices_.together(Stage::ferns, Stage::learn)) {
      for (Target* target : targets) target->enqueue_lesson();
      now().fetch_blurred();
      devices_.queue(Stage::ferns).finish();
      now().view_blurred_on_host();
    }
    if (on_device(Stage::learn)) {
      for (Target* target : targets) {
        throw_if_stopped(stop_);
        target->learn(now());
      }
      return;
    }
  }
  run(count(targets), [&](int i) {
    const auto time = meters_.time(Step::learn);
    targets[static_cast<std::size_t>(i)]->learn(now());
  });
}

std::unique_ptr<Target> FrameSteps::start(const BoundingBox& box, std::uint64_t seed) {
  throw_if_stopped(stop_);
  const auto measure = meters_.measure(Step::start);
  if (on_device(Stage::ferns)) {
    now().view_blurred_on_host();
    now().view_integrals_on_host();
  }
  return std::make_unique<Target>(box, now(), config_, seed, queues());
}

void FrameSteps::end() {
  if (wants_picture()) keep_picture();  // there was nothing to look for
  {
    const auto measure = meters_.measure(Step::planes);
    now().release();
  }
  current_ = 1 - current_;
  has_before_ = true;
  decided_ = false;
  stop_ = {};
  meters_.end_frame();
}

void FrameSteps::place(const std::vector<PlacedStage>& placement, Targets targets) {
  if (has_before_) keep_picture_before();
  give_up_planes();
  devices_ = PlacedDevices(placement);
  meters_.forget_latest();
  for (Target* target : targets) target->place(queues());
  if (has_before_) rebuild_pyramid_before();
}

bool FrameSteps::wants_picture() const {
  return keeps_pictures_ && on_device(Stage::flow) && !kept_[current_].has_picture;
}

void FrameSteps::keep_picture() {
  const auto time = meters_.time(Step::planes);
  Kept& kept = kept_[current_];
  copy(now().luma, kept.picture);
  kept.has_picture = true;
}

void FrameSteps::keep_picture_before() {
  Kept& kept = kept_[1 - current_];
  if (!kept.has_picture) copy(before().pyramid.level(0), kept.picture);
  kept.has_picture = true;
}

void FrameSteps::rebuild_pyramid_before() {
  const Kept& kept = kept_[1 - current_];
  FramePlanes& planes = before();
  planes.luma = kept.picture.view();
  if (on_device(Stage::flow)) {
    planes.borrow();
    planes.enqueue_pyramid(devices_.queue(Stage::flow), config_.flow_levels, kept.largest_window);
    planes.release();
  } else {
    planes.build_pyramid_on_host(config_.flow_levels, kept.largest_window);
  }
}

void FrameSteps::give_up_planes() noexcept {
  for (FramePlanes& planes : planes_) planes.clear();
}

void FrameSteps::abandon() noexcept {
  give_up_planes();
  has_before_ = decided_ = false;
  stop_ = {};
}

}  // namespace cltrack
