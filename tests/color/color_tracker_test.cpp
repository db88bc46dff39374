// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cltrack/color_tracker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>

#include "color/color_finder.h"
#include "support/color_image.h"
#include "support/errors.h"

namespace cltrack {
namespace {

using test::ColorImage;
using test::expect_rejected;
using testing::HasSubstr;

using Color = std::array<std::uint8_t, 3>;
constexpr Color kGrey = {110, 110, 110};
constexpr Color kRed = {210, 20, 25};
constexpr Color kBlue = {20, 40, 200};

struct Box {
  int x, y, width, height;
  Color color;
};

// A scene of boxes on one background, in packed RGB.
class Scene {
 public:
  explicit Scene(const std::vector<Box>& boxes, Color background = kGrey)
      : image_(test::color_formats()[9], 320, 240) {
    image_.fill_box(0, 0, 320, 240, background);
    for (const Box& b : boxes) image_.fill_box(b.x, b.y, b.width, b.height, b.color);
  }
  Frame frame() const {
    Frame frame;
    frame.color = image_.picture();
    return frame;
  }

 private:
  ColorImage image_;
};

const ColorModel& red() {
  static const ColorModel model({.hue_min = 345, .hue_max = 15, .saturation_min = 0.5f});
  return model;
}
const ColorModel& blue() {
  static const ColorModel model({.hue_min = 210, .hue_max = 250, .saturation_min = 0.5f});
  return model;
}

std::vector<Track> process(Tracker& tracker, const Scene& scene) {
  const auto tracks = tracker.process(scene.frame());
  return {tracks.begin(), tracks.end()};
}

TEST(ColorTracker, LocatesEachColour) {
  const auto tracker = make_color_tracker();
  EXPECT_EQ(tracker->add(red(), "r"), 1u);
  EXPECT_EQ(tracker->add(blue(), "b"), 2u);
  const auto tracks = process(*tracker, Scene({{10, 20, 30, 40, kBlue}, {100, 50, 21, 11, kRed}}));
  ASSERT_EQ(tracks.size(), 2u);
  EXPECT_EQ(tracks[0].label, "r");
  EXPECT_EQ(tracks[0].box, (BoundingBox{100, 50, 21, 11}));
  EXPECT_EQ(tracks[0].extent->area, 21u * 11u);
  EXPECT_FLOAT_EQ(tracks[0].extent->centroid.x, 110);
  EXPECT_FLOAT_EQ(tracks[0].extent->centroid.y, 55);
  EXPECT_EQ(tracks[0].state, TrackState::tracking);
  EXPECT_EQ(tracks[1].box, (BoundingBox{10, 20, 30, 40}));
}

TEST(ColorTracker, AnObjectThatLeavesIsLostAndFoundAgainUnderItsId) {
  const auto tracker = make_color_tracker();
  tracker->add(red());
  EXPECT_EQ(process(*tracker, Scene({{100, 50, 20, 20, kRed}}))[0].state, TrackState::tracking);
  const auto gone = process(*tracker, Scene({}));
  EXPECT_EQ(gone[0].state, TrackState::lost);
  EXPECT_STREQ(gone[0].reason, "area");
  EXPECT_EQ(gone[0].box, BoundingBox{});
  EXPECT_EQ(gone[0].confidence, 0);
  const auto back = process(*tracker, Scene({{200, 150, 20, 20, kRed}}));
  EXPECT_EQ(back[0].state, TrackState::tracking);
  EXPECT_EQ(back[0].id, 1u);
  EXPECT_EQ(back[0].age, 3u);
}

TEST(ColorTracker, FewPixelsAreNoObject) {
  const auto tracker = make_color_tracker({.minimum_area = 100});
  tracker->add(red());
  EXPECT_EQ(process(*tracker, Scene({{100, 50, 9, 11, kRed}}))[0].state, TrackState::lost);
  EXPECT_EQ(process(*tracker, Scene({{100, 50, 10, 10, kRed}}))[0].state, TrackState::tracking);
}

TEST(ColorTracker, HalfHiddenIsUncertain) {
  const auto tracker = make_color_tracker();
  tracker->add(red());
  for (int i = 0; i < 5; ++i) process(*tracker, Scene({{100, 50, 40, 40, kRed}}));
  const auto tracks = process(*tracker, Scene({{100, 50, 8, 40, kRed}}));
  EXPECT_EQ(tracks[0].state, TrackState::uncertain);
  EXPECT_LT(tracks[0].confidence, 0.25f);
  EXPECT_TRUE(tracks[0].has_box());
}

TEST(ColorTracker, WithoutConnectivityAllOfAColourIsOneObject) {
  const auto tracker = make_color_tracker();
  tracker->add(blue());
  const auto tracks =
      process(*tracker, Scene({{10, 10, 20, 20, kBlue}, {200, 100, 20, 20, kBlue}}));
  ASSERT_EQ(tracks.size(), 1u);
  EXPECT_EQ(tracks[0].box, (BoundingBox{10, 10, 210, 110}));
  EXPECT_EQ(tracks[0].extent->area, 800u);
}

TEST(ColorTracker, OneBlobGoesOnFromWhereItWas) {
  const auto tracker = make_color_tracker({.blobs = 1});
  tracker->add(blue());
  // The other one is larger, and comes later.
  process(*tracker, Scene({{50, 50, 20, 20, kBlue}}));
  for (int i = 1; i < 20; ++i) {
    const auto tracks =
        process(*tracker, Scene({{50 + 5 * i, 50, 20, 20, kBlue}, {40, 150, 60, 60, kBlue}}));
    ASSERT_EQ(tracks.size(), 1u);
    EXPECT_EQ(tracks[0].box.x, static_cast<float>(50 + 5 * i));
  }
}

TEST(ColorTracker, SeveralBlobsHaveIdsOfTheirOwn) {
  const auto tracker = make_color_tracker({.blobs = 3});
  tracker->add(blue(), "cap");
  const Box a{20, 20, 20, 20, kBlue}, b{100, 20, 24, 24, kBlue}, c{200, 20, 20, 20, kBlue};
  auto tracks = process(*tracker, Scene({a, b, c}));
  ASSERT_EQ(tracks.size(), 3u);
  std::set<std::uint64_t> ids;
  for (const Track& track : tracks) {
    EXPECT_EQ(track.state, TrackState::tracking);
    EXPECT_EQ(track.label, "cap");
    ids.insert(track.id);
  }
  EXPECT_EQ(ids, (std::set<std::uint64_t>{1, 2, 3}));
  const std::uint64_t middle = tracks[0].box.x == 100 ? tracks[0].id : 0;
  EXPECT_EQ(middle, 1u) << "the largest one comes first";

  // One is taken away, and put back.
  tracks = process(*tracker, Scene({a, c}));
  int present = 0;
  for (const Track& track : tracks) present += track.has_box();
  EXPECT_EQ(present, 2);
  EXPECT_EQ(tracks[0].state, TrackState::lost);
  tracks = process(*tracker, Scene({a, {110, 30, 24, 24, kBlue}, c}));
  EXPECT_EQ(tracks[0].id, 1u);
  EXPECT_EQ(tracks[0].box.x, 110);
  // No more than asked for.
  tracks = process(*tracker, Scene({a, b, c, {20, 200, 20, 20, kBlue}}));
  EXPECT_EQ(tracks.size(), 3u);
}

TEST(ColorTracker, LearnsAColourFromABox) {
  const auto tracker = make_color_tracker();
  tracker->add({95, 45, 30, 30}, "learnt");
  auto tracks = process(*tracker, Scene({{100, 50, 20, 20, kRed}, {10, 10, 20, 20, kBlue}}));
  EXPECT_EQ(tracks[0].box, (BoundingBox{100, 50, 20, 20}));
  tracks = process(*tracker, Scene({{150, 90, 20, 20, kRed}, {10, 10, 20, 20, kBlue}}));
  EXPECT_EQ(tracks[0].box, (BoundingBox{150, 90, 20, 20}));
}

TEST(ColorTracker, ABoxThatShowsNothingOfItsOwnStaysLost) {
  const auto tracker = make_color_tracker();
  tracker->add({95, 45, 30, 30});
  EXPECT_EQ(process(*tracker, Scene({}))[0].state, TrackState::lost);
  EXPECT_EQ(process(*tracker, Scene({{100, 50, 20, 20, kRed}}))[0].state, TrackState::lost);
}

TEST(ColorTracker, LowLightAndASimilarBackground) {
  const auto tracker = make_color_tracker();
  tracker->add({100, 50, 20, 20});
  // Dark red on dark brown.
  constexpr Color object = {70, 12, 14}, background = {60, 42, 30};
  auto tracks = process(*tracker, Scene({{100, 50, 20, 20, object}}, background));
  EXPECT_EQ(tracks[0].box, (BoundingBox{100, 50, 20, 20}));
  tracks = process(*tracker, Scene({{120, 70, 20, 20, {60, 10, 14}}}, background));
  EXPECT_EQ(tracks[0].box, (BoundingBox{120, 70, 20, 20}));
}

TEST(ColorTracker, ChangesOfSizeCarryOn) {
  const auto tracker = make_color_tracker({.blobs = 2});
  tracker->add(red());
  process(*tracker, Scene({{100, 50, 20, 20, kRed}, {200, 50, 20, 20, kRed}}));
  ColorImage larger(test::color_formats()[9], 640, 480);
  larger.fill_box(0, 0, 640, 480, kGrey);
  larger.fill_box(400, 100, 40, 40, kRed);
  larger.fill_box(200, 100, 40, 40, kRed);
  Frame frame;
  frame.color = larger.picture();
  const auto tracks = tracker->process(frame);
  EXPECT_EQ(tracks[0].box.x, 200);
  EXPECT_EQ(tracks[0].state, TrackState::tracking);
  EXPECT_EQ(tracks[1].box.x, 400);
}

TEST(ColorTracker, TrailsSayWhereObjectsWere) {
  for (const int blobs : {0, 2}) {
    const auto tracker = make_color_tracker({.blobs = blobs, .trail = 3});
    tracker->add(red());
    tracker->add(blue());
    const auto at = [&](int i) {
      return process(*tracker, Scene({{20 + 10 * i, 30, 21, 11, kRed}, {200, 100, 21, 11, kBlue}}));
    };
    for (int i = 0; i < 5; ++i) {
      const auto tracks = at(i);
      std::vector<TrackPoint> expected;
      for (int f = std::max(0, i - 2); f <= i; ++f) {
        expected.push_back({static_cast<float>(30 + 10 * f), 35});
      }
      EXPECT_EQ(std::vector(tracks[0].extent->trail.begin(), tracks[0].extent->trail.end()),
                expected);
      EXPECT_EQ(tracks[1].extent->trail.size(), expected.size());
      EXPECT_EQ(tracks[1].extent->trail.back(), (TrackPoint{210, 105}));
    }
    process(*tracker, Scene({}));
    EXPECT_EQ(at(5)[0].extent->trail.size(), 1u) << "what was lost begins anew";
  }
  const auto without = make_color_tracker();
  without->add(red());
  EXPECT_TRUE(process(*without, Scene({{20, 30, 21, 11, kRed}}))[0].extent->trail.empty());
}

TEST(ColorTracker, ThreadsChangeNothing) {
  const auto one = make_color_tracker({.threads = 1});
  const auto many = make_color_tracker({.threads = 7});
  ColorImage image(test::color_formats()[1], 321, 243, 5);
  for (Tracker* tracker : {one.get(), many.get()}) {
    tracker->add(red());
    tracker->add(blue());
  }
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    image.fill_noise(seed);
    Frame frame;
    frame.color = image.picture();
    const auto a = one->process(frame);
    const auto b = many->process(frame);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      EXPECT_EQ(a[i].box, b[i].box);
      EXPECT_EQ(a[i].extent->area, b[i].extent->area);
      EXPECT_EQ(a[i].extent->centroid.x, b[i].extent->centroid.x);
      EXPECT_GT(a[i].extent->area, 0u);
    }
  }
}

