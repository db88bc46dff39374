// SPDX-License-Identifier: LGPL-2.1-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <string_view>
#include <vector>

#include "../support/video_picture.h"
#include "overlay/region_cover.h"

namespace cltrack::gst {
namespace {

using test::BufferPtr;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TrackRegion region(const BoundingBox& box) {
  TrackRegion result;
  result.box = box;
  return result;
}

std::vector<PixelRect> covers(const std::vector<BoundingBox>& boxes, int width = 320,
                              int height = 240) {
  std::vector<TrackRegion> regions;
  for (const BoundingBox& box : boxes) regions.push_back(region(box));
  return covers_of(regions, width, height);
}

TEST(Covers, HaveAMarginAndWholeSamplesOfColour) {
  // A tenth of 60 and one pixel more on each side, then outwards to multiples of 4.
  EXPECT_THAT(covers({{100, 80, 60, 50}}), ElementsAre(PixelRect{92, 72, 76, 68}));
}

TEST(Covers, LieInTheFrame) {
  EXPECT_THAT(covers({{-30, -30, 50, 50}}), ElementsAre(PixelRect{0, 0, 28, 28}));
  EXPECT_THAT(covers({{300, 200, 500, 500}}, 321, 241).front().right(), 321);
  EXPECT_THAT(covers({{300, 200, 500, 500}}, 321, 241).front().bottom(), 241);
  EXPECT_THAT(covers({{-1e9f, -1e9f, 4e9f, 4e9f}}), ElementsAre(PixelRect{0, 0, 320, 240}));
  constexpr int kMost = std::numeric_limits<int>::max();
  EXPECT_THAT(covers({{0, 0, 4e9f, 4e9f}}, kMost, kMost),
              ElementsAre(PixelRect{0, 0, kMost, kMost}));
}

TEST(Covers, LeaveOutWhatCannotBeSeen) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT(covers({{320, 0, 10, 10},
                      {0, 240, 10, 10},
                      {-10, 0, 10, 10},
                      {nan, 0, 10, 10},
                      {10, 10, 0, 10},
                      {10, 10, -5, 10}}),
              IsEmpty());
}

TEST(Covers, AreLargestFirstAndNoneWithinAnother) {
  const auto result = covers({{50, 50, 20, 20},
                              {40, 40, 100, 100},
                              {40, 40, 100, 100},
                              {200, 100, 30, 30},
                              {130, 130, 40, 40}});
  ASSERT_EQ(result.size(), 3u);
  EXPECT_GE(result[0].width, 100);
  EXPECT_GE(result[1].width, 40);
  EXPECT_EQ(result[2].x, 196);
}

// Light and dark pixels without order.
int noise(int x, int y, int component) {
  if (component == 0) return 255;
  if (component > 1) return 128;
  const unsigned bits =
      (static_cast<unsigned>(x) * 2654435761u) ^ (static_cast<unsigned>(y) * 2246822519u);
  return (bits >> 13 & 1) != 0 ? 230 : 25;
}

double variance_in(const test::Pixels& pixels, const PixelRect& rect) {
  double sum = 0, squares = 0;
  for (int y = rect.y; y < rect.bottom(); ++y) {
    for (int x = rect.x; x < rect.right(); ++x) {
      const double value = pixels.at(x, y)[1] / 257.0;
      sum += value;
      squares += value * value;
    }
  }
  const double count = static_cast<double>(rect.width) * rect.height;
  return squares / count - sum / count * sum / count;
}

std::vector<GstVideoFormat> drawable_formats() {
  std::vector<GstVideoFormat> formats = test::all_video_formats();
  std::erase(formats, GST_VIDEO_FORMAT_RGB8P);
  return formats;
}

class CoverFormats : public ::testing::TestWithParam<GstVideoFormat> {
 protected:
  static void check(int padding, const PixelRect& place, MosaicLook look) {
    // In UYVP the last group of pixels of an odd width does not fit into unpadded rows.
    // GStreamer 1.26 does not write all of the last tile of MT2110T and MT2110R where it is not
    // full.
    const bool needs_tiles =
        std::string_view(gst_video_format_to_string(GetParam())).starts_with("MT2110");
    const int uneven = GetParam() == GST_VIDEO_FORMAT_UYVP && padding == 0 ? 174 : 173;
    const int width = needs_tiles ? 176 : uneven;
    const int height = needs_tiles ? 128 : 101;
    const GstVideoInfo info = test::video_info(GetParam(), width, height);
    const PixelRect rect = intersection(place, {0, 0, width, height});
    const BufferPtr buffer = test::make_picture(info, padding, noise);
    const test::Pixels before = test::read_pixels(buffer.get(), info);
    {
      test::FrameMap map(buffer.get(), info, GST_MAP_READWRITE);
      cover(*map.get(), std::vector{rect}, look);
    }
    const test::Pixels after = test::read_pixels(buffer.get(), info);
    EXPECT_GT(variance_in(before, rect), 5000);
    EXPECT_LT(variance_in(after, rect), 1000);
    int wrong = 0;
    for (int y = 0; y < after.height() && wrong < 5; ++y) {
      for (int x = 0; x < after.width() && wrong < 5; ++x) {
        if (!intersection({x, y, 1, 1}, rect).is_empty() || after.at(x, y) == before.at(x, y)) {
          continue;
        }
        ++wrong;
        ADD_FAILURE() << x << "," << y << " was " << testing::PrintToString(before.at(x, y))
                      << ", is " << testing::PrintToString(after.at(x, y));
      }
    }
  }
  static bool is_tiled() {
    return GST_VIDEO_FORMAT_INFO_IS_TILED(gst_video_format_get_info(GetParam()));
  }
};

TEST_P(CoverFormats, HidesWhatIsThereAndNothingElse) {
  check(0, {40, 20, 60, 48}, MosaicLook::squares);
  check(0, {40, 20, 60, 48}, MosaicLook::smooth);
}

TEST_P(CoverFormats, ReachesTheEdgesOfOddPictures) {
  check(0, {132, 60, 60, 60}, MosaicLook::smooth);
  check(0, {0, 0, 200, 200}, MosaicLook::squares);
}

TEST_P(CoverFormats, TakesStridesFromVideoMeta) {
  if (!is_tiled()) check(16, {132, 60, 60, 60}, MosaicLook::squares);
}

INSTANTIATE_TEST_SUITE_P(All, CoverFormats, ::testing::ValuesIn(drawable_formats()),
                         test::format_name);

TEST(Cover, LeavesPaddingAlone) {
  const GstVideoInfo info = test::video_info(GST_VIDEO_FORMAT_GRAY8, 61, 41);
  const BufferPtr buffer = test::make_picture(info, 16, noise);
  const auto before = test::bytes_of(buffer.get());
  std::size_t offset = 0, stride = 0;
  {
    test::FrameMap map(buffer.get(), info, GST_MAP_READWRITE);
    offset = GST_VIDEO_FRAME_PLANE_OFFSET(map.get(), 0);
    stride = static_cast<std::size_t>(GST_VIDEO_FRAME_PLANE_STRIDE(map.get(), 0));
    cover(*map.get(), std::vector{PixelRect{0, 0, 61, 41}}, MosaicLook::smooth);
  }
  const auto after = test::bytes_of(buffer.get());
  for (std::size_t i = 0; i < after.size(); ++i) {
    const bool is_inside = i >= offset && (i - offset) / stride < 41 && (i - offset) % stride < 61;
    ASSERT_TRUE(is_inside || after[i] == before[i]) << i;
  }
}

TEST(Cover, ManyOverEachOther) {
  const GstVideoInfo info = test::video_info(GST_VIDEO_FORMAT_I420, 160, 120);
  const BufferPtr buffer = test::make_picture(info, 0, noise);
  std::vector<BoundingBox> boxes;
  for (int i = 0; i < 100; ++i) {
    boxes.push_back({static_cast<float>(i % 10) * 15, static_cast<float>(i / 10) * 11, 30, 30});
  }
  {
    test::FrameMap map(buffer.get(), info, GST_MAP_READWRITE);
    cover(*map.get(), covers(boxes, 160, 120), MosaicLook::smooth);
  }
  EXPECT_LT(variance_in(test::read_pixels(buffer.get(), info), {0, 0, 160, 120}), 500);
}

using Value = std::function<int(int x, int y)>;

// All four components are alike.
template <typename Sample = std::uint8_t>
std::vector<int> mosaic_of(int width, int height, MosaicLook look, const Value& value) {
  Mosaic mosaic(MosaicGrid(width, height));
  std::vector<Sample> row(static_cast<std::size_t>(width) * 4);
  for (int y = 0; y < height; ++y) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      row[i] = static_cast<Sample>(value(static_cast<int>(i / 4), y));
    }
    mosaic.add_row(y, row.data());
  }
  std::vector<int> result;
  for (int y = 0; y < height; ++y) {
    mosaic.write_row(y, look, row.data());
    for (std::size_t i = 0; i < row.size(); i += 4) {
      result.push_back(row[i]);
      for (std::size_t c = 1; c < 4; ++c) EXPECT_EQ(row[i], row[i + c]);
    }
  }
  return result;
}

