// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/match/best_match.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>

#include "support/devices.h"
#include "support/errors.h"
#include "support/match_scenes.h"
#include "support/match_search.h"

namespace cltrack {
namespace {

using test::expect_rejected;
using test::find_match;
using test::match_scenes;
using test::MatchScene;
using test::PaddedImage;

constexpr Similarity kSimilarities[] = {Similarity::ncc, Similarity::cosine};

double score_by_hand(const ImageView& plane, const ImageView& pattern, Similarity similarity,
                     int left, int top) {
  double mean_f = 0, mean_t = 0;
  const double n = pattern.width * static_cast<double>(pattern.height);
  if (similarity == Similarity::ncc) {
    for (int y = 0; y < pattern.height; ++y) {
      for (int x = 0; x < pattern.width; ++x) {
        mean_f += plane.at(left + x, top + y) / n;
        mean_t += pattern.at(x, y) / n;
      }
    }
  }
  double ff = 0, tt = 0, tf = 0;
  for (int y = 0; y < pattern.height; ++y) {
    for (int x = 0; x < pattern.width; ++x) {
      const double f = plane.at(left + x, top + y) - mean_f, t = pattern.at(x, y) - mean_t;
      ff += f * f;
      tt += t * t;
      tf += t * f;
    }
  }
  return ff < 1e-6 || tt < 1e-6 ? 0 : tf / std::sqrt(ff * tt);
}

struct Map {
  Map(const MatchScene& scene, const MatchTemplate& pattern, int padding)
      : width(scene.plane.width() - pattern.width() + 1),
        height(scene.plane.height() - pattern.height() + 1),
        stride(width + padding),
        scores(static_cast<std::size_t>(stride) * static_cast<std::size_t>(height), 7.0f) {}
  float at(int x, int y) const { return scores[static_cast<std::size_t>(y * stride + x)]; }