TEST(ColorTracker, RejectsWhatIsNotAllowed) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  for (const ColorConfig& config :
       {ColorConfig{.minimum_area = 0}, {.blobs = 17}, {.reach = nan}}) {
    expect_rejected([&] { make_color_tracker(config); });
  }
}

constexpr Box kLeft = {20, 30, 20, 20, kBlue};
constexpr Box kRight = {200, 30, 16, 16, kBlue};

BoundingBox box_of(const Box& box) {
  return {static_cast<float>(box.x), static_cast<float>(box.y), static_cast<float>(box.width),
          static_cast<float>(box.height)};
}

TEST(ColorTracker, AMovedObjectIsTheNearestBlob) {
  const auto tracker = make_color_tracker({.blobs = 1, .trail = 3});
  tracker->add(blue());
  const Scene scene({kLeft, kRight});
  for (int i = 0; i < 3; ++i) EXPECT_EQ(process(*tracker, scene)[0].box, box_of(kLeft));
  EXPECT_TRUE(tracker->move(1, {180, 20, 40, 40}));
  EXPECT_FALSE(tracker->move(2, {180, 20, 40, 40}));
  for (std::size_t i = 0; i < 3; ++i) {
    const Track track = process(*tracker, scene)[0];
    EXPECT_EQ(track.box, box_of(kRight)) << i;
    EXPECT_EQ(track.extent->trail.size(), i + 1) << "without a line between the two";
    EXPECT_EQ(track.age, i + 4);
  }
}

