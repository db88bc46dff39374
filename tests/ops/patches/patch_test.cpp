// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/patches/extract_patches.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "core/random.h"
#include "support/test_image.h"

namespace cltrack {
namespace {

using test::noise_image;
using test::PaddedImage;
using test::Texture;

TEST(Patch, OfItsOwnSizeIsTheCrop) {
  const PaddedImage image = noise_image(40, 30, 1, 5);
  const Patch patch = reference::extract_patch(image.view(), {7, 9, kPatchSide, kPatchSide});
  int sum = 0;
  for (int y = 0; y < kPatchSide; ++y) {
    for (int x = 0; x < kPatchSide; ++x) sum += kPatchUnit * image.view().at(7 + x, 9 + y);
  }
  const int mean = static_cast<int>(std::lround(static_cast<double>(sum) / kPatchPixels));
  for (int y = 0; y < kPatchSide; ++y) {
    for (int x = 0; x < kPatchSide; ++x) {
      ASSERT_EQ(patch.pixels[static_cast<std::size_t>(y * kPatchSide + x)],
                kPatchUnit * image.view().at(7 + x, 9 + y) - mean);
    }
  }
}

TEST(PatchAxis, VectorsGiveTheSameBits) {
  Random random(5);
  for (int i = 0; i < 3000; ++i) {
    // From far smaller than a patch to far larger, whole and fractional, also beyond the picture.
    const bool whole = i % 3 == 0;
    const float length = std::exp(random.uniform(0.1f, 7.0f));
    const float start = random.uniform(-0.4f * length, 900.0f);
    const float a = whole ? std::floor(start) : start;
    const float b = whole ? std::ceil(length) : length;
    const PatchAxis expected = reference::make_patch_axis(a, b, 1000);
    const PatchAxis got = vector::make_patch_axis(a, b, 1000);
    ASSERT_EQ(got.first, expected.first) << a << " " << b;
    ASSERT_EQ(got.weights, expected.weights) << a << " " << b;
    ASSERT_EQ(got.taps, expected.taps);
    ASSERT_EQ(got.stride, expected.stride);
    ASSERT_EQ(got.low, expected.low);
    ASSERT_EQ(got.high, expected.high);
  }
}

TEST(Patch, OfAFlatPictureIsFlat) {
  const PaddedImage image = PaddedImage(100, 80).fill([](int, int) { return 93; });
  for (const BoundingBox box : {BoundingBox{0, 0, 100, 80},
                                {3.3f, 4.7f, 21.2f, 60.1f},
                                {-20, -10, 50, 50},
                                {90, 70, 50, 50},
                                {40, 40, 8, 8}}) {
    const Patch patch = reference::extract_patch(image.view(), box);
    for (int i = 0; i < kPatchPixels; ++i) {
      ASSERT_EQ(patch.pixels[static_cast<std::size_t>(i)], 0);
    }
    EXPECT_EQ(patch.norm, 0);
    EXPECT_EQ(reference::ncc(patch, patch), 0) << "flat patches resemble nothing";
  }
}

TEST(Patch, FollowsTheBoxByFractionsOfAPixel) {
  const Texture texture(4);
  const PaddedImage image = PaddedImage(200, 150).fill([&](int x, int y) {
    return std::lround(texture.at(static_cast<float>(x), static_cast<float>(y)));
  });
  const BoundingBox box{60.4f, 50.7f, 30, 45};
  const Patch patch = reference::extract_patch(image.view(), box);
  // Correlation with what the texture holds under the box moved by (dx, dy).
  const auto agreement = [&](float dx, float dy) {
    std::vector<double> values;
    double sum = 0;
    for (int j = 0; j < kPatchSide; ++j) {
      for (int i = 0; i < kPatchSide; ++i) {
        // Pixel centres are half a pixel inside their pixel.
        const float x = box.x + dx + (static_cast<float>(i) + 0.5f) * box.width / kPatchSide - 0.5f;
        const float y =
            box.y + dy + (static_cast<float>(j) + 0.5f) * box.height / kPatchSide - 0.5f;
        values.push_back(static_cast<double>(texture.at(x, y)));
        sum += values.back();
      }
    }
    double product = 0, squares = 0;
    for (std::size_t i = 0; i < kPatchPixels; ++i) {
      const double v = values[i] - sum / kPatchPixels;
      product += v * patch.pixels[i];
      squares += v * v;
    }
    return product / (std::sqrt(squares) * static_cast<double>(patch.norm));
  };
  EXPECT_GT(agreement(0, 0), 0.995);
  for (const auto& [dx, dy] : {std::pair{-0.5f, 0.0f}, {0.5f, 0.0f}, {0.0f, -0.7f}, {0.0f, 0.7f}}) {
    EXPECT_LT(agreement(dx, dy), agreement(0, 0));
  }
}

TEST(Patch, ReducesWithoutAliasing) {
  // Columns of 0 and 255 alternately: without smoothing, a patch would have full contrast.
  const PaddedImage image = PaddedImage(150, 150).fill([](int x, int) { return x % 2 ? 255 : 0; });
  const Patch patch = reference::extract_patch(image.view(), {0, 0, 150, 150});
  for (int j = 0; j < kPatchSide; ++j) {
    for (int i = 1; i < kPatchSide - 1; ++i) {
      EXPECT_NEAR(patch.pixels[static_cast<std::size_t>(j * kPatchSide + i)], 0, 3 * kPatchUnit);
    }
  }
}

TEST(Patch, DoesNotLookBeyondTheBox) {
  const auto with_border = [](int border) {
    return PaddedImage(60, 60).fill([=](int x, int y) {
      return x >= 20 && x < 40 && y >= 20 && y < 40 ? 5 * (x + y) / 2 : border;
    });
  };
  const BoundingBox box{20, 20, 20, 20};
  EXPECT_EQ(reference::extract_patch(with_border(0).view(), box).pixels,
            reference::extract_patch(with_border(255).view(), box).pixels);
}

TEST(Patch, NormIsThatOfThePixels) {
  const PaddedImage image = noise_image(50, 50, 2);
  const Patch patch = reference::extract_patch(image.view(), {3, 4, 31, 37});
  double sum = 0, squares = 0;
  for (int i = 0; i < kPatchPixels; ++i) {
    const double v = patch.pixels[static_cast<std::size_t>(i)];
    sum += v;
    squares += v * v;
  }
  EXPECT_LE(std::abs(sum), kPatchPixels / 2) << "the mean is off";
  EXPECT_FLOAT_EQ(patch.norm, static_cast<float>(std::sqrt(squares)));
  EXPECT_NEAR(patch.variance(), squares / kPatchPixels / (kPatchUnit * kPatchUnit), 0.01);
  for (int i = kPatchPixels; i < kPatchStride; ++i) {
    EXPECT_EQ(patch.pixels[static_cast<std::size_t>(i)], 0);
  }
}

Patch made_of(const std::function<int(int)>& value) {
  PaddedImage image(kPatchSide, kPatchSide);
  image.fill([&](int x, int y) { return value(y * kPatchSide + x); });
  return reference::extract_patch(image.view(), {0, 0, kPatchSide, kPatchSide});
}

TEST(Ncc, KnownAnswers) {
  const Patch ramp = made_of([](int i) { return i; });
  EXPECT_FLOAT_EQ(reference::ncc(ramp, ramp), 1);
  EXPECT_FLOAT_EQ(reference::ncc(ramp, made_of([](int i) { return 224 - i; })), -1);
  EXPECT_FLOAT_EQ(reference::ncc(ramp, made_of([](int i) { return i / 2 + 100; })),
                  reference::ncc(made_of([](int i) { return i / 2 + 100; }), ramp));
  EXPECT_NEAR(reference::ncc(ramp, made_of([](int i) { return i / 2 + 100; })), 1, 1e-4)
      << "gain and offset do not count";
  EXPECT_EQ(reference::ncc(ramp, made_of([](int) { return 77; })), 0);
}

TEST(Ncc, EqualsItsDefinitionAlsoAtTheExtremes) {
  Random random(9);
  for (int round = 0; round < 50; ++round) {
    const bool extreme = round % 2 == 0;
    const auto value = [&](int) {
      return static_cast<int>(extreme ? 255 * random.below(2) : random.below(256));
    };
    const Patch a = made_of(value);
    const Patch b = made_of(value);
    double sa = 0, sb = 0, ab = 0, aa = 0, bb = 0;
    for (std::size_t i = 0; i < kPatchPixels; ++i) {
      sa += a.pixels[i];
      sb += b.pixels[i];
      ab += a.pixels[i] * b.pixels[i];
      aa += a.pixels[i] * a.pixels[i];
      bb += b.pixels[i] * b.pixels[i];
    }
    const double n = kPatchPixels;
    const double expected = (n * ab - sa * sb) / std::sqrt((n * aa - sa * sa) * (n * bb - sb * sb));
    ASSERT_NEAR(reference::ncc(a, b), expected, 1e-6);
  }
}

TEST(PatchVector, EqualsTheReference) {
  int flat = 0;
  for (const auto& [width, height, padding] :
       {std::array{200, 150, 0}, {61, 47, 7}, {15, 15, 0}, {9, 40, 1}, {640, 33, 5}}) {
    const PaddedImage noise = noise_image(width, height, 21, padding);
    const PaddedImage stripes = PaddedImage(width, height, padding).fill([](int x, int y) {
      return (x / 3 + y / 5) % 2 ? 255 : 0;
    });
    Random random(22);
    for (int i = 0; i < 200; ++i) {
      const auto w = static_cast<float>(width), h = static_cast<float>(height);
      BoundingBox box{random.uniform(-0.3f, 0.9f) * w, random.uniform(-0.3f, 0.9f) * h,
                      random.uniform(1, w), random.uniform(1, h)};
      if (i % 4 == 0) box = {std::floor(box.x), std::floor(box.y), 17, 15};
      if (clip_to_frame(box, width, height).area() <= 0) continue;
      for (const ImageView& image : {noise.view(), stripes.view()}) {
        const Patch expected = reference::extract_patch(image, box);
        const Patch patch = vector::extract_patch(image, box);
        ASSERT_EQ(patch.pixels, expected.pixels) << box.x << "," << box.y << " " << box.width;
        ASSERT_EQ(patch.norm, expected.norm);
        const Patch other = reference::extract_patch(noise.view(), {0, 0, w, h});
        ASSERT_EQ(vector::ncc(patch, other), reference::ncc(patch, other));
        flat += patch.norm == 0;
      }
    }
  }
  EXPECT_GT(flat, 0) << "some boxes hold one stripe only";
}

}  // namespace
}  // namespace cltrack
