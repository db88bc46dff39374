// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/patches/extract_patches.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "core/random.h"
#include "support/check_op.h"
#include "support/devices.h"
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

TEST(NccVector, EqualsTheReference) {
  Random random(22);
  const Patch other = made_of([&](int) { return static_cast<int>(random.below(256)); });
  for (std::uint32_t range = 1; range <= 256; range *= 2) {
    const Patch patch = made_of([&](int) { return static_cast<int>(random.below(range)); });
    ASSERT_EQ(vector::ncc(patch, other), reference::ncc(patch, other)) << range;
  }
}

class PatchesOnDevice : public test::DeviceTest {
 protected:
  using Boxes = std::vector<BoundingBox>;

  // The boxes of all jobs, each with so many behind those that are asked for.
  void check(const Plane& plane, const ImageView& image, const std::vector<Boxes>& jobs,
             std::size_t unused = 2) {
    SCOPED_TRACE(std::to_string(jobs.size()) + " jobs, " + std::to_string(image.width) + "x" +
                 std::to_string(image.height));
    std::size_t most = 0;
    float longest = 0;
    for (const Boxes& boxes : jobs) {
      most = std::max(most, boxes.size());
      for (const BoundingBox& box : boxes) longest = std::max({longest, box.width, box.height});
    }
    const std::size_t boxes_of_job = most + unused;
    Boxes all;
    std::vector<std::uint32_t> counts;
    for (const Boxes& boxes : jobs) {
      all.insert(all.end(), boxes.begin(), boxes.end());
      counts.push_back(static_cast<std::uint32_t>(boxes.size()));
      all.resize(counts.size() * boxes_of_job, {1e9f, -1e9f, 30, 30});
    }
    const Array<BoundingBox> box_array(all);
    const Array<std::uint32_t> count_array(counts);
    Array<Patch> patches;
    const test::Canary room(patches, all.size(), *queue_);
    const std::uint64_t launches = queue_->count().launches;
    extract_patches(*queue_, plane, box_array, count_array, longest, scratch_, patches);
    EXPECT_EQ(queue_->count().launches - launches, queue_->is_host() || all.empty() ? 0u : 1u);
    EXPECT_TRUE(room.is_intact());
    ASSERT_EQ(patches.size(), all.size());
    const auto got = patches.host_read();
    for (std::size_t job = 0; job < jobs.size(); ++job) {
      for (std::size_t i = 0; i < jobs[job].size(); ++i) {
        const BoundingBox& box = jobs[job][i];
        const Patch expected = reference::extract_patch(image, box);
        const Patch& patch = got[job * boxes_of_job + i];
        ASSERT_EQ(patch.pixels, expected.pixels)
            << box.x << "," << box.y << " " << box.width << "x" << box.height << " of " << job;
        ASSERT_EQ(patch.norm, expected.norm);
      }
    }
  }

  void check(const Plane& plane, const ImageView& image, const Boxes& boxes) {
    check(plane, image, std::vector<Boxes>{boxes});
  }

  void check(const ImageView& image, const std::vector<BoundingBox>& boxes) {
    Plane plane;
    plane.borrow(image);
    check(plane, image, boxes);
  }

  static std::vector<BoundingBox> random_boxes(int width, int height, int count) {
    Random random(22);
    std::vector<BoundingBox> boxes;
    while (static_cast<int>(boxes.size()) < count) {
      const auto w = static_cast<float>(width), h = static_cast<float>(height);
      BoundingBox box{random.uniform(-0.3f, 0.9f) * w, random.uniform(-0.3f, 0.9f) * h,
                      random.uniform(1, 1.5f * w), random.uniform(1, 1.5f * h)};
      if (boxes.size() % 4 == 0) box = {std::floor(box.x), std::floor(box.y), 17, 15};
      if (clip_to_frame(box, width, height).area() > 0) boxes.push_back(box);
    }
    return boxes;
  }

  PatchScratch scratch_;
};

TEST_P(PatchesOnDevice, OddSizesAndStrides) {
  for (const auto& [width, height, padding] :
       {std::array{200, 150, 0}, {61, 47, 7}, {15, 15, 0}, {9, 40, 1}, {640, 33, 5}, {1, 1, 0}}) {
    const PaddedImage noise = noise_image(width, height, 21, padding);
    check(noise.view(), random_boxes(width, height, 60));
  }
}

TEST_P(PatchesOnDevice, FlatParts) {
  const PaddedImage stripes =
      PaddedImage(200, 150, 3).fill([](int x, int y) { return (x / 70 + y / 50) % 2 ? 255 : 0; });
  check(stripes.view(), random_boxes(200, 150, 60));
  check(stripes.view(), {{3, 4, 30, 20}, {75, 60, 20.5f, 20.25f}});
}

TEST_P(PatchesOnDevice, SubRectangles) {
  for (const int padding : {2, 3}) {  // rows are whole words, or not
    const PaddedImage image = noise_image(150, 90, 5, padding);
    for (const int x : {0, 3, 10}) {
      check(test::plane_of_part(image, x, 5, 77, 41), image.part(x, 5, 77, 41),
            random_boxes(77, 41, 20));
      check(test::plane_of_part(image, x, 5, 139, 84), image.part(x, 5, 139, 84),
            random_boxes(139, 84, 20));
    }
  }
}

TEST_P(PatchesOnDevice, LargeAndSmallBoxes) {
  const PaddedImage image = noise_image(1920, 300, 6);
  check(image.view(), {{0, 0, 1920, 300},
                       {0.5f, 0.25f, 1919.3f, 299.6f},
                       {-500, -500, 3000, 1300},
                       {1919.5f, 299.5f, 4, 4},
                       {-99.75f, 10, 100, 100},
                       {7.3f, 8.9f, 0.01f, 0.01f},
                       {100, 100, 1, 1}});
}

TEST_P(PatchesOnDevice, SmallGroups) {
  allow_small_groups_only();
  check(noise_image(200, 150, 21).view(), random_boxes(200, 150, 60));
}

TEST_P(PatchesOnDevice, OfNoBoxes) {
  const PaddedImage image = noise_image(20, 20, 1);
  check(image.view(), {});
  Plane plane;
  plane.borrow(image.view());
  check(plane, image.view(), std::vector<Boxes>(3), 0);
  check(plane, image.view(), std::vector<Boxes>{}, 0);
}

// On several threads, where the queue has them.
TEST_P(PatchesOnDevice, OfSeveralJobs) {
  if (queue_->is_host()) queue_ = device_->make_queue(3);
  const PaddedImage image = noise_image(90, 70, 4, 3);
  const std::vector<BoundingBox> boxes = random_boxes(90, 70, 120);
  const auto boxes_of = [&](std::size_t first, std::size_t count) {
    return Boxes(boxes.begin() + static_cast<std::ptrdiff_t>(first),
                 boxes.begin() + static_cast<std::ptrdiff_t>(first + count));
  };
  Plane plane;
  plane.borrow(image.view());
  check(plane, image.view(), std::vector<Boxes>{boxes_of(0, 3), boxes_of(9, 17)});
  check(plane, image.view(), std::vector<Boxes>{boxes_of(0, 16), boxes_of(9, 16)}, 0);
  check(plane, image.view(),
        std::vector<Boxes>{boxes_of(0, 1),
                           boxes_of(1, 33),
                           {},
                           boxes_of(5, 32),
                           boxes_of(40, 2),
                           {},
                           boxes_of(80, 15)});
}

CLTRACK_ON_EVERY_DEVICE(PatchesOnDevice);

}  // namespace
}  // namespace cltrack