TEST(ColorTracker, AMovedObjectTakesTheBlobOfAnotherTrack) {
  const auto tracker = make_color_tracker({.blobs = 2});
  tracker->add(blue());
  const Scene scene({kLeft, kRight});
  const auto before = process(*tracker, scene);
  ASSERT_EQ(before.size(), 2u);
  EXPECT_EQ(before[0].box, box_of(kLeft));
  tracker->move(1, box_of(kRight));
  for (int i = 0; i < 2; ++i) EXPECT_EQ(process(*tracker, scene)[0].box, box_of(kRight)) << i;
}

TEST(ColorTracker, AMoveToAFrameWithoutTheColourSaysWhereItComesBack) {
  const auto tracker = make_color_tracker({.blobs = 1});
  tracker->add(blue());
  process(*tracker, Scene({kLeft}));
  tracker->move(1, box_of(kRight));
  EXPECT_EQ(process(*tracker, Scene({}))[0].state, TrackState::lost);
  EXPECT_EQ(process(*tracker, Scene({kLeft, kRight}))[0].box, box_of(kRight));
}

TEST(ColorTracker, MovesThatAreNone) {
  const auto tracker = make_color_tracker({.blobs = 1});
  tracker->add(blue());
  const Scene scene({kLeft, kRight});
  process(*tracker, scene);
  tracker->move(1, {1000, 30, 20, 20});
  EXPECT_EQ(process(*tracker, scene)[0].box, box_of(kLeft));
  EXPECT_THAT(tracker->take_warnings(), testing::ElementsAre(HasSubstr("object 1 is not moved")));

  const auto without_blobs = make_color_tracker();
  without_blobs->add(blue());
  expect_rejected([&] { without_blobs->move(1, box_of(kLeft)); }, {"blobs=0"});
}

