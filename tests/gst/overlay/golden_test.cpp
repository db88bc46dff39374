// SPDX-License-Identifier: LGPL-2.1-or-later
// Each style on one scene, compared with a picture of it that somebody has looked at. With
// CLTRACK_GOLDEN_WRITE=1 the pictures are written anew: look at them.
#include <cairo.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "../support/overlay_harness.h"
#include "scoped.h"

namespace cltrack::test {
namespace {

using Surface = gst::Scoped<cairo_surface_t, cairo_surface_destroy>;

constexpr int kWidth = 160;
constexpr int kHeight = 120;
constexpr int kCell = 4;  // pixels, in which pictures are compared

// Something like a face, of a colour of its own, at each of three places of a checkered ground.
int scene_at(int x, int y, int component) {
  struct Face {
    int x, y, radius;
  };
  constexpr Face kFaces[] = {{40, 50, 24}, {110, 40, 16}, {150, 100, 20}};
  const bool checked = (x / 10 + y / 10) % 2 == 0;
  const int ground[] = {255, checked ? 40 : 70, checked ? 70 : 50, checked ? 60 : 110};
  for (const Face& face : kFaces) {
    const int dx = x - face.x, dy = y - face.y, r = face.radius;
    if (dx * dx + dy * dy > r * r) continue;
    const int eye_x = std::abs(dx) - r * 2 / 5, eye_y = dy + r / 4;
    const bool is_eye = eye_x * eye_x + eye_y * eye_y < r * r / 36;
    const bool is_mouth = std::abs(dx) < r / 2 && dy > r * 2 / 5 && dy < r * 3 / 5;
    constexpr int kSkin[] = {255, 220, 180, 140};
    return component > 0 && (is_eye || is_mouth) ? 20 : kSkin[component];
  }
  return ground[component];
}

struct Golden {
  const char* name;
  const char* properties;
  bool has_tags = false;
};

void PrintTo(const Golden& golden, std::ostream* out) { *out << golden.name; }

Surface draw_scene(const Golden& golden) {
  const std::string tags =
      golden.has_tags ? ""
                      : " show-label=false show-id=false show-confidence=false show-state=false";
  OverlayHarness overlay(golden.properties + tags);
  // Cairo's pixels on this machine.
  const GstVideoInfo info =
      video_info(G_BYTE_ORDER == G_LITTLE_ENDIAN ? GST_VIDEO_FORMAT_BGRx : GST_VIDEO_FORMAT_xRGB,
                 kWidth, kHeight);
  overlay.set_caps(info);
  BufferPtr result;
  for (int frame = 0; frame < 8; ++frame) {
    const auto step = static_cast<float>(7 - frame);
    BufferPtr buffer = make_picture(info, 0, scene_at);
    std::vector<Track> tracks = {
        make_track(1, {16 + 4 * step, 26 + step * step / 2, 48, 48}),
        make_track(2, {94, 24 + 9 * step, 32, 32}, TrackState::uncertain, "b")};
    if (frame < 7) tracks.push_back(make_track(3, {130, 80, 30, 40}));
    add_tracks(buffer, info, tracks);
    result = overlay.pass(std::move(buffer));
    if (!result) throw std::runtime_error("nothing came out");
  }
  Surface surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, kWidth, kHeight));
  cairo_surface_flush(surface.get());
  FrameMap map(result.get(), info, GST_MAP_READ);
  for (int y = 0; y < kHeight; ++y) {
    std::memcpy(cairo_image_surface_get_data(surface.get()) +
                    y * cairo_image_surface_get_stride(surface.get()),
                static_cast<guint8*>(map.get()->data[0]) + y * map.get()->info.stride[0],
                std::size_t{kWidth} * 4);
  }
  cairo_surface_mark_dirty(surface.get());
  return surface;
}

// Means of cells of kCell x kCell pixels, of each colour.
std::vector<double> coarse(cairo_surface_t* surface) {
  constexpr int kColumns = kWidth / kCell;
  std::vector<double> means(std::size_t{kColumns} * (kHeight / kCell) * 3);
  for (int y = 0; y < kHeight; ++y) {
    const unsigned char* row =
        cairo_image_surface_get_data(surface) + y * cairo_image_surface_get_stride(surface);
    for (int x = 0; x < kWidth; ++x) {
      std::uint32_t pixel = 0;
      std::memcpy(&pixel, row + x * 4, sizeof pixel);
      const auto cell = static_cast<std::size_t>(y / kCell * kColumns + x / kCell) * 3;
      for (std::size_t c = 0; c < 3; ++c) {
        means[cell + c] += (pixel >> (16 - 8 * c) & 0xff) / double{kCell * kCell};
      }
    }
  }
  return means;
}

// Where tags are, which look different with every version of the fonts.
bool is_tag(std::size_t cell) {
  const auto x = static_cast<int>(cell) % (kWidth / kCell) * kCell;
  const auto y = static_cast<int>(cell) / (kWidth / kCell) * kCell;
  return y < 26 || (x >= 96 && y >= 56 && y < 80);
}

class OverlayGolden : public testing::TestWithParam<Golden> {};

TEST_P(OverlayGolden, LooksAsItDid) {
  const char* folder = std::getenv("CLTRACK_GOLDEN");
  if (folder == nullptr) GTEST_SKIP() << "CLTRACK_GOLDEN does not name the folder of the pictures";
  const std::string path = std::string(folder) + "/" + GetParam().name + ".png";
  const Surface drawn = draw_scene(GetParam());
  if (std::getenv("CLTRACK_GOLDEN_WRITE") != nullptr) {
    ASSERT_EQ(cairo_surface_write_to_png(drawn.get(), path.c_str()), CAIRO_STATUS_SUCCESS) << path;
    return;
  }
  const Surface golden(cairo_image_surface_create_from_png(path.c_str()));
  ASSERT_EQ(cairo_surface_status(golden.get()), CAIRO_STATUS_SUCCESS) << path;
  ASSERT_EQ(cairo_image_surface_get_width(golden.get()), kWidth);
  ASSERT_EQ(cairo_image_surface_get_height(golden.get()), kHeight);
  const std::vector<double> is = coarse(drawn.get());
  const std::vector<double> was = coarse(golden.get());
  int different = 0;
  for (std::size_t i = 0; i < is.size(); ++i) {
    if (GetParam().has_tags && is_tag(i / 3)) continue;
    different += std::abs(is[i] - was[i]) > 12;
  }
  EXPECT_LE(different, 3) << "of " << is.size() << " values";
}

INSTANTIATE_TEST_SUITE_P(
    All, OverlayGolden,
    testing::Values(Golden{"box", "style=box"}, Golden{"corners", "style=corners"},
                    Golden{"blur", "style=blur"}, Golden{"pixelate", "style=pixelate"},
                    Golden{"trails", "style=none trail-length=8 line-width=2"},
                    Golden{"chosen_box", "chosen-id=1"},
                    Golden{"chosen_corners", "style=corners chosen-id=1"},
                    Golden{"chosen_hidden", "style=pixelate chosen-id=1"},
                    Golden{"tags", "style=corners label-template=\"{label}{id}\"", true}),
    [](const auto& param_info) { return std::string(param_info.param.name); });

}  // namespace
}  // namespace cltrack::test