  int width, height, stride;
  std::vector<float> scores;
};

class BestMatchTest : public testing::TestWithParam<MatchScene> {};

TEST_P(BestMatchTest, ReferenceScoresAreThoseOfTheDefinition) {
  const MatchScene& scene = GetParam();
  for (const Similarity similarity : kSimilarities) {
    const MatchTemplate pattern(scene.pattern.view(), similarity);
    Map map(scene, pattern, 3);
    reference::match_map(scene.plane.view(), pattern, map.scores.data(), map.stride);
    for (int y = 0; y < map.height; ++y) {
      for (int x = 0; x < map.stride; ++x) {
        if (x >= map.width) {
          EXPECT_EQ(map.at(x, y), 7.0f);
        } else if ((x + y) % 5 == 0) {
          ASSERT_NEAR(map.at(x, y),
                      score_by_hand(scene.plane.view(), scene.pattern.view(), similarity, x, y),
                      1e-6)
              << x << ", " << y;
        }
      }
    }
  }
}

TEST_P(BestMatchTest, ReferencePlaceIsTheMapsMaximum) {
  const MatchScene& scene = GetParam();
  for (const Similarity similarity : kSimilarities) {
    const MatchTemplate pattern(scene.pattern.view(), similarity);
    Map map(scene, pattern, 0);
    reference::match_map(scene.plane.view(), pattern, map.scores.data(), map.stride);
    const MatchPlace best = reference::best_match(scene.plane.view(), pattern);
    EXPECT_EQ(best.score, *std::max_element(map.scores.begin(), map.scores.end()));
    EXPECT_EQ(best.score, map.at(best.x, best.y));
  }
}

TEST_P(BestMatchTest, VectorsGiveTheReferenceMap) {
  const MatchScene& scene = GetParam();
  for (const Similarity similarity : kSimilarities) {
    const MatchTemplate pattern(scene.pattern.view(), similarity);
    Map expected(scene, pattern, 2), map(scene, pattern, 2);
    reference::match_map(scene.plane.view(), pattern, expected.scores.data(), expected.stride);
    vector::match_map(scene.plane.view(), pattern, map.scores.data(), map.stride);
    EXPECT_EQ(map.scores, expected.scores);
  }
}

INSTANTIATE_TEST_SUITE_P(Scenes, BestMatchTest, testing::ValuesIn(match_scenes()),
                         [](const auto& param) { return param.param.name; });

TEST(BestMatch, FlatOnesScoreZero) {
  const PaddedImage plane = test::flat_image(40, 30, 90);
  const PaddedImage pattern = test::noise_image(12, 10, 1);
  MatchTemplate textured(pattern.view(), Similarity::ncc);
  MatchScratch scratch;
  const std::shared_ptr<Queue> queue = Device::host()->make_queue();
  for (const MatchMethod method : test::kMatchMethods) {
    EXPECT_EQ(find_match(*queue, plane.view(), textured, scratch, method), (MatchPlace{0, 0, 0}));
  }
}

TEST(BestMatch, TargetIsFoundWhereItIs) {
  const PaddedImage plane = test::textured_image(300, 200, 6, 4);
  MatchScratch scratch;
  const std::shared_ptr<Queue> queue = Device::host()->make_queue(2);
  for (const auto& [x, y] : {std::pair{0, 0}, {230, 150}, {117, 63}}) {
    for (const Similarity similarity : kSimilarities) {
      MatchTemplate pattern(test::cut_out(plane, x, y, 70, 50).view(), similarity);
      EXPECT_EQ(find_match(*queue, plane.view(), pattern, scratch), (MatchPlace{x, y, 1}));
    }
  }
}

// What a stop leaves behind may be half a spectrum.
TEST(BestMatch, AStoppedSearchKeepsNoSpectrum) {
  const PaddedImage scene = test::textured_image(160, 120, 2, 9);
  MatchTemplate pattern(test::cut_out(scene, 30, 20, 24, 31, 9).view(), Similarity::ncc);
  MatchScratch scratch;
  const std::shared_ptr<Queue> queue = Device::host()->make_queue(2);
  find_match(*queue, scene.view(), pattern, scratch, MatchMethod::spectral);
  EXPECT_NE(pattern.kept().host.width, 0);
  std::stop_source stop;
  stop.request_stop();
  queue->set_stop(stop.get_token());
  const ImageView part = {scene.view().data, 100, 100, scene.view().stride};
  EXPECT_THROW(find_match(*queue, part, pattern, scratch, MatchMethod::spectral), Error);
  EXPECT_EQ(pattern.kept().host.width, 0);
  queue->set_stop({});
  EXPECT_EQ(find_match(*queue, scene.view(), pattern, scratch, MatchMethod::spectral),
            reference::best_match(scene.view(), pattern));
}

TEST(MatchTemplate, RejectsEmptyAndHugeOnes) {
  const std::vector<std::uint8_t> pixels(1 << 17);
  for (const ImageView& view : {ImageView{},
                                {pixels.data(), 65537, 1, 65537},
                                {pixels.data(), 1, 65537, 1},
                                {pixels.data(), 4097, 2048, 1}}) {
    expect_rejected([&] { MatchTemplate(view, Similarity::ncc); });
  }
}

class BestMatchOnDevice : public test::DeviceTest {
 protected:
  MatchPlace search(const ImageView& view, MatchTemplate& pattern,
                    std::optional<MatchMethod> method = {}) {
    return find_match(*queue_, view, pattern, scratch_, method);
  }

  // On several threads, too, where the queue has them.
  void expect_equals_reference(std::optional<MatchMethod> method = {}) {
    for (const MatchScene& scene : match_scenes()) {
      for (const Similarity similarity : kSimilarities) {
        SCOPED_TRACE(scene.name + (similarity == Similarity::ncc ? ", ncc" : ", cosine"));
        MatchTemplate pattern(scene.pattern.view(), similarity);
        const MatchPlace expected = reference::best_match(scene.plane.view(), pattern);
        for (const int threads : {1, 1, 2}) {
          if (queue_->is_host()) queue_ = device_->make_queue(threads);
          EXPECT_EQ(search(scene.plane.view(), pattern, method), expected) << threads;
        }
      }
    }
  }

