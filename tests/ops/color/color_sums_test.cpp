// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/color/color_sums.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "support/color_image.h"
#include "support/devices.h"

namespace cltrack {
namespace {

using test::color_formats;
using test::ColorFormat;
using test::ColorImage;

// Each cell's label by a hash; `share` of 256 cells have one.
ColorTable random_table(int objects, std::uint64_t seed, int share = 256) {
  Random random(seed);
  ColorTable table(kColorCells);
  for (std::uint8_t& label : table) {
    if (static_cast<int>(random.below(256)) < share) {
      label = static_cast<std::uint8_t>(1 + random.below(static_cast<std::uint32_t>(objects)));
    }
  }
  return table;
}

// Pixel by pixel, object by object.
std::vector<ColorSum> brute_force(const ColorPicture& picture, const ColorTable& table,
                                  int objects) {
  std::vector<ColorSum> sums(static_cast<std::size_t>(objects), kNoColorSum);
  for (int y = 0; y < picture.height; ++y) {
    for (int x = 0; x < picture.width; ++x) {
      std::size_t cell = 0;
      for (const std::size_t i : {1, 2, 0}) {
        const ColorComponent& c = picture.components[i];
        const auto value =
            c.data[(y >> c.shift_y) * c.stride + std::ptrdiff_t{x >> c.shift_x} * c.step];
        cell = cell * 64 + value / 4;
      }
      const int label = table[cell];
      if (label == 0 || label > objects) continue;
      ColorSum& sum = sums[static_cast<std::size_t>(label - 1)];
      sum.count += 1;
      sum.sum_x += static_cast<std::uint64_t>(x);
      sum.sum_y += static_cast<std::uint64_t>(y);
      sum.left = std::min(sum.left, x);
      sum.top = std::min(sum.top, y);
      sum.right = std::max(sum.right, x + 1);
      sum.bottom = std::max(sum.bottom, y + 1);
    }
  }
  return sums;
}

auto as_tuple(const ColorSum& sum) {
  return std::tuple(sum.count, sum.sum_x, sum.sum_y, sum.left, sum.top, sum.right, sum.bottom);
}

class ColorSumsOnDevice : public test::DeviceTest {
 protected:
  void expect_exact(const ColorPicture& picture, const ColorTable& labels, int objects,
                    const std::optional<ColorPartition>& partition = {}) {
    const std::vector<ColorSum> expected = brute_force(picture, labels, objects);
    Array<std::uint8_t> table{std::span<const std::uint8_t>(labels)};
    ColorPlanes planes;
    planes.borrow(picture);
    ColorScratch scratch;
    Array<ColorSum> sums;
    test::Canary canary(sums, expected.size(), *queue_);
    if (partition) {
      launch_color_sums(*partition, *queue_, planes, table, objects, scratch, sums);
    } else {
      color_sums(*queue_, planes, table, objects, scratch, sums);
    }
    const auto result = sums.host_read();
    ASSERT_EQ(result.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(as_tuple(result[i]), as_tuple(expected[i])) << "object " << i + 1;
    }
    EXPECT_TRUE(canary.is_intact());

    std::vector<ColorRun> runs, expected_runs;
    color_runs(*queue_, *host_, planes, table, scratch, runs);
    std::vector<std::uint8_t> row;
    for_each_run(picture, labels.data(), 0, picture.height, row,
                 [&](const ColorRun& run) { expected_runs.push_back(run); });
    EXPECT_TRUE(runs == expected_runs);
  }

