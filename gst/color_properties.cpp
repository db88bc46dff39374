// SPDX-License-Identifier: LGPL-2.1-or-later
#include "color_properties.h"

#include "color/color_config.h"

namespace cltrack::gst {

void install_color_properties(GObjectClass* klass, const char* default_label) {
  constexpr int kReadWrite = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS;
  constexpr auto kReady = static_cast<GParamFlags>(kReadWrite | GST_PARAM_MUTABLE_READY);
  constexpr auto kPlaying = static_cast<GParamFlags>(kReadWrite | GST_PARAM_MUTABLE_PLAYING);
  const ColorConfig defaults;

  /**
   * GstClColorTracker:colors:
   *
   * What colour each object has: an array of 1 to 255 texts, each a structure of one of three
   * kinds. `"hsv, hue-min=340, hue-max=20, saturation-min=0.4, label=cap"` is a range of hue
   * (degrees, 0 to 360, through red where the least is above the greatest), saturation and value (0
   * to 1 each, -min and -max); what is not given is not limited. `"rgb, red=20, green=40, blue=200,
   * tolerance=30"` are colours near one (0 to 255 each; tolerance for each component, 30 if not
   * given). `"box, x=100, y=50, width=30, height=30"` is the colour of what is in a box (pixels) of
   * the next picture, as far as it tells it from the rest of that picture. Colours are told apart
   * in steps of 4 of 256. A colour that several claim is that of the first one. Code may also
   * append structures to the array; gst-launch-1.0 takes no spaces in it. Set while PLAYING, it
   * replaces all objects on the next buffer, and they get new ids. A value that is not allowed
   * changes nothing and is answered by a warning while the element runs, or by an error when it
   * starts.
   */
  g_object_class_install_property(
      klass, kColors,
      gst_param_spec_array("colors", "Colours",
                           "Colour of each object, <\"hsv,hue-min=340,hue-max=20,"
                           "saturation-min=0.4,label=cap\",\"rgb,red=20,green=40,blue=200,"
                           "tolerance=30\",\"box,x=1,y=2,width=30,height=30\">; may be "
                           "changed at any time, replaces all objects on the next buffer",
                           nullptr, kPlaying));
  /**
   * GstClColorTracker:label:
   *
   * Label of objects that have none of their own, and type of their #GstVideoRegionOfInterestMeta.
   */
  g_object_class_install_property(
      klass, kColorLabel,
      g_param_spec_string("label", "Label",
                          "Label of objects that have none of their own; may be changed at any "
                          "time, acts on objects that are set from then on",
                          default_label, kPlaying));
  /**
   * GstClColorTracker:blobs:
   *
   * How many objects a colour stands for. 0: one, made of all pixels of the colour wherever they
   * are. 1: one, the connected pixels that go on from where it was. More: up to so many objects,
   * connected pixels each, with ids of their own.
   */
  g_object_class_install_property(
      klass, kBlobs,
      g_param_spec_int(
          "blobs", "Blobs",
          "Objects of a colour: 0 is one, all pixels of the colour together; 1 is one, "
          "the connected pixels that go on from where it was; more are up to so many, "
          "each connected; acts when the element starts, or on a new stream",
          0, 16, defaults.blobs, kReady));
  /**
   * GstClColorTracker:minimum-area:
   *
   * Smallest object, pixels. With fewer pixels of its colour it is lost.
   */
  g_object_class_install_property(
      klass, kMinimumArea,
      g_param_spec_int("minimum-area", "Minimum area",
                       "Smallest object, pixels; acts when the element starts, or on a new stream",
                       1, G_MAXINT, defaults.minimum_area, kReady));
  /**
   * GstClColorTracker:area-ratio:
   *
   * An object whose area is less than this share of its usual one, or more than its inverse, is
   * `uncertain`: hidden in part, or mixed up with something of the same colour.
   */
  g_object_class_install_property(
      klass, kAreaRatio,
      g_param_spec_float("area-ratio", "Area ratio",
                         "Share of its usual area under which, and over whose inverse, an object "
                         "is uncertain; acts when the element starts, or on a new stream",
                         0, 1, defaults.area_ratio, kReady));
  /**
   * GstClColorTracker:reach:
   *
   * How far an object may be from where it is expected, to be the same one; in diagonals of its box
   * for each frame since it was seen. Of interest if #GstClColorTracker:blobs is not 0.
   */
  g_object_class_install_property(
      klass, kReach,
      g_param_spec_float("reach", "Reach",
                         "How far a blob may move from frame to frame, in diagonals of its box; "
                         "acts when the element starts, or on a new stream",
                         0, 1000, defaults.reach, kReady));
  /**
   * GstClColorTracker:trail:
   *
   * On how many of the latest frames the metadata tells where an object was: the centroids since it
   * was last missed, as the array `trail` (x, y, x, y, ..., pixels, the latest one last) of the
   * structure `cltrack`, which trackoverlay draws.
   */
  g_object_class_install_property(
      klass, kTrail,
      g_param_spec_int("trail", "Trail",
                       "On how many of the latest frames the metadata tells where an object was; "
                       "acts when the element starts, or on a new stream",
                       0, 1024, defaults.trail, kReady));
  g_object_class_install_property(
      klass, kColorThreads,
      g_param_spec_int("threads", "Threads",
                       "Threads that share a picture on the host; changes no result; acts when the "
                       "element starts, or on a new stream",
                       1, 64, defaults.threads, kReady));
  g_object_class_install_property(
      klass, kColorAllDevice,
      g_param_spec_string("device", "Device",
                          "Where all stages run that have a choice: auto, host, cpu, gpu, "
                          "accelerator, an index such as 0.0, or part of a device's name "
                          "(cltrack-devices lists them); acts when the element starts",
                          defaults.placement.device.c_str(), kReady));
  g_object_class_install_property(
      klass, kColorDevice,
      g_param_spec_string("color-device", "Colour device",
                          "Where colours are looked for, if not on device; as device", nullptr,
                          kReady));
  g_object_class_install_property(
      klass, kColorPlacement,
      g_param_spec_boxed("placement", "Placement",
                         "Which stage runs on which device, from the start of the element on",
                         GST_TYPE_STRUCTURE,
                         static_cast<GParamFlags>(G_PARAM_READABLE | G_PARAM_STATIC_STRINGS)));
}

}  // namespace cltrack::gst
