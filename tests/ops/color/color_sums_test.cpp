// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/color/color_sums.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "ops/color/color_blobs.h"
#include "ops/color/color_history.h"
#include "support/check_op.h"
#include "support/color_image.h"
#include "support/devices.h"
#include "support/errors.h"

namespace cltrack {
namespace {

using test::color_formats;
using test::ColorFormat;
using test::ColorImage;
using test::expect_rejected;

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

class ColorSumsOnDevice : public test::DeviceTest {
 protected:
  void expect_exact(const ColorPicture& picture, const ColorTable& labels, int objects,
                    const std::optional<ColorPartition>& partition = {}) {
    Array<std::uint8_t> table{std::span<const std::uint8_t>(labels)};
    ColorPlanes planes;
    planes.borrow(picture);
    ColorScratch scratch;
    const auto op = [&](auto& sums) {
      if (partition) {
        launch_color_sums(*partition, *queue_, planes, table, objects, scratch, sums);
      } else {
        color_sums(*queue_, planes, table, objects, scratch, sums);
      }
    };
    test::check_op(*queue_, 2, op, test::Output{brute_force(picture, labels, objects)});

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
  expect_exact(test::bottom_up(image.picture()), random_table(3, 1, 200), 3);
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
        expect_exact(image.picture(), table, 40, ColorPartition{rows, run, 32, by_object});
      }
    }
  }
}

TEST_P(ColorSumsOnDevice, RejectsWhatItCannotDo) {
  ColorPlanes planes;
  ColorScratch scratch;
  Array<ColorSum> sums;
  const Array<std::uint8_t> table(kColorCells), small(100);
  expect_rejected([&] { color_sums(*queue_, planes, table, 1, scratch, sums); });
  expect_rejected([&] { planes.borrow({}); });
  const ColorImage image(color_formats()[0], 20, 20);
  planes.borrow(image.picture());
  for (const int objects : {0, 256}) {
    expect_rejected([&] { color_sums(*queue_, planes, table, objects, scratch, sums); });
  }
  expect_rejected([&] { color_sums(*queue_, planes, small, 1, scratch, sums); });
  std::vector<ColorRun> runs;
  expect_rejected([&] { color_runs(*queue_, *host_, planes, small, scratch, runs); });
}

CLTRACK_ON_EVERY_DEVICE(ColorSumsOnDevice);

// Object i of frame f, by its place; `count` 0 for none.
ColorSum sum_of(int object, int frame, std::uint64_t count = 10) {
  if (count == 0) return kNoColorSum;
  return {.count = count,
          .sum_x = count * static_cast<std::uint64_t>(100 * object + frame),
          .sum_y = count * static_cast<std::uint64_t>(object),
          .left = 0,
          .top = 0,
          .right = 1,
          .bottom = 1};
}

std::vector<TrackPoint> trail(ColorHistory& history, int object, std::uint64_t minimum_area = 1) {
  std::vector<TrackPoint> points;
  append_trail(history, history.ring.host_read(), object, minimum_area, points);
  return points;
}

class ColorHistoryOnDevice : public test::DeviceTest {
 protected:
  void add(ColorHistory& history, const std::vector<ColorSum>& sums) {
    Array<ColorSum> array{std::span<const ColorSum>(sums)};
    color_history(*queue_, array, history);
  }
};

TEST_P(ColorHistoryOnDevice, KeepsTheLatestFramesOfEachObject) {
  constexpr int kObjects = 37, kLength = 5;
  ColorHistory history;
  history.reset(kObjects, kLength);
  EXPECT_TRUE(trail(history, 0).empty());
  for (int frame = 0; frame < 13; ++frame) {
    std::vector<ColorSum> sums;
    for (int object = 0; object < kObjects; ++object) sums.push_back(sum_of(object, frame));
    add(history, sums);
    for (const int object : {0, 1, kObjects - 1}) {
      std::vector<TrackPoint> expected;
      for (int f = std::max(0, frame - kLength + 1); f <= frame; ++f) {
        expected.push_back({static_cast<float>(100 * object + f), static_cast<float>(object)});
      }
      EXPECT_EQ(trail(history, object), expected) << object << " at " << frame;
    }
  }
  history.reset(2, 3);
  EXPECT_TRUE(trail(history, 0).empty());
}

