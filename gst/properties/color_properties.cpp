// SPDX-License-Identifier: LGPL-2.1-or-later
#include "properties/color_properties.h"

#include "cltrack/color_config.h"
#include "properties/config_properties.h"

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
                          "Label of objects without a label of their own; may be changed at any "
                          "time, applies to objects that are set later",
                          default_label, kPlaying));
  g_object_class_install_property(
      klass, kColorAllDevice,
      g_param_spec_string("device", "Device",
                          "Device of all stages: auto, host, cpu, gpu, "
                          "accelerator, an index such as 0.0, or part of a device's name "
                          "(cltrack-devices lists them); takes effect when the element starts",
                          defaults.placement.device.c_str(), kReady));
  g_object_class_install_property(
      klass, kColorDevice,
      g_param_spec_string("color-device", "Colour device",
                          "Device of the colour search (not set: as device)", nullptr, kReady));
  g_object_class_install_property(
      klass, kColorPlacement,
      g_param_spec_boxed("placement", "Placement",
                         "Which stage runs on which device, from the start of the element on",
                         GST_TYPE_STRUCTURE,
                         static_cast<GParamFlags>(G_PARAM_READABLE | G_PARAM_STATIC_STRINGS)));
  install_config_properties(klass, kFirstColorSetting, color_fields(),
                            "takes effect when the element starts, or on a new stream");
}

}  // namespace cltrack::gst