  MatchScratch scratch_;
};

// Another device may have another layout of spectra, and this one may have failed.
TEST_P(BestMatchOnDevice, AnotherDeviceNeedsNothingOfThisOne) {
  if (queue_->is_host()) GTEST_SKIP() << "the host is no device";
  const MatchScene scene = match_scenes().front();
  MatchTemplate pattern(scene.pattern.view(), Similarity::ncc);
  const MatchPlace expected = search(scene.plane.view(), pattern, MatchMethod::spectral);
  DeviceInfo info = queue_->device().info();
  info.unified_memory = !info.unified_memory;
  const std::shared_ptr<Queue> first = std::exchange(queue_, Device::open(info)->make_queue());
  ASSERT_NE(&first->device(), &queue_->device());
  scratch_ = {};
  const TransferCount before = first->count();
  const std::uint64_t position = first->position();
  EXPECT_EQ(search(scene.plane.view(), pattern, MatchMethod::spectral), expected);
  EXPECT_EQ(first->count(), before);
  EXPECT_EQ(first->position(), position);
}

TEST_P(BestMatchOnDevice, EqualsReference) { expect_equals_reference(); }
TEST_P(BestMatchOnDevice, DirectEqualsReference) { expect_equals_reference(MatchMethod::direct); }
TEST_P(BestMatchOnDevice, SpectralEqualsReference) {
  expect_equals_reference(MatchMethod::spectral);
}
// As on a device whose local memory has room for transforms of 40 values.
TEST_P(BestMatchOnDevice, LongTransformsEqualReference) {
  if (queue_->is_host()) GTEST_SKIP() << "the host has no local memory";
  DeviceInfo info = GetParam();
  info.local_memory = 4 * 256 + 16 * 40;
  queue_ = Device::open(info)->make_queue();
  ASSERT_EQ(queue_->device().info().local_memory, info.local_memory);
  expect_equals_reference(MatchMethod::spectral);
}

// One scratch and one template serve planes of changing size, parts of a picture among them.
TEST_P(BestMatchOnDevice, SubRectanglesOfChangingSizes) {
  if (queue_->is_host()) queue_ = device_->make_queue(2);
  const PaddedImage scene = test::textured_image(160, 120, 2, 9);
  MatchTemplate pattern(test::cut_out(scene, 30, 20, 24, 31, 9).view(), Similarity::ncc);
  MatchTemplate other(test::cut_out(scene, 60, 10, 17, 9, 9).view(), Similarity::cosine);
  for (const auto& [left, top, width, height] :
       {std::tuple{0, 0, 160, 120}, {13, 7, 101, 88}, {29, 19, 30, 40}, {0, 0, 160, 120}}) {
    const ImageView part = scene.part(left, top, width, height);
    for (MatchTemplate* own : {&pattern, &other}) {
      EXPECT_EQ(search(part, *own, MatchMethod::spectral), reference::best_match(part, *own));
    }
  }
}

TEST_P(BestMatchOnDevice, Extremes) {
  const MatchScene scene = test::largest_sums();
  for (const Similarity similarity : kSimilarities) {
    MatchTemplate pattern(scene.pattern.view(), similarity);
    const MatchPlace expected = reference::best_match(scene.plane.view(), pattern);
    for (const MatchMethod method : test::kMatchMethods) {
      EXPECT_EQ(search(scene.plane.view(), pattern, method), expected);
    }
  }
}

TEST_P(BestMatchOnDevice, RejectsTemplatesLargerThanThePlane) {
  const PaddedImage plane = test::noise_image(20, 10, 1);
  for (const auto& [width, height] : {std::pair{21, 3}, {21, 10}, {20, 11}}) {
    MatchTemplate pattern(test::noise_image(width, height, 1).view(), Similarity::ncc);
    expect_rejected([&] { search(plane.view(), pattern); },
                    {"20x10", std::to_string(pattern.width()) + "x"});
  }
}

CLTRACK_ON_EVERY_DEVICE(BestMatchOnDevice);

}  // namespace
}  // namespace cltrack
