// SPDX-License-Identifier: LGPL-2.1-or-later
#include "random_caps.h"

namespace cltrack::test {
namespace {

struct Size {
  int width, height;
};

Size random_size(RandomValues& random) {
  switch (random.between(0, 19)) {
    case 0:
      return {1, 1};
    case 1:
      return {1, random.between(1, 4096)};
    case 2:
      return {random.between(1, 4096), 1};
    case 3:
    case 4:
      return {random.between(1, 9), random.between(1, 9)};
    case 5:
      return {16384, 16384};
    case 6:
      return {G_MAXINT, random.between(1, 2) == 1 ? 1 : G_MAXINT};
    default:
      return {random.between(8, 120), random.between(8, 90)};
  }
}

void add_odd_fields(RandomValues& random, GstCaps* caps) {
  if (random.chance(0.2f)) {
    constexpr const char* kModes[] = {"interleaved", "mixed", "fields"};
    gst_caps_set_simple(caps, "interlace-mode", G_TYPE_STRING, random.pick(kModes), nullptr);
  }
  if (random.chance(0.1f)) {
    gst_caps_set_simple(caps, "pixel-aspect-ratio", GST_TYPE_FRACTION, random.between(1, 5), 3,
                        nullptr);
  }
  if (random.chance(0.1f)) {
    gst_caps_set_simple(caps, "views", G_TYPE_INT, 2, "multiview-mode", G_TYPE_STRING,
                        "side-by-side", nullptr);
  }
  if (random.chance(0.1f)) {
    constexpr const char* kColorimetries[] = {"bt2020", "1:3:5:1", "no such thing"};
    gst_caps_set_simple(caps, "colorimetry", G_TYPE_STRING, random.pick(kColorimetries), nullptr);
  }
}

void add_feature(RandomValues& random, GstCaps* caps) {
  constexpr const char* kMemories[] = {"memory:DMABuf", "memory:GLMemory",
                                       "meta:GstVideoOverlayComposition"};
  if (random.chance(0.05f)) {
    gst_caps_set_simple(caps, "interlace-mode", G_TYPE_STRING, "alternate", nullptr);
    gst_caps_set_features(caps, 0, gst_caps_features_new("format:Interlaced", nullptr));
  } else if (random.chance(0.07f)) {
    gst_caps_set_features(caps, 0, gst_caps_features_new(random.pick(kMemories), nullptr));
  }
}

}  // namespace

CapsPtr random_caps(RandomValues& random, const std::vector<GstVideoFormat>& formats) {
  const GstVideoFormat format = random.pick(formats);
  const Size size = random_size(random);
  CapsPtr caps(gst_caps_new_simple("video/x-raw", "format", G_TYPE_STRING,
                                   gst_video_format_to_string(format), "width", G_TYPE_INT,
                                   size.width, "height", G_TYPE_INT, size.height, nullptr));
  if (random.chance(0.7f)) {
    const int rate = random.chance(0.3f) ? 0 : random.between(1, 60);
    gst_caps_set_simple(caps.get(), "framerate", GST_TYPE_FRACTION, rate, 1, nullptr);
  }
  add_odd_fields(random, caps.get());
  add_feature(random, caps.get());
  return caps;
}

std::string describe_caps(const GstCaps* caps) {
  gchar* text = gst_caps_to_string(caps);
  std::string result = text;
  g_free(text);
  return result;
}

}  // namespace cltrack::test