constexpr MosaicLook kLooks[] = {MosaicLook::squares, MosaicLook::smooth};

TEST(MosaicGrid, HasAsManyCellsWhateverTheSize) {
  for (const int side : {24, 48, 60, 600, 6000}) {
    EXPECT_EQ(MosaicGrid(side, side).columns, 6) << side;
    EXPECT_EQ(MosaicGrid(side, side / 2).rows, 3) << side;
  }
  for (const int side : {25, 47, 599}) EXPECT_LE(MosaicGrid(side, side).columns, 6) << side;
}

TEST(MosaicGrid, CellsAreNeverSmall) {
  for (int width = 1; width < 60; ++width) {
    for (int height = 1; height < 60; ++height) {
      const MosaicGrid grid(width, height);
      ASSERT_GE(grid.columns, 1);
      ASSERT_GE(grid.rows, 1);
      ASSERT_GE(width / grid.columns, std::min(width, 4));
      ASSERT_GE(height / grid.rows, std::min(height, 4));
    }
  }
}

TEST(Mosaic, SquaresAreMeans) {
  // Two cells of 4 x 4.
  const auto result =
      mosaic_of(8, 4, MosaicLook::squares, [](int x, int y) { return x < 4 ? 10 * y : 100 + x; });
  for (int i = 0; i < 32; ++i) {
    // 15, and 105.5 rounded.
    EXPECT_EQ(result[static_cast<std::size_t>(i)], i % 8 < 4 ? 15 : 106) << i;
  }
}