TEST(ColorTracker, AnObjectThatCouldNotBeLearntIsLearntWhereItIsMovedTo) {
  const auto tracker = make_color_tracker({.blobs = 1});
  tracker->add({1000, 1000, 20, 20});
  const Scene scene({{40, 30, 30, 30, kRed}});
  EXPECT_EQ(process(*tracker, scene)[0].state, TrackState::lost);
  tracker->move(1, {40, 30, 30, 30});
  EXPECT_EQ(process(*tracker, scene)[0].box, (BoundingBox{40, 30, 30, 30}));
}

// The box is where the object is on the frame that comes, whatever size frames had before.
TEST(ColorTracker, ABoxIsGivenInTheFrameThatComes) {
  const auto tracker = make_color_tracker();
  tracker->add(red());
  ColorImage large(test::color_formats()[9], 640, 480);
  large.fill_box(0, 0, 640, 480, kGrey);
  Frame frame;
  frame.color = large.picture();
  tracker->process(frame);
  tracker->add({40, 30, 30, 30});
  EXPECT_EQ(process(*tracker, Scene({{40, 30, 30, 30, kBlue}}))[1].box,
            (BoundingBox{40, 30, 30, 30}));
}

// There is no less work than all.
TEST(ColorTracker, EffortsAreAllTheSame) {
  for (const DeviceInfo& device : list_devices()) {
    ColorConfig config;
    config.placement.device = device.spec;
    const auto tracker = make_color_tracker(config);
    tracker->add(red());
    for (const Effort effort : {Effort::full, Effort::near, Effort::motion, Effort::motion}) {
      const Scene scene({{40, 50, 20, 30, kRed}});
      Frame frame = scene.frame();
      frame.effort = effort;
      const Track& track = tracker->process(frame).front();
      EXPECT_EQ(track.state, TrackState::tracking);
      EXPECT_EQ(track.box, (BoundingBox{40, 50, 20, 30}));
    }
  }
}

