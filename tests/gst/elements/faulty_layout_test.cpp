// SPDX-License-Identifier: LGPL-2.1-or-later
// Elements that draw, on buffers that do not hold what their GstVideoMeta says, or begin at
// addresses that GStreamer's own functions crash at.
#include <gst/video/video.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "../support/tracker_harness.h"
#include "../support/video_picture.h"

namespace cltrack::test {
namespace {

constexpr const char* kOverlay = "trackoverlay";
constexpr const char* kTracker = "cltracker device=host draw-rect=true targets=<<3,3,40,30>>";

struct Drawing : ElementHarness {
  Drawing(const char* launch, const GstVideoInfo& info) : ElementHarness(launch) {
    gst_harness_set_src_caps(get(), gst_video_info_to_caps(&info));
  }
  // Null if the element refused it.
  BufferPtr draw(BufferPtr buffer) {
    GST_BUFFER_PTS(buffer.get()) = 0;
    gst_buffer_add_video_region_of_interest_meta(buffer.get(), "x", 3, 3, 40, 30)->id = 1;
    return pass(std::move(buffer));
  }
};

// Bytes between others that nobody may touch.
class Guarded {
 public:
  static constexpr std::size_t kGuard = 65536;
  static constexpr std::uint8_t kUntouched = 0xa5;

  Guarded(std::size_t size, std::size_t misalignment)
      : size_(size), begin_(kGuard + misalignment), bytes_(size + 2 * kGuard + 64, kUntouched) {
    std::fill_n(data(), size, std::uint8_t{90});
  }
  std::uint8_t* data() { return bytes_.data() + begin_; }
  // The memory stays that of this object.
  BufferPtr wrap() {
    return BufferPtr(gst_buffer_new_wrapped_full(static_cast<GstMemoryFlags>(0), data(), size_, 0,
                                                 size_, nullptr, nullptr));
  }
  bool is_intact() const {
    for (std::size_t i = 0; i < bytes_.size(); ++i) {
      const bool inside = i >= begin_ && i < begin_ + size_;
      if (!inside && bytes_[i] != kUntouched) return false;
    }
    return true;
  }

