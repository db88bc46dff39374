// SPDX-License-Identifier: LGPL-2.1-or-later
// Where template matching finds targets again.
#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "cltrack/template_tracker.h"
#include "match/frame_search.h"
#include "match/window_search.h"
#include "support/devices.h"
#include "support/match_scenes.h"
#include "support/scene.h"

namespace cltrack {
namespace {

constexpr int kWidth = 320, kHeight = 240;
constexpr BoundingBox kLeft = {40, 80, 48, 40};
constexpr BoundingBox kRight = {230, 150, 48, 40};
const Polygon kLeftHalf = {{0, 0}, {0.5f, 0}, {0.5f, 1}, {0, 1}};
const Polygon kRightHalf = {{0.5f, 0}, {1, 0}, {1, 1}, {0.5f, 1}};
// As a polygon that what surrounds it is no help with, and as one that is ignored.
const std::vector<SearchRegion> kLeftRegions = {
    {.within = {kLeftHalf}, .ignored = {}},
    {.within = {{{0, 0}, {0.5f, 0}, {0.5f, 0.99f}, {1, 1}, {0, 1}}}, .ignored = {}},
    {.within = {}, .ignored = {kRightHalf}}};

// Targets at both places look the same.
test::PaddedImage both(test::Scene& scene) {
  const Frame frame = scene.draw(kLeft);
  test::PaddedImage picture(kWidth, kHeight);
  picture.fill([&](int x, int y) {
    const int left = x - static_cast<int>(kRight.x), top = y - static_cast<int>(kRight.y);
    const bool is_copy = left >= 0 && left < 48 && top >= 0 && top < 40;
    return is_copy
               ? frame.luma.at(static_cast<int>(kLeft.x) + left, static_cast<int>(kLeft.y) + top)
               : frame.luma.at(x, y);
  });
  return picture;
}

// After `frames` frames on which it was hidden.
std::unique_ptr<Tracker> lost_tracker(test::Scene& scene, int frames, TemplateConfig config = {}) {
  auto tracker = make_template_tracker(config);
  tracker->add({100, 80, 48, 40});
  tracker->process(scene.draw(BoundingBox{100, 80, 48, 40}));
  for (int i = 0; i < frames; ++i) tracker->process(scene.draw(std::nullopt));
  return tracker;
}

TEST(TemplateRegion, TargetsAreFoundAgainWithinItAlone) {
  for (const SearchRegion& region : kLeftRegions) {
    test::Scene scene(kWidth, kHeight, 3);
    for (const int frames : {5, 30}) {  // the window alone, the whole frame
      const auto tracker = lost_tracker(scene, frames);
      tracker->set_search_region(region);
      for (int i = 0; i < 5; ++i) {
        EXPECT_FALSE(tracker->process(scene.draw(kRight)).front().has_box()) << i;
      }
      EXPECT_GT(overlap(tracker->process(scene.draw(kLeft)).front().box, kLeft), 0.8f);
    }
    const auto tracker = lost_tracker(scene, 30);
    tracker->set_search_region(region);
    EXPECT_FALSE(tracker->process(scene.draw(kRight)).front().has_box());
    tracker->set_search_region({});
    EXPECT_GT(overlap(tracker->process(scene.draw(kRight)).front().box, kRight), 0.8f);
  }
}

// Of two that look alike none is found again, but what is outside does not count.
TEST(TemplateRegion, LookAlikesOutsideDoNotCount) {
  test::Scene scene(kWidth, kHeight, 3);
  const test::PaddedImage picture = both(scene);
  for (const SearchRegion& region : kLeftRegions) {
    const auto tracker = lost_tracker(scene, 30);
    EXPECT_FALSE(tracker->process({.luma = picture.view()}).front().has_box());
    tracker->set_search_region(region);
    EXPECT_GT(overlap(tracker->process({.luma = picture.view()}).front().box, kLeft), 0.8f);
  }
}

TEST(TemplateRegion, TargetsThatAreFollowedMayLeaveIt) {
  test::Scene scene(kWidth, kHeight, 3);
  const auto tracker = lost_tracker(scene, 0);
  tracker->set_search_region({.within = {{{0, 0}, {0.1f, 0}, {0, 0.1f}}}, .ignored = {}});
  for (int i = 1; i < 20; ++i) {
    const BoundingBox box = {100 + 4 * static_cast<float>(i), 80, 48, 40};
    EXPECT_GT(overlap(tracker->process(scene.draw(box)).front().box, box), 0.8f) << i;
  }
}

TEST(TemplateRegion, HoldsForWholeFrames) {
  test::Scene scene(kWidth, kHeight, 3);
  const auto tracker = lost_tracker(scene, 0, {.search = TemplateSearch::frame});
  for (const SearchRegion& region : kLeftRegions) {
    tracker->set_search_region(region);
    const Track elsewhere = tracker->process(scene.draw(kRight)).front();
    EXPECT_LT(elsewhere.confidence, 0.7f);  // the best of the background
    EXPECT_TRUE(region.contains(elsewhere.box, kWidth, kHeight));
    EXPECT_GT(overlap(tracker->process(scene.draw(kLeft)).front().box, kLeft), 0.9f);
  }
}

TEST(TemplateRegion, MayReachFarBeyondThePicture) {
  test::Scene scene(kWidth, kHeight, 3);
  const auto tracker = lost_tracker(scene, 30);
  constexpr float far = 1e12f;  // times the picture's size does not fit into an int
  tracker->set_search_region(
      {.within = {{{-far, -far}, {far, -far}, {far, far}, {-far, far}}}, .ignored = {}});
  EXPECT_GT(overlap(tracker->process(scene.draw(kLeft)).front().box, kLeft), 0.8f);
}

// With one place of each size that is not there, and with none at all.
TEST(TemplateRegion, MayHaveNoPlace) {
  test::Scene scene(kWidth, kHeight, 3);
  for (const Polygon& nowhere :
       {Polygon{}, Polygon{{2, 2}, {3, 2}, {2, 3}}, Polygon{{0, 0}, {1e-5f, 0}, {0, 1e-5f}}}) {
    for (const auto search : {TemplateSearch::window, TemplateSearch::frame}) {
      const auto tracker = lost_tracker(scene, 30, {.search = search});
      tracker->set_search_region({.within = {nowhere}, .ignored = {}});
      EXPECT_FALSE(tracker->process(scene.draw(kLeft)).front().has_box());
    }
  }
}

// All places, one by one.
MatchPlace expected_place(const ImageView& picture, MatchTemplate& pattern,
                          const SearchRegion& region) {
  const int columns = picture.width - pattern.width() + 1;
  const int rows = picture.height - pattern.height() + 1;
  std::vector<float> scores(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows));
  vector::match_map(picture, pattern, scores.data(), columns);
  MatchPlace best{.x = 0, .y = 0, .score = -2};
  for (int y = 0; y < rows; ++y) {
    for (int x = 0; x < columns; ++x) {
      const float score = scores[static_cast<std::size_t>(y * columns + x)];
      const BoundingBox box = {static_cast<float>(x), static_cast<float>(y),
                               static_cast<float>(pattern.width()),
                               static_cast<float>(pattern.height())};
      if (score > best.score && region.contains(box, picture.width, picture.height)) {
        best = {.x = x, .y = y, .score = score};
      }
    }
  }
  return best;
}

class TemplateRegionOn : public test::DeviceTest {};

TEST_P(TemplateRegionOn, HasTheBestPlace) {
  constexpr int width = 161, height = 97;
  const test::PaddedImage picture = test::textured_image(width, height, 5, 7);
  const TemplateConfig config;
  FrameSearch host(config, Device::host()->make_queue()), search(config, queue_);
  std::vector<SearchRegion> regions = kLeftRegions;
  regions.push_back({});
  regions.push_back(
      {.within = {{{0.4f, 0.3f}, {0.9f, 0.3f}, {0.9f, 0.8f}, {0.4f, 0.8f}}}, .ignored = {}});
  regions.push_back({.within = {}, .ignored = {{{0.3f, 0.3f}, {0.8f, 0.3f}, {0.5f, 0.9f}}}});
  for (const SearchRegion& region : regions) {
    host.set_region(region);
    search.set_region(region);
    for (const int x : {3, 70, 120}) {  // left, in the middle and right
      SCOPED_TRACE(x);
      const test::PaddedImage shown = test::cut_out(picture, x, 41, 19, 23);
      MatchTemplate pattern(shown.view(), Similarity::ncc);
      const auto place = search.best_place(picture.view(), pattern);
      ASSERT_TRUE(place);
      const BoundingBox box = {static_cast<float>(place->x), static_cast<float>(place->y), 19, 23};
      EXPECT_TRUE(region.contains(box, width, height));
      if (region.contains({static_cast<float>(x), 41, 19, 23}, width, height)) {
        const MatchPlace expected = expected_place(picture.view(), pattern, region);
        EXPECT_EQ(place->x, expected.x);
        EXPECT_EQ(place->y, expected.y);
      }
      const auto same = host.best_place(picture.view(), pattern);
      ASSERT_TRUE(same);
      EXPECT_EQ(place->x, same->x);
      EXPECT_EQ(place->y, same->y);
      EXPECT_EQ(place->score, same->score);
    }
  }
}

CLTRACK_ON_EVERY_DEVICE(TemplateRegionOn);

ScoreMap map_of(int width, int height, auto&& score) {
  ScoreMap map;
  map.resize(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x)
      map.row(y)[x] = score(static_cast<float>(x), static_cast<float>(y));
  }
  return map;
}

