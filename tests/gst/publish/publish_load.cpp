// SPDX-License-Identifier: LGPL-2.1-or-later
// Sends many pictures through trackpublish, and measures how long each one keeps the thread that
// brings it.
//
//   publish-load PORT COUNT STEPS
//
// Each time that one of STEPS equal parts has been sent a line "part" is printed. As many messages
// wait as the queue holds, but no more, so none may be dropped. The last line is JSON.
#include <gst/gst.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "../support/publish_harness.h"

namespace cltrack::test {
namespace {

using Clock = std::chrono::steady_clock;

constexpr guint64 kQueueSize = 5000;

class Load {
 public:
  Load(const std::string& port, guint64 count, guint64 parts)
      : harness_("source=load events=false address=127.0.0.1 flush-timeout=600000000000 port=" +
                 port + " queue-size=" + std::to_string(kQueueSize)),
        count_(count),
        part_(count / (parts + 1) + 1) {}

  int run() {
    if (!harness_.start()) return 1;
    times_.reserve(count_);
    for (guint64 i = 0; i < count_; ++i) {
      wait_for_room();
      const Clock::time_point begin = Clock::now();
      const bool passed = harness_.pass({car()}) != nullptr;
      times_.push_back(std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
      if (!passed) return 1;
    }
    while (harness_.stat("sent") < count_ && harness_.stat("dropped") == 0) look();
    report();
    return 0;
  }

 private:
  void look() {
    for (; harness_.stat("sent") >= next_part_; next_part_ += part_) {
      std::puts("part");
      std::fflush(stdout);
    }
    harness_.texts();  // messages may not pile up
    g_usleep(1000);
  }

  // Asks as seldom as it may, because asking is a lock.
  void wait_for_room() {
    if (room_ == 0) {
      while ((room_ = kQueueSize - std::min(kQueueSize, not_arrived())) == 0) look();
      look();
    }
    --room_;
  }

  guint64 not_arrived() {
    guint64 waiting = 0;
    guint64 under_way = 0;
    gst_structure_get(harness_.stats().get(), "waiting", G_TYPE_UINT64, &waiting, "under-way",
                      G_TYPE_UINT64, &under_way, nullptr);
    return waiting + under_way;
  }

  double at(double share) const {
    return times_[static_cast<std::size_t>(share * static_cast<double>(times_.size() - 1))];
  }

  void report() {
    std::ranges::sort(times_);
    std::printf(R"({"sent": %llu, "dropped": %llu, "ms_p50": %.4f, "ms_p99": %.4f, )"
                R"("ms_p99.9": %.4f, "ms_most": %.4f})"
                "\n",
                static_cast<unsigned long long>(harness_.stat("sent")),
                static_cast<unsigned long long>(harness_.stat("dropped")), at(0.5), at(0.99),
                at(0.999), at(1));
  }

  PublishHarness harness_;
  const guint64 count_;
  const guint64 part_;
  guint64 next_part_ = part_;
  guint64 room_ = 0;
  std::vector<double> times_;
};

}  // namespace
}  // namespace cltrack::test

int main(int argc, char** argv) {
  gst_init(&argc, &argv);
  if (argc != 4) {
    std::fputs("usage: publish-load PORT COUNT STEPS\n", stderr);
    return 2;
  }
  int status = 1;
  {
    cltrack::test::Load load(argv[1], std::strtoull(argv[2], nullptr, 10),
                             std::strtoull(argv[3], nullptr, 10));
    status = load.run();
  }
  gst_deinit();
  return status;
}
