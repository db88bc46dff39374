// SPDX-License-Identifier: LGPL-2.1-or-later
// Makes docs/images/tracking.png: what cltracker ! trackoverlay make of a drawn scene, at four
// moments.
//
//   tracking_picture FILE
//
// Fails if what the captions say does not happen.
#include <gst/check/gstharness.h>
#include <gst/video/video.h>

#include <cstdio>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "examples/track_video/page.h"
#include "examples/track_video/thumbnail.h"
#include "metadata/track_meta.h"
#include "scoped.h"
#include "street_scene.h"

namespace {

using cltrack::BoundingBox;
using cltrack::gst::Scoped;
using cltrack::test::StreetScene;
using track_video::Page;
using track_video::Picture;

constexpr auto kWidth = StreetScene::kWidth;
constexpr auto kHeight = StreetScene::kHeight;

struct Shot {
  Picture picture;
  std::optional<BoundingBox> van;  // as it was found
  bool has_balloon = false;
};

using Buffer = Scoped<GstBuffer, gst_buffer_unref>;
using Surface = Scoped<cairo_surface_t, cairo_surface_destroy>;
using Cairo = Scoped<cairo_t, cairo_destroy>;

GstBuffer* drawn(int frame) {
  const Surface surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, kWidth, kHeight));
  const Cairo cairo(cairo_create(surface.get()));
  StreetScene::draw(cairo.get(), frame);
  cairo_surface_flush(surface.get());
  GstBuffer* buffer = gst_buffer_new_allocate(nullptr, kWidth * kHeight * 4, nullptr);
  gst_buffer_fill(buffer, 0, cairo_image_surface_get_data(surface.get()), kWidth * kHeight * 4);
  GST_BUFFER_PTS(buffer) =
      gst_util_uint64_scale(static_cast<guint64>(frame), GST_SECOND, StreetScene::kRate);
  GST_BUFFER_DURATION(buffer) = GST_SECOND / StreetScene::kRate;
  return buffer;
}

std::string target(const BoundingBox& box, const std::string& label) {
  char text[128];
  std::snprintf(text, sizeof text, "<%.0f,%.0f,%.0f,%.0f,%s>", double{box.x}, double{box.y},
                double{box.width}, double{box.height}, label.c_str());
  return text;
}

std::vector<Shot> track() {
  // With some seeds, a window of the bus is taken for the van for a frame or two.
  const std::string elements = "cltracker seed=1 targets=\"<" + target(StreetScene::van(0), "van") +
                               "," + target(StreetScene::balloon(0), "balloon") +
                               ">\" ! trackoverlay font-size=20 line-width=3";
  const Scoped<GstHarness, gst_harness_teardown> harness(gst_harness_new_parse(elements.c_str()));
  if (harness == nullptr) throw std::runtime_error("no such elements: " + elements);
  GstVideoInfo video;
  // What Cairo draws.
  gst_video_info_set_format(
      &video, G_BYTE_ORDER == G_LITTLE_ENDIAN ? GST_VIDEO_FORMAT_BGRx : GST_VIDEO_FORMAT_xRGB,
      kWidth, kHeight);
  video.fps_n = StreetScene::kRate;
  gst_harness_set_src_caps(harness.get(), gst_video_info_to_caps(&video));
  std::vector<Shot> shots;
  for (int frame = 0; frame < StreetScene::kFrames; ++frame) {
    const Buffer buffer(gst_harness_push_and_pull(harness.get(), drawn(frame)));
    Shot shot{track_video::thumbnail(buffer.get(), video, kWidth, kHeight), {}};
    for (const auto& region : cltrack::gst::read_tracks(buffer.get())) {
      if (region.id == 1) shot.van = region.box;
      if (region.id == 2) shot.has_balloon = true;
    }
    shots.push_back(std::move(shot));
  }
  return shots;
}

struct Moment {
  const char* caption;
  int frame;
};

// Whether the van is where the tracker says, or hidden and lost, and the balloon is tracked.
bool is_right(const std::vector<Shot>& shots, int frame) {
  const Shot& shot = shots[static_cast<std::size_t>(frame)];
  if (!shot.has_balloon || bool{shot.van} == StreetScene::is_hidden(frame)) return false;
  return !shot.van || overlap(*shot.van, StreetScene::van(frame)) > 0.6f;
}

// Those that the picture shows. Throws what has not come true.
std::vector<Moment> moments(const std::vector<Shot>& shots) {
  std::vector<int> lost;
  for (int frame = 0; frame < StreetScene::kFrames; ++frame) {
    if (StreetScene::is_hidden(frame) && is_right(shots, frame)) lost.push_back(frame);
  }
  if (lost.empty()) throw std::runtime_error("the van is not lost while it is hidden");
  const std::vector<Moment> all{{"1. You give boxes on one frame.", 0},
                                {"2. They are tracked.", lost.front() / 2},
                                {"3. The van is hidden: lost.", lost[lost.size() / 2]},
                                {"4. It is found again.", StreetScene::kFrames - 1}};
  for (const Moment& moment : all) {
    if (is_right(shots, moment.frame)) continue;
    throw std::runtime_error("on frame " + std::to_string(moment.frame) +
                             " this is not true: " + moment.caption);
  }
  return all;
}

void write(const std::vector<Shot>& shots, const std::string& file) {
  constexpr int kGap = 12;
  constexpr int kCaption = 40;
  const Page page(2 * kWidth + 3 * kGap, 2 * (kHeight + kCaption + kGap) + kGap);
  int index = 0;
  for (const auto& [caption, frame] : moments(shots)) {
    const double x = kGap + index % 2 * (kWidth + kGap);
    const double y = kGap + index / 2 * (kHeight + kCaption + kGap);
    cairo_set_source_surface(page.cairo(), shots[static_cast<std::size_t>(frame)].picture.get(), x,
                             y);
    cairo_paint(page.cairo());
    page.text(x + 2, y + kHeight + 6, kWidth, caption, track_video::kBlack, 24);
    ++index;
  }
  page.write(file);
}

}  // namespace

int main(int argc, char** argv) {
  gst_init(&argc, &argv);
  if (argc != 2) {
    std::cerr << "Usage: tracking_picture FILE\n";
    return 2;
  }
  try {
    write(track(), argv[1]);
  } catch (const std::exception& error) {
    std::cerr << "tracking_picture: " << error.what() << '\n';
    return 1;
  }
}
