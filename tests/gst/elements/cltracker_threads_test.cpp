// SPDX-License-Identifier: LGPL-2.1-or-later
// Properties set and read from other threads while buffers flow. Worth most under a thread
// sanitizer; without one it shows that nothing hangs and that every change arrives.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "../../support/no_threads.h"
#include "../support/tracker_harness.h"

namespace cltrack {
namespace {

using test::TrackerHarness;
using ::testing::SizeIs;

TEST(ClTrackerThreads, PropertiesMayBeSetAndReadWhileBuffersFlow) {
  TrackerHarness harness{{"targets", "<<50,40,40,36>>"}};
  harness.set_caps(160, 120);
  const Image picture = test::draw_scene(160, 120, {50, 40, 40, 36});
  ASSERT_NE(harness.pass(picture), nullptr);  // from now on a bad target is no error
  std::atomic<bool> done = false;
  std::thread setter([&] {
    for (int round = 0; !done; ++round) {
      harness.set("targets", round % 2 == 0 ? "<<50,40,40,36>>" : "<<50,40,40,36,a>,<9,9,20,20>>");
      g_object_set(harness.object(), "object-initial-x", 10u, "object-initial-width",
                   round % 3 == 0 ? 0u : 30u, nullptr);
      g_object_set(harness.object(), "learning", round % 2, "label", "car", "draw-rect", round % 2,
                   "seed", guint64{7}, nullptr);
      harness.set("targets", "<<nothing>>");
    }
  });
  std::thread reader([&] {
    while (!done) {
      harness.stats();
      GValue value = G_VALUE_INIT;
      g_value_init(&value, GST_TYPE_ARRAY);
      g_object_get_property(harness.object(), "targets", &value);
      g_value_unset(&value);
    }
  });
  for (int i = 0; i < 30; ++i) EXPECT_NE(harness.pass(picture), nullptr);
  done = true;
  setter.join();
  reader.join();

  harness.set("object-initial-width", "30");
  harness.set("targets", "<<50,40,40,36,last>>");
  const auto regions = test::regions(harness.pass(picture));
  ASSERT_THAT(regions, SizeIs(2));
  EXPECT_EQ(regions[1].label, "last");
}

TEST(ClTrackerThreads, FewerThreadsThanAskedForAreOneWarning) {
  TrackerHarness harness{{"targets", "<<50,40,40,36>>"}, {"threads", "4"}, {"device", "host"}};
  harness.set_caps(160, 120);
  const Image picture = test::draw_scene(160, 120, {50, 40, 40, 36});
  const test::NoThreads none;
  for (int i = 0; i < 3; ++i) EXPECT_THAT(test::regions(harness.pass(picture)), SizeIs(1));
  EXPECT_THAT(harness.texts(GST_MESSAGE_WARNING),
              testing::ElementsAre(testing::HasSubstr("threads=4: the system allows only 1 (")));
}

TEST(ClTrackerThreads, ElementsWorkSideBySide) {
  const Image picture = test::draw_scene(160, 120, {50, 40, 40, 36});
  std::vector<std::thread> threads;
  std::atomic<int> regions = 0;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      TrackerHarness harness{{"targets", "<<50,40,40,36>>"}};
      harness.set_caps(160, 120);
      for (int frame = 0; frame < 5; ++frame) {
        regions += static_cast<int>(test::regions(harness.pass(picture)).size());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(regions, 15);
}

}  // namespace
}  // namespace cltrack