TEST_P(ColorHistoryOnDevice, TrailsEndAtGaps) {
  ColorHistory history;
  history.reset(2, 8);
  for (const std::uint64_t count : {10, 10, 0, 10, 5, 10}) {
    add(history, {sum_of(0, 7, count), sum_of(1, 7)});
  }
  EXPECT_EQ(trail(history, 0).size(), 3u);
  EXPECT_EQ(trail(history, 0, 6).size(), 1u) << "too few pixels are a gap";
  EXPECT_EQ(trail(history, 1).size(), 6u);
  add(history, {sum_of(0, 7, 0), sum_of(1, 7)});
  EXPECT_TRUE(trail(history, 0).empty());
}

TEST_P(ColorHistoryOnDevice, RejectsWhatDoesNotFit) {
  ColorHistory history;
  Array<ColorSum> sums(2);
  expect_rejected([&] { color_history(*queue_, sums, history); });
  history.reset(3, 4);
  expect_rejected([&] { color_history(*queue_, sums, history); });
}

CLTRACK_ON_EVERY_DEVICE(ColorHistoryOnDevice);

// Rows of digits; a digit is a label, everything else none.
std::vector<ColorBlob> blobs_of(const std::vector<std::string>& rows, std::uint64_t minimum = 1) {
  std::vector<ColorRun> runs;
  for (std::size_t y = 0; y < rows.size(); ++y) {
    std::vector<std::uint8_t> labels;
    for (const char c : rows[y]) {
      labels.push_back(static_cast<std::uint8_t>(c >= '1' && c <= '9' ? c - '0' : 0));
    }
    for_each_run(labels.data(), static_cast<int>(labels.size()), static_cast<int>(y),
                 [&](const ColorRun& run) { runs.push_back(run); });
  }
  BlobScratch scratch;
  std::vector<ColorBlob> blobs;
  find_blobs(runs, minimum, scratch, blobs);
  return blobs;
}

TEST(ColorBlobs, NothingIsNoBlob) {
  EXPECT_TRUE(blobs_of({}).empty());
  EXPECT_TRUE(blobs_of({"....", "...."}).empty());
}

TEST(ColorBlobs, SeparateOnesAndTheirSums) {
  const auto blobs = blobs_of({"11..2",  //
                               "11..2",  //
                               ".....",  //
                               "..1.."});
  ASSERT_EQ(blobs.size(), 3u);
  EXPECT_EQ(blobs[0].label, 1);
  EXPECT_EQ(blobs[0].sum.count, 4u);
  EXPECT_EQ(blobs[0].sum.sum_x, 2u);
  EXPECT_EQ(blobs[0].sum.sum_y, 2u);
  EXPECT_EQ(blobs[0].sum.right, 2);
  EXPECT_EQ(blobs[0].sum.bottom, 2);
  EXPECT_EQ(blobs[1].label, 2);
  EXPECT_EQ(blobs[1].sum.left, 4);
  EXPECT_EQ(blobs[2].sum.top, 3);
}

TEST(ColorBlobs, CornersConnectAndOtherLabelsDoNot) {
  EXPECT_EQ(blobs_of({"1.1", ".1.", "1.1"}).size(), 1u);
  EXPECT_EQ(blobs_of({"12", "21"}).size(), 2u);
  EXPECT_EQ(blobs_of({"1..", "..1"}).size(), 2u);
}

TEST(ColorBlobs, ArmsThatMeetLateAreOne) {
  const auto blobs = blobs_of({"1.1.1.1",  //
                               "1.1.1.1",  //
                               "1.1.111",  //
                               "1.111..",  //
                               "111...."});
  ASSERT_EQ(blobs.size(), 1u);
  EXPECT_EQ(blobs[0].sum.count, 20u);
}

TEST(ColorBlobs, SmallOnesAreLeftOut) {
  EXPECT_EQ(blobs_of({"1.11", "...1"}, 2).size(), 1u);
  EXPECT_EQ(blobs_of({"1.11", "...1"}, 4).size(), 0u);
}

TEST(ColorBlobs, AnEmptyRowSeparates) { EXPECT_EQ(blobs_of({"11", "..", "11"}).size(), 2u); }

}  // namespace
}  // namespace cltrack
