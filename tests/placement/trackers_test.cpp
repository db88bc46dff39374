// SPDX-License-Identifier: LGPL-2.1-or-later
// What all trackers do alike with their targets and frames. The table of targets itself:
// core/target_table_test.cpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "cltrack/color_tracker.h"
#include "cltrack/template_tracker.h"
#include "cltrack/tld_tracker.h"
#include "support/color_image.h"
#include "support/errors.h"
#include "support/scene.h"

namespace cltrack {
namespace {

using test::expect_rejected;
using testing::SizeIs;

constexpr BoundingBox kBox = {40, 30, 40, 40};
const std::vector<std::uint8_t> kPixels(64);
const ImageView kPicture = {kPixels.data(), 8, 8, 8};

struct Kind {
  std::string name;
  std::function<std::unique_ptr<Tracker>()> make;
  std::size_t most_targets;
  std::vector<Seed> refused;  // kinds of targets
  std::string instead;        // of these
  std::function<void()> make_bad;
};

const Kind kKinds[] = {{"tld",
                        [] { return make_tld_tracker({.threads = 1, .max_targets = 2}); },
                        2,
                        {kPicture, ColorModel::nothing()},
                        "give a box",
                        [] { make_tld_tracker({.threads = 0}); }},
                       {"template",
                        [] {
                          TemplateConfig config;
                          config.max_targets = 2;
                          return make_template_tracker(config);
                        },
                        2,
                        {ColorModel::nothing()},
                        "a box or a picture",
                        [] { make_template_tracker({.window = 20}); }},
                       // Several targets of a colour are one.
                       {"color",
                        [] { return make_color_tracker({.blobs = 1}); },
                        255,
                        {kPicture},
                        "a colour or a box",
                        [] { make_color_tracker({.blobs = 17}); }}};

class Trackers : public testing::TestWithParam<Kind> {
 protected:
  // With the target, a bit further to the right on each frame.
  Frame frame(int i = 0) {
    const int x = 40 + 2 * i;
    Frame frame = scene_.draw(BoundingBox{static_cast<float>(x), 30, 40, 40});
    colors_.fill_box(0, 0, 160, 120, {110, 110, 110});
    colors_.fill_box(x, 30, 40, 40, {210, 20, 25});
    frame.color = colors_.picture();
    return frame;
  }

  test::Scene scene_{160, 120};
  test::ColorImage colors_{test::color_format("RGB"), 160, 120};
  std::unique_ptr<Tracker> tracker_ = GetParam().make();
};

TEST_P(Trackers, UseNoIdAgainBeforeAReset) {
  EXPECT_EQ(tracker_->add(kBox, "first"), 1u);
  EXPECT_EQ(tracker_->add(kBox), 2u);
  EXPECT_TRUE(tracker_->remove(2));
  EXPECT_FALSE(tracker_->remove(2));
  EXPECT_FALSE(tracker_->move(2, kBox));
  EXPECT_EQ(tracker_->add(kBox), 3u);
  const auto tracks = tracker_->process(frame());
  ASSERT_THAT(tracks, SizeIs(2));
  EXPECT_EQ(tracks[0].label, "first");
  EXPECT_EQ(tracks[0].age, 1u);
  EXPECT_EQ(tracks[1].id, 3u);
  tracker_->clear();
  EXPECT_FALSE(tracker_->remove(1));
  EXPECT_TRUE(tracker_->stats().targets.empty());
  EXPECT_EQ(tracker_->add(kBox), 4u);
  EXPECT_THAT(tracker_->process(frame()), SizeIs(1));
  tracker_->reset();
  EXPECT_THAT(tracker_->process(frame()), SizeIs(0));
  EXPECT_EQ(tracker_->stats().frames, 1u);
  EXPECT_EQ(tracker_->add(kBox), 1u);
}

// What depends on chance does not depend on ids.
TEST_P(Trackers, TakeIdsOfTheCaller) {
  const auto counting = GetParam().make();
  counting->add(kBox, "first");
  tracker_->add(9, kBox, "first");
  expect_rejected([&] { tracker_->add(9, kBox); }, {"the id 9"});
  counting->add(BoundingBox{90, 60, 30, 30});
  tracker_->add(4, BoundingBox{90, 60, 30, 30});
  for (int i = 0; i < 5; ++i) {
    const auto expected = counting->process(frame(i));
    const auto tracks = tracker_->process(frame(i));
    ASSERT_THAT(tracks, SizeIs(2));
    EXPECT_EQ(tracks[0].id, 4u);
    EXPECT_EQ(tracks[1].id, 9u);
    for (std::size_t t = 0; t < 2; ++t) {
      EXPECT_EQ(tracks[t].box, expected[1 - t].box);
      EXPECT_EQ(tracks[t].confidence, expected[1 - t].confidence);
      EXPECT_EQ(tracks[t].label, expected[1 - t].label);
    }
  }
  for (const TargetStats& target : tracker_->stats().targets) {
    EXPECT_THAT(target.id, testing::AnyOf(4u, 9u));
  }
  EXPECT_TRUE(tracker_->remove(9));
  EXPECT_THAT(tracker_->process(frame(5)), SizeIs(1));
}

TEST_P(Trackers, TakeSoManyTargetsAndNoMore) {
  const std::size_t most = GetParam().most_targets;
  for (std::size_t i = 0; i < most; ++i) tracker_->add(kBox);
  expect_rejected([&] { tracker_->add(kBox); }, {std::to_string(most)});
  EXPECT_TRUE(tracker_->remove(1));
  EXPECT_EQ(tracker_->add(kBox), most + 1);
}

TEST_P(Trackers, RejectWhatCannotBeTracked) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  tracker_->add(kBox);
  for (const BoundingBox& box :
       {BoundingBox{10, 10, 0, 0}, {10, 10, -30, 30}, {nan, 10, 30, 30}, {10, 10, 30, 7.9f}}) {
    expect_rejected([&] { tracker_->add(box); });
    expect_rejected([&] { tracker_->move(1, box); });
  }
  for (const Seed& seed : GetParam().refused) {
    expect_rejected([&] { tracker_->add(seed); }, {GetParam().instead});
  }
  expect_rejected([&] { tracker_->process({}); });
  expect_rejected(GetParam().make_bad, {"allowed"});
}

// Nothing is lost by it; a target that was moved is so on the next one.
TEST_P(Trackers, MayGiveUpAFrame) {
  const auto expected = GetParam().make();
  for (int i = 0; i < 8; ++i) {
    for (Tracker* tracker : {expected.get(), tracker_.get()}) {
      if (i == 0) tracker->add(kBox);
      if (i == 5) tracker->move(1, {50, 35, 40, 40});
    }
    Frame given_up = frame(20);
    std::stop_source stop;
    stop.request_stop();
    given_up.stop = stop.get_token();
    EXPECT_EQ(test::error_of([&] { tracker_->process(given_up); }).code(), ErrorCode::interrupted);
    const auto tracks = tracker_->process(frame(i)), wanted = expected->process(frame(i));
    ASSERT_TRUE(tracks[0].has_box()) << i;
    EXPECT_GT(overlap(tracks[0].box, wanted[0].box), 0.85f) << i;
    EXPECT_EQ(tracks[0].age, wanted[0].age) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, Trackers, testing::ValuesIn(kKinds),
                         [](const auto& kind) { return kind.param.name; });

}  // namespace
}  // namespace cltrack
