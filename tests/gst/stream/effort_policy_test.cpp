// SPDX-License-Identifier: LGPL-2.1-or-later
#include "stream/effort_policy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "../support/gst_ptr.h"

namespace cltrack::gst {
namespace {

using gst::EffortPolicy;
using gst::FrameEffort;

constexpr std::int64_t kMs = 1000000;

// Work that takes these times, ms.
struct Costs {
  std::array<std::int64_t, 3> ms;
  std::int64_t of(FrameEffort look) const {
    return look == FrameEffort::none ? 0 : ms[static_cast<std::size_t>(look)] * kMs;
  }
};

// A live source whose pictures come every `interval` ms and wait for the one before.
struct Live {
  EffortPolicy policy;
  std::int64_t limit = 100;  // ms
  std::int64_t interval = 40;
  std::int64_t picture = 0;
  std::int64_t now = 0;
  std::int64_t latest = 0;  // that a picture was ready after its time, ns
  std::string looks = "";   // a letter for each

  void run(int pictures, const Costs& costs) {
    for (int i = 0; i < pictures; ++i) {
      const std::int64_t time = picture++ * interval * kMs;
      now = std::max(now, time);
      const FrameEffort look = policy.choose(time + limit * kMs - now);
      looks += "fnm-"[static_cast<std::size_t>(look)];
      now += costs.of(look);
      if (look != FrameEffort::none) policy.took(look, costs.of(look));
      latest = std::max(latest, now - time);
    }
  }
  auto count(char look) const { return std::ranges::count(looks, look); }
};

TEST(EffortPolicy, AllIsDoneWithoutALimitAndWithTime) {
  EffortPolicy policy;
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(policy.choose(std::nullopt), FrameEffort::full);
    policy.took(FrameEffort::full, 1000 * kMs);
  }
  Live live;
  live.run(100, {{30, 20, 10}});
  EXPECT_EQ(live.count('f'), 100);
}

TEST(EffortPolicy, TheDetectorLooksNearWhereThatIsEnough) {
  Live live;
  live.run(500, {{80, 30, 10}});
  EXPECT_LE(live.latest, (100 + 80) * kMs);
  EXPECT_GT(live.count('f'), 20) << "all that there is time for";
  EXPECT_GT(live.count('n'), 200);
  EXPECT_EQ(live.count('-'), 0);
}

TEST(EffortPolicy, MotionAloneWhereTheDetectorIsTooSlow) {
  Live live;
  live.run(500, {{80, 80, 20}});
  EXPECT_LE(live.latest, (100 + 80) * kMs);
  EXPECT_GT(live.count('m'), 200);
  EXPECT_GT(live.count('f') + live.count('n'), 40) << "in between";
  EXPECT_EQ(live.count('-'), 0);
}

TEST(EffortPolicy, PicturesAreLeftOutWhereNothingElseHelps) {
  Live live;
  live.run(500, {{80, 80, 80}});
  EXPECT_LE(live.latest, (100 + 80) * kMs);
  EXPECT_GT(live.count('-'), 200);
  EXPECT_LT(live.count('-'), 300);
  EXPECT_EQ(live.looks.find("-----"), std::string::npos) << "each fifth is looked at";
}

// Whoever made them late, it was not this element.
TEST(EffortPolicy, PicturesThatComeTooLateAreLookedAtNowAndThen) {
  EffortPolicy policy;
  std::string looks;
  for (int i = 0; i < 10; ++i) looks += "fnm-"[static_cast<std::size_t>(policy.choose(-kMs))];
  EXPECT_EQ(looks, "----m----m");
}

TEST(EffortPolicy, GivesUpAtOnceAndTakesUpSlowly) {
  Live live;
  live.run(20, {{30, 20, 10}});
  live.run(3, {{150, 20, 10}});  // one is enough
  EXPECT_EQ(live.looks.substr(20, 2).find('f'), 0u);
  EXPECT_EQ(live.looks.substr(21).find('f'), std::string::npos);
  live.looks.clear();
  live.run(7, {{30, 20, 10}});
  EXPECT_EQ(live.count('f'), 0);
  live.run(100, {{30, 20, 10}});
  EXPECT_EQ(live.looks.substr(80).find_first_not_of('f'), std::string::npos);
}

TEST(EffortPolicy, ASinkThatIsLateTakesWorkAwayStepByStepAndNoPicture) {
  EffortPolicy policy;
  std::string looks;
  for (int i = 0; i < 20; ++i) {
    looks += "fnm-"[static_cast<std::size_t>(policy.choose(std::nullopt, i < 4))];
  }
  EXPECT_EQ(looks, "nmmmmmmmmmmnnnnnnnnf");
}

TEST(EffortPolicy, LooksAreEfforts) {
  EXPECT_EQ(gst::effort_of(FrameEffort::full), Effort::full);
  EXPECT_EQ(gst::effort_of(FrameEffort::near), Effort::near);
  EXPECT_EQ(gst::effort_of(FrameEffort::motion), Effort::motion);
}

struct Upstream {
  gboolean is_live = TRUE;
  GstClockTime least = 5;
  int asked = 0;
};

gboolean answer(GstPad* pad, GstObject*, GstQuery* query) {
  auto* upstream = static_cast<Upstream*>(gst_pad_get_element_private(pad));
  if (GST_QUERY_TYPE(query) != GST_QUERY_LATENCY) return FALSE;
  ++upstream->asked;
  gst_query_set_latency(query, upstream->is_live, upstream->least, GST_CLOCK_TIME_NONE);
  return TRUE;
}

TEST(UpstreamLatency, IsAskedForOnceAndAgainOnDemand) {
  Upstream upstream;
  const test::PadPtr source(gst_pad_new("src", GST_PAD_SRC)),
      sink(gst_pad_new("sink", GST_PAD_SINK));
  gst_pad_set_element_private(source.get(), &upstream);
  gst_pad_set_query_function(source.get(), answer);
  gst::UpstreamLatency latency;
  EXPECT_FALSE(latency.of_live(sink.get())) << "not linked";
  ASSERT_EQ(gst_pad_link(source.get(), sink.get()), GST_PAD_LINK_OK);
  EXPECT_FALSE(latency.of_live(sink.get()));
  latency.ask_again();
  EXPECT_EQ(latency.of_live(sink.get()), GstClockTime{5});
  upstream.least = 7;
  EXPECT_EQ(latency.of_live(sink.get()), GstClockTime{5});
  EXPECT_EQ(upstream.asked, 1);
  latency.ask_again();
  EXPECT_EQ(latency.of_live(sink.get()), GstClockTime{7});
  upstream.is_live = FALSE;
  latency.ask_again();
  EXPECT_FALSE(latency.of_live(sink.get()));
}

TEST(AddLatency, AddsToLiveAnswersAlone) {
  const test::QueryPtr query(gst_query_new_latency());
  gboolean is_live = FALSE;
  GstClockTime least = 0, most = 0;
  const auto added = [&](gboolean live, GstClockTime before) {
    gst_query_set_latency(query.get(), live, 10, before);
    gst::add_latency(query.get(), 30);
    gst_query_parse_latency(query.get(), &is_live, &least, &most);
  };
  added(TRUE, 20);
  EXPECT_EQ(least, 40u);
  EXPECT_EQ(most, 50u);
  added(TRUE, GST_CLOCK_TIME_NONE);
  EXPECT_EQ(least, 40u);
  EXPECT_EQ(most, GST_CLOCK_TIME_NONE);
  added(FALSE, 20);
  EXPECT_EQ(least, 10u);
  EXPECT_EQ(most, 20u);
}

}  // namespace
}  // namespace cltrack::gst
