// SPDX-License-Identifier: LGPL-2.1-or-later
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/random.h"
#include "ops/patches/extract_patches.h"
#include "support/devices.h"
#include "support/test_image.h"

namespace cltrack {
namespace {

using test::noise_image;
using test::PaddedImage;

class PatchesOnDevice : public test::DeviceTest {
 protected:
  using Boxes = std::vector<BoundingBox>;

  // The boxes of all jobs, each with so many behind those that are asked for.
  void expect_equals_host(const Plane& plane, const ImageView& image,
                          const std::vector<Boxes>& jobs, std::size_t unused = 2) {
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

  void expect_equals_host(const Plane& plane, const ImageView& image, const Boxes& boxes) {
    expect_equals_host(plane, image, std::vector<Boxes>{boxes});
  }

  void expect_equals_host(const ImageView& image, const std::vector<BoundingBox>& boxes) {
    Plane plane;
    plane.borrow(image);
    expect_equals_host(plane, image, boxes);
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
    expect_equals_host(noise.view(), random_boxes(width, height, 60));
  }
}

TEST_P(PatchesOnDevice, FlatParts) {
  const PaddedImage stripes =
      PaddedImage(200, 150, 3).fill([](int x, int y) { return (x / 70 + y / 50) % 2 ? 255 : 0; });
  expect_equals_host(stripes.view(), random_boxes(200, 150, 60));
  expect_equals_host(stripes.view(), {{3, 4, 30, 20}, {75, 60, 20.5f, 20.25f}});
}

TEST_P(PatchesOnDevice, SubRectangles) {
  const PaddedImage image = noise_image(150, 90, 5, 3);
  const ImageView whole = image.view();
  Plane plane;
  plane.borrow(whole);
  plane.layout = {77, 41, static_cast<std::int32_t>(whole.stride),
                  static_cast<std::int32_t>(5 * whole.stride + 3)};
  expect_equals_host(plane, {whole.row(5) + 3, 77, 41, whole.stride}, random_boxes(77, 41, 40));
}

TEST_P(PatchesOnDevice, LargeAndSmallBoxes) {
  const PaddedImage image = noise_image(1920, 300, 6);
  expect_equals_host(image.view(), {{0, 0, 1920, 300},
                                    {0.5f, 0.25f, 1919.3f, 299.6f},
                                    {-500, -500, 3000, 1300},
                                    {1919.5f, 299.5f, 4, 4},
                                    {-99.75f, 10, 100, 100},
                                    {7.3f, 8.9f, 0.01f, 0.01f},
                                    {100, 100, 1, 1}});
}

TEST_P(PatchesOnDevice, SmallGroups) {
  allow_small_groups_only();
  expect_equals_host(noise_image(200, 150, 21).view(), random_boxes(200, 150, 60));
}

TEST_P(PatchesOnDevice, OfNoBoxes) {
  const PaddedImage image = noise_image(20, 20, 1);
  expect_equals_host(image.view(), {});
  Plane plane;
  plane.borrow(image.view());
  expect_equals_host(plane, image.view(), std::vector<Boxes>(3), 0);
  expect_equals_host(plane, image.view(), std::vector<Boxes>{}, 0);
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
  expect_equals_host(plane, image.view(), std::vector<Boxes>{boxes_of(0, 3), boxes_of(9, 17)});
  expect_equals_host(plane, image.view(), std::vector<Boxes>{boxes_of(0, 16), boxes_of(9, 16)}, 0);
  expect_equals_host(plane, image.view(),
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
