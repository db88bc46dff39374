// SPDX-License-Identifier: LGPL-2.1-or-later
// Four threads add, move and remove targets, seek and change the caps, while pictures of 640x480
// come at 60 a second. For CLTRACK_SOAK_SECONDS, or five: half an hour is
//   CLTRACK_SOAK_SECONDS=1800 meson test -C build control-soak-pipelines -t 0
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <random>
#include <thread>

#include "../support/gst_ptr.h"
#include "../support/matchers.h"

namespace cltrack::test {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kMostTargets = 6;
constexpr int kLargest = 60;  // pixels; the smallest pictures have 320x240

std::chrono::seconds duration() {
  const char* text = std::getenv("CLTRACK_SOAK_SECONDS");
  return std::chrono::seconds(text != nullptr ? std::atoi(text) : 5);
}

// Resident memory, in MiB.
double memory() {
  std::ifstream file("/proc/self/statm");
  double size = 0, resident = 0;
  file >> size >> resident;
  return resident * 4096 / (1024 * 1024);
}

class ControlSoak : public ::testing::Test {
 protected:
  ControlSoak() {
    pipeline_.reset(gst_parse_launch(
        "videotestsrc pattern=ball ! capsfilter name=size caps=video/x-raw,format=I420,width=640,"
        "height=480,framerate=60/1 ! identity sync=true ! cltracker name=tracker messages=none "
        "! fakesink sync=false",
        nullptr));
    tracker_.reset(gst_bin_get_by_name(GST_BIN(pipeline_.get()), "tracker"));
    gst_element_set_state(pipeline_.get(), GST_STATE_PLAYING);
    gst_element_get_state(pipeline_.get(), nullptr, nullptr, GST_CLOCK_TIME_NONE);
  }
  ~ControlSoak() override { gst_element_set_state(pipeline_.get(), GST_STATE_NULL); }

  void add(std::mt19937& random) {
    const std::lock_guard lock(mutex_);
    if (targets_.size() >= kMostTargets) return;
    const auto [x, y, side] = place(random);
    guint64 id = 0;
    g_signal_emit_by_name(tracker_.get(), "add-target", x, y, side, side, "soak", &id);
    EXPECT_GT(id, latest_) << "an id twice, or none";
    latest_ = id;
    targets_[id] = true;
  }
  void move(std::mt19937& random) {
    const std::lock_guard lock(mutex_);
    if (targets_.empty()) return;
    const auto [x, y, side] = place(random);
    gboolean done = FALSE;
    g_signal_emit_by_name(tracker_.get(), "move-target", any_target(random), x, y, side, side,
                          &done);
    EXPECT_TRUE(done) << "a target got lost";
  }
  void remove(std::mt19937& random) {
    const std::lock_guard lock(mutex_);
    if (targets_.size() < kMostTargets / 2) return;
    const guint64 id = any_target(random);
    gboolean done = FALSE;
    g_signal_emit_by_name(tracker_.get(), "remove-target", id, &done);
    EXPECT_TRUE(done) << "a target got lost";
    targets_.erase(id);
  }
  void disturb(std::mt19937& random) {
    if (random() % 3 == 0) {
      const bool large = random() % 2 == 0;
      const char* const caps = large
                                   ? "video/x-raw,format=I420,framerate=60/1,width=640,height=480"
                                   : "video/x-raw,format=I420,framerate=60/1,width=320,height=240";
      const ElementPtr filter(gst_bin_get_by_name(GST_BIN(pipeline_.get()), "size"));
      gst_util_set_object_arg(G_OBJECT(filter.get()), "caps", caps);
    } else {
      gst_element_seek_simple(pipeline_.get(), GST_FORMAT_TIME,
                              static_cast<GstSeekFlags>(GST_SEEK_FLAG_FLUSH),
                              static_cast<gint64>(random() % 20) * GST_SECOND);
    }
  }
  // Whatever an errors or warnings say.
  std::vector<std::string> complaints() {
    std::vector<std::string> texts;
    const BusPtr bus(gst_element_get_bus(pipeline_.get()));
    constexpr auto kBoth =
        static_cast<GstMessageType>(int{GST_MESSAGE_ERROR} | int{GST_MESSAGE_WARNING});
    while (GstMessage* message = gst_bus_pop(bus.get())) {
      const MessagePtr owner(message);
      if ((GST_MESSAGE_TYPE(message) & kBoth) != 0) texts.push_back(text_of(owner));
    }
    return texts;
  }
  std::size_t targets_in_tracker() {
    GstStructure* structure = nullptr;
    g_object_get(tracker_.get(), "stats", &structure, nullptr);
    const StructurePtr stats(structure);
    const GValue* list = gst_structure_get_value(stats.get(), "targets");
    return gst_value_array_get_size(list);
  }

  struct Place {
    double x, y, side;
  };
  static Place place(std::mt19937& random) {
    const int side = 10 + static_cast<int>(random() % (kLargest - 10));
    return {static_cast<double>(random() % 250), static_cast<double>(random() % 170),
            static_cast<double>(side)};
  }
  guint64 any_target(std::mt19937& random) const {
    auto target = targets_.begin();
    std::advance(target, static_cast<std::ptrdiff_t>(random() % targets_.size()));
    return target->first;
  }

  ElementPtr pipeline_, tracker_;
  std::mutex mutex_;
  std::map<guint64, bool> targets_;  // that must be there
  guint64 latest_ = 0;
};

TEST_F(ControlSoak, NothingIsLost) {
  std::atomic<bool> done = false;
  std::vector<std::thread> threads;
  const auto run = [&](unsigned seed, std::chrono::milliseconds pause, auto work) {
    threads.emplace_back([&done, seed, pause, work] {
      std::mt19937 random(seed);
      while (!done) {
        work(random);
        std::this_thread::sleep_for(pause);
      }
    });
  };
  run(1, 30ms, [this](std::mt19937& random) { add(random); });
  run(2, 20ms, [this](std::mt19937& random) { move(random); });
  run(3, 50ms, [this](std::mt19937& random) { remove(random); });
  run(4, 700ms, [this](std::mt19937& random) { disturb(random); });

  const auto begin = std::chrono::steady_clock::now();
  auto next_report = begin + 60s;
  std::vector<std::string> said;
  while (std::chrono::steady_clock::now() - begin < duration()) {
    std::this_thread::sleep_for(200ms);
    for (std::string& text : complaints()) said.push_back(std::move(text));
    if (std::chrono::steady_clock::now() < next_report) continue;
    next_report += 60s;
    g_print("%.1f MiB, %" G_GUINT64_FORMAT " targets so far\n", memory(), latest_);
  }
  done = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(said, IsEmpty());
  EXPECT_GT(latest_, 3u);

  // All that were added and not removed are in the tracker once a picture has come.
  for (int i = 0; i < 100 && targets_in_tracker() != targets_.size(); ++i) {
    std::this_thread::sleep_for(100ms);
  }
  EXPECT_EQ(targets_in_tracker(), targets_.size());
  g_signal_emit_by_name(tracker_.get(), "clear-targets");
  for (int i = 0; i < 100 && targets_in_tracker() != 0; ++i) std::this_thread::sleep_for(100ms);
  EXPECT_EQ(targets_in_tracker(), 0u);
  g_print("%.1f MiB at the end, %" G_GUINT64_FORMAT " targets in all\n", memory(), latest_);
}

}  // namespace
}  // namespace cltrack::test