 private:
  std::size_t size_;
  std::size_t begin_;
  std::vector<std::uint8_t> bytes_;
};

struct Fault {
  const char* name;
  GstVideoFormat format;
  guint width;  // of the GstVideoMeta; the caps say 64x48
  gint stride;
  unsigned plane;  // that has this stride
};

class FaultyLayout : public testing::TestWithParam<std::tuple<const char*, Fault>> {};

TEST_P(FaultyLayout, IsOneErrorAndNothingIsWritten) {
  const auto& [launch, fault] = GetParam();
  GstVideoInfo info = video_info(fault.format, 64, 48);
  Guarded memory(info.size, 0);
  BufferPtr buffer = memory.wrap();
  gint stride[GST_VIDEO_MAX_PLANES];
  std::copy_n(info.stride, GST_VIDEO_MAX_PLANES, stride);
  stride[fault.plane] = fault.stride;
  gst_buffer_add_video_meta_full(buffer.get(), GST_VIDEO_FRAME_FLAG_NONE, fault.format, fault.width,
                                 48, info.finfo->n_planes, info.offset, stride);
  Drawing drawing(launch, info);
  EXPECT_FALSE(drawing.draw(std::move(buffer)));
  EXPECT_TRUE(memory.is_intact());
  const auto errors = drawing.texts(GST_MESSAGE_ERROR);
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_NE(errors[0].find("this is an error of the element upstream"), std::string::npos)
      << errors[0];
}

std::string fault_name(const testing::TestParamInfo<FaultyLayout::ParamType>& tested) {
  return std::get<1>(tested.param).name;
}

constexpr Fault kRowFaults[] = {{"WiderThanItsRows", GST_VIDEO_FORMAT_RGBx, 256, 256, 0},
                                {"TwoToThe31Wide", GST_VIDEO_FORMAT_RGBx, 0x80000000u, 256, 0},
                                {"LargestWidth", GST_VIDEO_FORMAT_NV12, 0x7fffffffu, 64, 0}};
// cltracker takes no such formats.
constexpr Fault kTileFaults[] = {
    {"Tiles", GST_VIDEO_FORMAT_NV12_4L4, 64, std::numeric_limits<gint>::max(), 1},
    {"NegativeTiles", GST_VIDEO_FORMAT_NV12_64Z32, 64, -1, 0}};

INSTANTIATE_TEST_SUITE_P(TrackOverlay, FaultyLayout,
                         testing::Combine(testing::Values(kOverlay), testing::ValuesIn(kRowFaults)),
                         fault_name);
INSTANTIATE_TEST_SUITE_P(TrackOverlayTiles, FaultyLayout,
                         testing::Combine(testing::Values(kOverlay),
                                          testing::ValuesIn(kTileFaults)),
                         fault_name);
INSTANTIATE_TEST_SUITE_P(ClTracker, FaultyLayout,
                         testing::Combine(testing::Values(kTracker), testing::ValuesIn(kRowFaults)),
                         fault_name);

Pixels pixels_at(const std::uint8_t* data, const GstVideoInfo& info) {
  return read_pixels(BufferPtr(gst_buffer_new_memdup(data, info.size)).get(), info);
}

class Unaligned : public testing::TestWithParam<GstVideoFormat> {};

// What is drawn at an odd address is what is drawn at an even one.
TEST_P(Unaligned, AddressesAreDrawnOn) {
  const GstVideoInfo info = video_info(GetParam(), 65, 49);
  Guarded aligned(info.size, 0);
  Drawing reference(kOverlay, info);
  ASSERT_TRUE(reference.draw(aligned.wrap()));
  const Pixels expected = pixels_at(aligned.data(), info);
  for (const std::size_t misalignment : {1, 2, 3}) {
    Guarded memory(info.size, misalignment);
    Drawing drawing(kOverlay, info);
    ASSERT_TRUE(drawing.draw(memory.wrap()));
    EXPECT_TRUE(memory.is_intact());
    const Pixels drawn = pixels_at(memory.data(), info);
    int different = 0;
    // The last group of an odd width of UYVP is not a whole one.
    const int width = GetParam() == GST_VIDEO_FORMAT_UYVP ? 64 : 65;
    for (int y = 0; y < 49; ++y) {
      for (int x = 0; x < width; ++x) different += drawn.at(x, y) != expected.at(x, y) ? 1 : 0;
    }
    EXPECT_EQ(different, 0) << "at " << misalignment;
  }
}

std::vector<GstVideoFormat> drawable_formats() {
  std::vector<GstVideoFormat> formats = all_video_formats();
  std::erase(formats, GST_VIDEO_FORMAT_RGB8P);
  return formats;
}

INSTANTIATE_TEST_SUITE_P(All, Unaligned, testing::ValuesIn(drawable_formats()), format_name);

class UnalignedRows : public testing::TestWithParam<const char*> {};

TEST_P(UnalignedRows, AreDrawnOn) {
  for (const GstVideoFormat format : {GST_VIDEO_FORMAT_BGRx, GST_VIDEO_FORMAT_RGBA,
                                      GST_VIDEO_FORMAT_YUY2, GST_VIDEO_FORMAT_GRAY8}) {
    const GstVideoInfo info = video_info(format, 64, 48);
    for (const bool bottom_up : {false, true}) {
      const gint row = info.stride[0] + 1;
      Guarded memory(static_cast<std::size_t>(row) * 48, 0);
      BufferPtr buffer = memory.wrap();
      gsize offset[GST_VIDEO_MAX_PLANES] = {bottom_up ? static_cast<gsize>(row) * 47 : 0};
      gint stride[GST_VIDEO_MAX_PLANES] = {bottom_up ? -row : row};
      gst_buffer_add_video_meta_full(buffer.get(), GST_VIDEO_FRAME_FLAG_NONE, format, 64, 48, 1,
                                     offset, stride);
      Drawing drawing(GetParam(), info);
      ASSERT_TRUE(drawing.draw(std::move(buffer)));
      EXPECT_TRUE(memory.is_intact());
      // On the left side of the box, from the top of the picture; none in its middle.
      const auto bytes_at = [&](int x, int y) {
        const int pixel = GST_VIDEO_FORMAT_INFO_PSTRIDE(info.finfo, 0);
        const std::uint8_t* first =
            memory.data() + static_cast<std::ptrdiff_t>(bottom_up ? 47 - y : y) * row + x * pixel;
        return std::vector<std::uint8_t>(first, first + pixel);
      };
      const std::vector<std::uint8_t> untouched(bytes_at(0, 0).size(), 90);
      EXPECT_NE(bytes_at(3, 20), untouched) << gst_video_format_to_string(format);
      EXPECT_EQ(bytes_at(24, 26), untouched) << gst_video_format_to_string(format);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, UnalignedRows, testing::Values(kOverlay, kTracker),
                         [](const auto& tested) {
                           return tested.param == kOverlay ? "Overlay" : "Tracker";
                         });

}  // namespace
}  // namespace cltrack::test
