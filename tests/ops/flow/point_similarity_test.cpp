// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/flow/point_flow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/random.h"
#include "support/test_image.h"

namespace cltrack {
namespace {

using test::noise_image;
using test::PaddedImage;

// Brightness at any place, bilinear, the border repeated.
double brightness(const ImageView& image, double x, double y) {
  const auto pixel = [&](double u, double v) -> double {
    return image.at(std::clamp(static_cast<int>(u), 0, image.width - 1),
                    std::clamp(static_cast<int>(v), 0, image.height - 1));
  };
  const double u = std::floor(x), v = std::floor(y);
  const double upper = std::lerp(pixel(u, v), pixel(u + 1, v), x - u);
  return std::lerp(upper, std::lerp(pixel(u, v + 1), pixel(u + 1, v + 1), x - u), y - v);
}

double exact_similarity(const ImageView& a, const Point& pa, const ImageView& b, const Point& pb) {
  double sa = 0, sb = 0, aa = 0, bb = 0, ab = 0;
  for (double y = -4.5; y < 5; ++y) {
    for (double x = -4.5; x < 5; ++x) {
      const double va = brightness(a, pa.x + x, pa.y + y);
      const double vb = brightness(b, pb.x + x, pb.y + y);
      sa += va;
      sb += vb;
      aa += va * va;
      bb += vb * vb;
      ab += va * vb;
    }
  }
  const double spreads = (100 * aa - sa * sa) * (100 * bb - sb * sb);
  return spreads > 1 ? (100 * ab - sa * sb) / std::sqrt(spreads) : 0;  // a corner repeated is flat
}

TEST(PointSimilarity, OfTheSameOfOppositesAndOfFlatPictures) {
  const PaddedImage image = noise_image(40, 30, 1, 3);
  const PaddedImage negative =
      PaddedImage(40, 30).fill([&](int x, int y) { return 255 - image.view().at(x, y); });
  const PaddedImage flat = PaddedImage(40, 30).fill([](int, int) { return 77; });
  const Point p = {20.25f, 15.5f};
  EXPECT_FLOAT_EQ(reference::point_similarity(image.view(), p, image.view(), p), 1);
  EXPECT_FLOAT_EQ(reference::point_similarity(image.view(), p, negative.view(), p), -1);
  EXPECT_EQ(reference::point_similarity(image.view(), p, flat.view(), p), 0);
  EXPECT_EQ(reference::point_similarity(flat.view(), p, image.view(), p), 0);
}

TEST(PointSimilarity, AgreesWithFloatingPointAlsoBeyondTheBorder) {
  const PaddedImage a = noise_image(64, 48, 2, 1);
  const PaddedImage b = PaddedImage(64, 48).fill([&, random = Random(4)](int x, int y) mutable {
    return (a.view().at(x, y) + random.below(128)) / 2;
  });
  Random random(3);
  for (int i = 0; i < 300; ++i) {
    const Point p = {random.uniform(-8, 72), random.uniform(-8, 56)};
    const Point q = {p.x + random.uniform(-1, 1), p.y + random.uniform(-1, 1)};
    EXPECT_NEAR(reference::point_similarity(a.view(), p, b.view(), q),
                exact_similarity(a.view(), p, b.view(), q), 3e-4)
        << p.x << " " << p.y;
    EXPECT_EQ(reference::point_similarity(a.view(), p, b.view(), q),
              vector::point_similarity(a.view(), p, b.view(), q));
  }
}

TEST(PointSimilarity, TakesTinyPicturesAndPointsFarOutside) {
  const PaddedImage tiny = noise_image(3, 2, 7);
  const PaddedImage white = PaddedImage(64, 48).fill([](int x, int) { return x & 1 ? 255 : 0; });
  for (const Point& p : {Point{1, 1}, {-900, 2}, {900, -900}, {62.5f, 46.5f}}) {
    for (const PaddedImage* image : {&tiny, &white}) {
      const float plain =
          reference::point_similarity(image->view(), p, white.view(), {31.25f, 20.5f});
      EXPECT_EQ(plain, vector::point_similarity(image->view(), p, white.view(), {31.25f, 20.5f}));
      EXPECT_LE(std::abs(plain), 1.00001f);
    }
  }
}

}  // namespace
}  // namespace cltrack
