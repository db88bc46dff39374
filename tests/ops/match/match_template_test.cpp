// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/match/match_template.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "cltrack/error.h"
#include "ops/match/match_host.h"
#include "support/match_scenes.h"

namespace cltrack {
namespace {

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

class MatchTemplateTest : public testing::TestWithParam<MatchScene> {};

TEST_P(MatchTemplateTest, PlainScoresAreThoseOfTheDefinition) {
  const MatchScene& scene = GetParam();
  for (const Similarity similarity : kSimilarities) {
    const MatchTemplate pattern(scene.pattern.view(), similarity);
    Map map(scene, pattern, 3);
    match_map_plain(scene.plane.view(), pattern, map.scores.data(), map.stride);
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

TEST_P(MatchTemplateTest, PlainPlaceIsTheMapsMaximum) {
  const MatchScene& scene = GetParam();
  for (const Similarity similarity : kSimilarities) {
    const MatchTemplate pattern(scene.pattern.view(), similarity);
    Map map(scene, pattern, 0);
    match_map_plain(scene.plane.view(), pattern, map.scores.data(), map.stride);
    const MatchPlace best = best_match_plain(scene.plane.view(), pattern);
    EXPECT_EQ(best.score, *std::max_element(map.scores.begin(), map.scores.end()));
    EXPECT_EQ(best.score, map.at(best.x, best.y));
  }
}

TEST_P(MatchTemplateTest, VectorsGiveThePlainMap) {
  const MatchScene& scene = GetParam();
  for (const Similarity similarity : kSimilarities) {
    const MatchTemplate pattern(scene.pattern.view(), similarity);
    Map expected(scene, pattern, 2), map(scene, pattern, 2);
    match_map_plain(scene.plane.view(), pattern, expected.scores.data(), expected.stride);
    match_map_host(scene.plane.view(), pattern, map.scores.data(), map.stride);
    EXPECT_EQ(map.scores, expected.scores);
  }
}

TEST_P(MatchTemplateTest, EveryWayFindsThePlainPlace) {
  const MatchScene& scene = GetParam();
  for (const Similarity similarity : kSimilarities) {
    MatchTemplate pattern(scene.pattern.view(), similarity);
    const MatchPlace expected = best_match_plain(scene.plane.view(), pattern);
    for (const int threads : {1, 2}) {
      ThreadPool pool(threads);
      MatchScratch scratch;
      for (const MatchWay way : {MatchWay::by_size, MatchWay::direct, MatchWay::spectral}) {
        scratch.host().way = way;
        for (int repeat = 0; repeat < 2; ++repeat) {
          const MatchPlace place = best_match_host(scene.plane.view(), pattern, scratch, pool);
          EXPECT_EQ(place, expected)
              << place.x << ", " << place.y << ": " << place.score << " instead of " << expected.x
              << ", " << expected.y << ": " << expected.score << ", way " << static_cast<int>(way);
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Scenes, MatchTemplateTest, testing::ValuesIn(match_scenes()),
                         [](const auto& param) { return param.param.name; });

TEST(MatchTemplate, FlatOnesScoreZero) {
  const PaddedImage plane = test::flat_image(40, 30, 90);
  const PaddedImage pattern = test::noise_image(12, 10, 1);
  MatchTemplate textured(pattern.view(), Similarity::ncc);
  MatchScratch scratch;
  ThreadPool pool(1);
  for (const MatchWay way : {MatchWay::direct, MatchWay::spectral}) {
    scratch.host().way = way;
    EXPECT_EQ(best_match_host(plane.view(), textured, scratch, pool), (MatchPlace{0, 0, 0}));
  }
}

TEST(MatchTemplate, TargetIsFoundWhereItIs) {
  const PaddedImage plane = test::textured_image(300, 200, 6, 4);
  MatchScratch scratch;
  ThreadPool pool(2);
  for (const auto& [x, y] : {std::pair{0, 0}, {230, 150}, {117, 63}}) {
    for (const Similarity similarity : kSimilarities) {
      MatchTemplate pattern(test::cut_out(plane, x, y, 70, 50).view(), similarity);
      EXPECT_EQ(best_match_host(plane.view(), pattern, scratch, pool), (MatchPlace{x, y, 1}));
    }
  }
}

// One scratch and one template serve planes of changing size.
TEST(MatchTemplate, SizesMayChange) {
  const PaddedImage scene = test::textured_image(160, 120, 2, 9);
  MatchTemplate pattern(test::cut_out(scene, 30, 20, 24, 31, 9).view(), Similarity::ncc);
  MatchTemplate other(test::cut_out(scene, 60, 10, 17, 9, 9).view(), Similarity::cosine);
  MatchScratch scratch;
  scratch.host().way = MatchWay::spectral;
  ThreadPool pool(2);
  const ImageView all = scene.view();
  for (const auto& [left, top, width, height] :
       {std::tuple{0, 0, 160, 120}, {13, 7, 101, 88}, {29, 19, 30, 40}, {0, 0, 160, 120}}) {
    const ImageView part = {all.row(top) + left, width, height, all.stride};
    for (MatchTemplate* own : {&pattern, &other}) {
      if (own->height() > height || own->width() > width) continue;
      EXPECT_EQ(best_match_host(part, *own, scratch, pool), best_match_plain(part, *own));
    }
  }
}

TEST(MatchTemplate, LargestSumsDoNotOverflow) {
  const PaddedImage plane = test::flat_image(620, 520, 255);
  MatchScratch scratch;
  ThreadPool pool(2);
  for (const Similarity similarity : kSimilarities) {
    PaddedImage image = test::flat_image(615, 516, 255);
    image.at(9, 11) = 254;
    MatchTemplate pattern(image.view(), similarity);
    for (const MatchWay way : {MatchWay::direct, MatchWay::spectral}) {
      scratch.host().way = way;
      EXPECT_EQ(best_match_host(plane.view(), pattern, scratch, pool),
                best_match_plain(plane.view(), pattern));
    }
  }
}

TEST(MatchTemplate, LargerThanThePlaneIsAnError) {
  const PaddedImage plane = test::noise_image(20, 10, 1);
  MatchScratch scratch;
  ThreadPool pool(1);
  for (const auto& [width, height] : {std::pair{21, 10}, {20, 11}}) {
    MatchTemplate pattern(test::noise_image(width, height, 1).view(), Similarity::ncc);
    try {
      best_match_host(plane.view(), pattern, scratch, pool);
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
      EXPECT_THAT(error.what(), testing::HasSubstr("20x10"));
      EXPECT_THAT(error.what(), testing::HasSubstr(std::to_string(width) + "x"));
    }
  }
}

TEST(MatchTemplate, RejectsEmptyAndHugeOnes) {
  const std::vector<std::uint8_t> pixels(1 << 17);
  EXPECT_THROW(MatchTemplate({}, Similarity::ncc), Error);
  EXPECT_THROW(MatchTemplate({pixels.data(), 65537, 1, 65537}, Similarity::ncc), Error);
  EXPECT_THROW(MatchTemplate({pixels.data(), 1, 65537, 1}, Similarity::ncc), Error);
  EXPECT_THROW(MatchTemplate({pixels.data(), 4097, 2048, 1}, Similarity::ncc), Error);
}

}  // namespace
}  // namespace cltrack