TEST(Mosaic, SmoothGoesFromOneMeanToTheNext) {
  const auto result =
      mosaic_of(48, 8, MosaicLook::smooth, [](int x, int) { return x < 24 ? 40 : 200; });
  EXPECT_EQ(result[0], 40);
  EXPECT_EQ(result[47], 200);
  EXPECT_TRUE(std::is_sorted(result.begin(), result.begin() + 48));
  int steepest = 0;
  for (std::size_t x = 1; x < 48; ++x) steepest = std::max(steepest, result[x] - result[x - 1]);
  EXPECT_LE(steepest, 160 / 8 + 1) << "no edge is left";
}

TEST(Mosaic, FlatStaysFlatUpToTheEnds) {
  for (const MosaicLook look : kLooks) {
    for (const int side : {1, 3, 4, 7, 31, 100}) {
      for (const int value : {0, 1, 128, 254, 255}) {
        const auto result = mosaic_of(side, side, look, [=](int, int) { return value; });
        EXPECT_EQ(std::count(result.begin(), result.end(), value), side * side) << value;
      }
      for (const int value : {0, 1, 65534, 65535}) {
        const auto result =
            mosaic_of<std::uint16_t>(side, side, look, [=](int, int) { return value; });
        EXPECT_EQ(std::count(result.begin(), result.end(), value), side * side) << value;
      }
    }
  }
}

TEST(Mosaic, NothingButTheMeansIsLeft) {
  // The same cells, turned upside down in themselves: as different as pictures can be.
  const auto up = [](int x, int y) { return (x % 10) * 20 + (y % 10) * 5 + x / 10; };
  const auto down = [&](int x, int y) {
    return up(x / 10 * 10 + 9 - x % 10, y / 10 * 10 + 9 - y % 10);
  };
  for (const MosaicLook look : kLooks) {
    EXPECT_EQ(mosaic_of(60, 40, look, up), mosaic_of(60, 40, look, down));
  }
}

TEST(Mosaic, SumsOfLargeCellsFit) {
  const auto result = mosaic_of<std::uint16_t>(
      6 * 600, 600, MosaicLook::squares, [](int x, int) { return x % 600 < 300 ? 65535 : 65533; });
  EXPECT_EQ(result[0], 65534);
  EXPECT_EQ(result.back(), 65534);
}

}  // namespace
}  // namespace cltrack::gst