ColorBlob blob_at(int x, int y, std::uint64_t area = 100) {
  return {1,
          {.count = area,
           .sum_x = area * static_cast<std::uint64_t>(x),
           .sum_y = area * static_cast<std::uint64_t>(y),
           .left = x,
           .top = y,
           .right = x + 1,
           .bottom = y + 1}};
}

using Matches = std::vector<int>;

TEST(MatchBlobs, TheNearestPairGoesFirst) {
  const std::vector<ExpectedBlob> expected = {{{100, 0}, 50, false}, {{120, 0}, 50, false}};
  // Both are nearest to the first one; the second one is left the other.
  const std::vector<ColorBlob> blobs = {blob_at(95, 0), blob_at(101, 0)};
  EXPECT_EQ(match_blobs(expected, blobs), (Matches{1, 0}));
}

TEST(MatchBlobs, OutOfReachIsNotTheSame) {
  const std::vector<ExpectedBlob> expected = {{{100, 0}, 20, false}};
  EXPECT_EQ(match_blobs(expected, std::vector{blob_at(121, 0)}), Matches{kNoBlob});
  EXPECT_EQ(match_blobs(expected, std::vector{blob_at(119, 0)}), Matches{0});
}

TEST(MatchBlobs, LostOnesTakeTheLargestOfTheRest) {
  const std::vector<ExpectedBlob> expected = {
      {{100, 0}, 20, false}, {{300, 0}, 0, true}, {{500, 0}, 0, true}};
  const std::vector<ColorBlob> blobs = {blob_at(480, 0, 50), blob_at(105, 0), blob_at(460, 0, 90),
                                        blob_at(10, 0, 10)};
  // The larger one goes to the nearest lost object, what is left to the other.
  EXPECT_EQ(match_blobs(expected, blobs), (Matches{1, 0, 2}));
}

TEST(MatchBlobs, TiesGoToTheLowerIndex) {
  const std::vector<ExpectedBlob> expected = {{{100, 0}, 20, false}, {{100, 0}, 20, false}};
  EXPECT_EQ(match_blobs(expected, std::vector{blob_at(100, 0), blob_at(100, 0)}), (Matches{0, 1}));
}

TEST(MatchBlobs, NothingToMatch) {
  EXPECT_TRUE(match_blobs({}, std::vector{blob_at(1, 1)}).empty());
  EXPECT_EQ(match_blobs(std::vector<ExpectedBlob>(2), {}), (Matches{kNoBlob, kNoBlob}));
}

}  // namespace
}  // namespace cltrack
