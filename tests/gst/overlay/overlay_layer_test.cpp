// SPDX-License-Identifier: LGPL-2.1-or-later
#include "overlay/overlay_layer.h"

#include <gst/video/video-overlay-composition.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "../support/video_picture.h"
#include "core/random.h"
#include "overlay/overlay_blend.h"

namespace cltrack::gst {
namespace {

using test::BufferPtr;

constexpr int kWidth = 322;
constexpr int kHeight = 241;

std::shared_ptr<GstBuffer> make_pixels(int width, int height, std::uint32_t argb) {
  const std::size_t count = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  auto* pixels = g_new(guint32, count);
  std::fill_n(pixels, count, argb);
  GstBuffer* buffer = gst_buffer_new_wrapped(pixels, count * sizeof(guint32));
  gst_buffer_add_video_meta(buffer, GST_VIDEO_FRAME_FLAG_NONE,
                            GST_VIDEO_OVERLAY_COMPOSITION_FORMAT_RGB, static_cast<guint>(width),
                            static_cast<guint>(height));
  return {buffer, [](GstBuffer* owned) { gst_buffer_unref(owned); }};
}

// Some hundred of them, many over each other.
std::vector<OverlayPatch> make_patches(const std::vector<unsigned>& alphas) {
  Random random(7);
  const auto below = [&](int limit) {
    return static_cast<int>(random.below(static_cast<unsigned>(limit)));
  };
  std::vector<OverlayPatch> patches;
  for (int i = 0; i < 300; ++i) {
    const int width = 1 + below(60);
    const int height = 1 + below(i % 10 == 0 ? 100 : 12);
    const std::uint32_t color = static_cast<std::uint32_t>(below(0x1000000));
    const unsigned alpha = alphas[static_cast<std::size_t>(i) % alphas.size()];
    patches.push_back({make_pixels(width, height, alpha << 24 | color),
                       {below(kWidth - width), below(kHeight - height), width, height}});
  }
  return patches;
}

void blend_one_by_one(GstVideoFrame* frame, const std::vector<OverlayPatch>& patches) {
  for (const OverlayPatch& patch : patches) {
    GstVideoOverlayRectangle* rectangle = gst_video_overlay_rectangle_new_raw(
        patch.pixels.get(), patch.place.x, patch.place.y, static_cast<guint>(patch.place.width),
        static_cast<guint>(patch.place.height), GST_VIDEO_OVERLAY_FORMAT_FLAG_NONE);
    GstVideoOverlayComposition* composition = gst_video_overlay_composition_new(rectangle);
    gst_video_overlay_composition_blend(composition, frame);
    gst_video_overlay_composition_unref(composition);
    gst_video_overlay_rectangle_unref(rectangle);
  }
}

constexpr int kLevel = 257;  // of 255 in 65535

// All but the one with a palette.
std::vector<GstVideoFormat> drawable_formats() {
  std::vector<GstVideoFormat> formats = test::all_video_formats();
  std::erase(formats, GST_VIDEO_FORMAT_RGB8P);
  return formats;
}

class OverlayLayerFormats : public ::testing::TestWithParam<GstVideoFormat> {
 protected:
  static bool is_wide() {
    return test::has_wide_pixels(test::video_info(GetParam(), kWidth, kHeight));
  }
  // Of the component with the fewest bits, of 65535.
  static int smallest_step() {
    const GstVideoFormatInfo* format = gst_video_format_get_info(GetParam());
    int bits = 16;
    for (guint c = 0; c < format->n_components; ++c) {
      bits = std::min(bits, static_cast<int>(format->depth[c]));
    }
    return 65535 / ((1 << bits) - 1);
  }
  // The greatest difference of any component to patches drawn one after the other, of 65535.
  static int difference(const std::vector<OverlayPatch>& patches) {
    const GstVideoInfo info = test::video_info(GetParam(), kWidth, kHeight);
    const BufferPtr together = test::make_picture(info);
    const BufferPtr single = test::make_picture(info);
    {
      test::FrameMap map(together.get(), info, GST_MAP_READWRITE);
      EXPECT_TRUE(blend_patches(*map.get(), patches));
    }
    {
      test::FrameMap map(single.get(), info, GST_MAP_READWRITE);
      blend_one_by_one(map.get(), patches);
    }
    const test::Pixels a = test::read_pixels(together.get(), info);
    const test::Pixels b = test::read_pixels(single.get(), info);
    int most = 0;
    for (int y = 0; y < kHeight; ++y) {
      for (int x = 0; x < kWidth; ++x) {
        for (std::size_t c = 0; c < 4; ++c) {
          most = std::max(most, std::abs(a.at(x, y)[c] - b.at(x, y)[c]));
        }
      }
    }
    return most;
  }
};

// Where patches overlap, what they make together is rounded to 8 bits before it meets the frame;
// one after the other they are rounded to the bits of the frame's format each time.
TEST_P(OverlayLayerFormats, OpaquePatchesAreThoseOfGStreamer) {
  // To formats of more than 8 bits the alpha of a patch is 255/256 at most, so that something of
  // the patch below shines through.
  const int tolerance = is_wide() ? kLevel : 0;
  EXPECT_LE(difference(make_patches({255})), tolerance);
  EXPECT_LE(difference(make_patches({0, 255})), tolerance);
}

TEST_P(OverlayLayerFormats, TranslucentPatchesDifferByRounding) {
  EXPECT_LE(difference(make_patches({255, 140, 30, 200})), 3 * std::max(kLevel, smallest_step()));
}

INSTANTIATE_TEST_SUITE_P(All, OverlayLayerFormats, ::testing::ValuesIn(drawable_formats()),
                         test::format_name);

TEST(OverlayLayer, EachRowIsTakenApartOnce) {
  const std::vector<OverlayPatch> patches = make_patches({255, 140});
  std::vector<int> taken(kHeight);
  lay_over_each_other(patches, kWidth, kHeight, true, [&](const OverlayPatch& patch) {
    for (int y = patch.place.y; y < patch.place.bottom(); ++y) ++taken[static_cast<std::size_t>(y)];
  });
  EXPECT_EQ(*std::max_element(taken.begin(), taken.end()), 1);
}

TEST(OverlayLayer, NoPixelIsDrawnTwice) {
  const std::vector<OverlayPatch> patches = make_patches({255, 140});
  std::vector<int> taken(kHeight * kWidth);
  lay_over_each_other(patches, kWidth, kHeight, false, [&](const OverlayPatch& patch) {
    const GstVideoMeta* meta = gst_buffer_get_video_meta(patch.pixels.get());
    GstMapInfo map;
    ASSERT_TRUE(gst_buffer_map(patch.pixels.get(), &map, GST_MAP_READ));
    for (int y = 0; y < patch.place.height; ++y) {
      for (int x = 0; x < patch.place.width; ++x) {
        std::uint32_t argb = 0;
        std::memcpy(&argb, map.data + y * meta->stride[0] + x * 4, sizeof(argb));
        const int at = (patch.place.y + y) * kWidth + patch.place.x + x;
        if (argb >> 24 != 0) ++taken[static_cast<std::size_t>(at)];
      }
    }
    gst_buffer_unmap(patch.pixels.get(), &map);
  });
  EXPECT_EQ(*std::max_element(taken.begin(), taken.end()), 1);
  for (const OverlayPatch& patch : patches) {
    for (int y = patch.place.y; y < patch.place.bottom(); ++y) {
      for (int x = patch.place.x; x < patch.place.right(); ++x) {
        ASSERT_EQ(taken[static_cast<std::size_t>(y * kWidth + x)], 1);
      }
    }
  }
}

TEST(OverlayLayer, BitmapsAreSharedByAnyNumberOfPatches) {
  const std::shared_ptr<GstBuffer> pixels = make_pixels(20, 20, 0xff123456);
  std::vector<OverlayPatch> patches;
  for (int i = 0; i < 1000; ++i) patches.push_back({pixels, {i % 300, i % 200, 20, 20}});
  int used = 0;
  lay_over_each_other(patches, kWidth, kHeight, false, [&](const OverlayPatch&) { ++used; });
  EXPECT_GT(used, 0);
  GstMapInfo map;
  ASSERT_TRUE(gst_buffer_map(pixels.get(), &map, GST_MAP_WRITE)) << "still mapped";
  gst_buffer_unmap(pixels.get(), &map);
}

TEST(OverlayLayer, WhatLiesAloneIsPassedOn) {
  const std::vector<OverlayPatch> patches = {{make_pixels(20, 4, ~0u), {10, 10, 20, 4}},
                                             {make_pixels(4, 60, ~0u), {10, 14, 4, 60}}};
  std::vector<const GstBuffer*> used;
  lay_over_each_other(patches, kWidth, kHeight, false,
                      [&](const OverlayPatch& patch) { used.push_back(patch.pixels.get()); });
  EXPECT_EQ(used,
            (std::vector<const GstBuffer*>{patches[0].pixels.get(), patches[1].pixels.get()}));
}

}  // namespace
}  // namespace cltrack::gst