TEST(ScorePeaks, BestFirstAndApart) {
  ScoreMap map = map_of(20, 10, [](float, float) { return 0.0f; });
  map.row(3)[4] = 0.9f;
  map.row(3)[5] = 0.8f;  // on the flank of the first one
  map.row(7)[15] = 0.7f;
  const auto peaks = find_peaks(map, 2, 3, 3);
  ASSERT_EQ(peaks.size(), 2u);
  EXPECT_EQ(peaks[0].x, 4);
  EXPECT_EQ(peaks[0].y, 3);
  EXPECT_EQ(peaks[1].x, 15);
  EXPECT_EQ(peaks[1].y, 7);
  EXPECT_EQ(peaks[1].score, 0.7f);
}

TEST(ScorePeaks, AmongEqualsTheFirst) {
  const ScoreMap map = map_of(5, 4, [](float, float) { return 0.5f; });
  const auto peaks = find_peaks(map, 5, 10, 10);
  ASSERT_EQ(peaks.size(), 1u) << "all others are near";
  EXPECT_EQ(peaks[0].x, 0);
  EXPECT_EQ(peaks[0].y, 0);
}

TEST(ScorePeaks, ASurfaceOfSecondDegreeHasItsTopBetweenPlaces) {
  const ScoreMap map = map_of(9, 9, [](float x, float y) {
    const float dx = x - 4.3f, dy = y - 3.8f;
    return 1 - 0.02f * dx * dx - 0.03f * dy * dy - 0.01f * dx * dy;
  });
  const Peak peak = refined_peak(map);
  EXPECT_NEAR(peak.x, 4.3f, 1e-3f);
  EXPECT_NEAR(peak.y, 3.8f, 1e-3f);
}

TEST(ScorePeaks, AtTheEdgeItStaysWhereItIs) {
  const ScoreMap map = map_of(5, 5, [](float x, float y) { return x + y; });
  const Peak peak = refined_peak(map);
  EXPECT_EQ(peak.x, 4);
  EXPECT_EQ(peak.y, 4);
}

}  // namespace
}  // namespace cltrack