  std::shared_ptr<Queue> host_ = Device::host()->make_queue(2);
};

TEST_P(ColorSumsOnDevice, ThreadsOfTheHostChangeNothing) {
  if (!queue_->is_host()) GTEST_SKIP() << "of the host alone";
  queue_ = Device::host()->make_queue(3);
  for (const int height : {1, 5, 63}) {
    ColorImage image(color_formats()[1], 130, height, 3);
    image.fill_noise(7);
    expect_exact(image.picture(), random_table(5, 3, 128), 5);
  }
}

TEST_P(ColorSumsOnDevice, EveryFormatAndOddSizes) {
  for (const ColorFormat& format : color_formats()) {
    for (const auto& [width, height, padding] :
         {std::array{1, 1, 0}, {2, 3, 5}, {17, 9, 1}, {321, 63, 0}, {130, 77, 13}}) {
      SCOPED_TRACE(format.name + " " + std::to_string(width) + "x" + std::to_string(height));
      ColorImage image(format, width, height, padding);
      image.fill_noise(static_cast<std::uint64_t>(width));
      expect_exact(image.picture(), random_table(5, 3, 128), 5);
    }
  }
}

TEST_P(ColorSumsOnDevice, EveryNumberOfObjectsInEveryFormat) {
  std::vector<std::unique_ptr<ColorImage>> images;
  for (const ColorFormat& format : color_formats()) {
    images.push_back(std::make_unique<ColorImage>(format, 45, 29, 3));
    images.back()->fill_noise(images.size());
  }
  const ColorTable labels = random_table(255, 5, 200);
  ColorTable table(labels.size());
  for (int objects = 1; objects <= kMaxColorObjects; ++objects) {
    std::ranges::transform(labels, table.begin(), [=](std::uint8_t label) {
      return static_cast<std::uint8_t>(label == 0 ? 0 : (label - 1) % objects + 1);
    });
    for (std::size_t f = 0; f < images.size(); ++f) {
      SCOPED_TRACE(color_formats()[f].name + " " + std::to_string(objects));
      expect_exact(images[f]->picture(), table, objects);
    }
  }
}

TEST_P(ColorSumsOnDevice, LabelsAboveTheNumberOfObjectsAreLeftOut) {
  ColorImage image(color_formats()[1], 200, 90, 3);
  image.fill_noise(9);
  expect_exact(image.picture(), random_table(200, 5), 7);
}

TEST_P(ColorSumsOnDevice, SubRectangles) {
  ColorImage image(color_formats()[1], 200, 90, 3);
  image.fill_noise(9);
  ColorPicture part = image.picture();
  part.components[0].data += 10 * part.components[0].stride + 20;
  for (std::size_t c : {1, 2}) part.components[c].data += 5 * part.components[c].stride + 20;
  part.width = 101;
  part.height = 33;
  expect_exact(part, random_table(9, 1, 200), 9);
}

TEST_P(ColorSumsOnDevice, BottomUpPictures) {
  ColorImage image(color_formats()[9], 50, 40, 2);
  image.fill_noise(4);
  ColorPicture flipped = image.picture();
  for (ColorComponent& c : flipped.components) {
    c.data += 39 * c.stride;
    c.stride = -c.stride;
  }
  expect_exact(flipped, random_table(3, 1, 200), 3);
}

TEST_P(ColorSumsOnDevice, AllOfOneColour) {
  for (const auto& [width, height] : {std::array{1921, 1080}, {65536, 3}, {7680, 200}}) {
    SCOPED_TRACE(width);
    const ColorImage image(color_formats()[9], width, height);
    expect_exact(image.picture(), ColorTable(kColorCells, 1), 2);
  }
}

TEST_P(ColorSumsOnDevice, SumsOf8KDoNotOverflow) {
  const ColorImage image(color_formats()[1], 7680, 4320);
  expect_exact(image.picture(), ColorTable(kColorCells, 255), 255);
}

TEST_P(ColorSumsOnDevice, AnyPartitionGivesTheSame) {
  if (queue_->is_host()) GTEST_SKIP() << "the host launches nothing";
  ColorImage image(color_formats()[6], 333, 70, 1);
  image.fill_noise(2);
  const ColorTable table = random_table(40, 8, 100);
  for (const int rows : {1, 3, 70, 100000}) {
    for (const int run : {1, 16, 333, 1000}) {
      for (const bool by_object : {false, true}) {
        expect_exact(image.picture(), table, 40,
                     ColorPartition{rows, run, device_->is_cpu() ? 1 : 32, by_object});
      }
    }
  }
}

TEST_P(ColorSumsOnDevice, RejectsWhatItCannotDo) {
  ColorPlanes planes;
  ColorScratch scratch;
  Array<ColorSum> sums;
  Array<std::uint8_t> table(kColorCells);
  EXPECT_THROW(color_sums(*queue_, planes, table, 1, scratch, sums), Error);
  EXPECT_THROW(planes.borrow({}), Error);
  const ColorImage image(color_formats()[0], 20, 20);
  planes.borrow(image.picture());
  EXPECT_THROW(color_sums(*queue_, planes, table, 0, scratch, sums), Error);
  EXPECT_THROW(color_sums(*queue_, planes, table, 256, scratch, sums), Error);
  Array<std::uint8_t> small(100);
  EXPECT_THROW(color_sums(*queue_, planes, small, 1, scratch, sums), Error);
  std::vector<ColorRun> runs;
  EXPECT_THROW(color_runs(*queue_, *host_, planes, small, scratch, runs), Error);
}

CLTRACK_ON_EVERY_DEVICE(ColorSumsOnDevice);

}  // namespace
}  // namespace cltrack
