// SPDX-License-Identifier: LGPL-2.1-or-later
#include "properties/tracker_properties.h"

#include "cltrack/tld_config.h"
#include "properties/config_properties.h"
#include "properties/target_settings.h"
#include "properties/tracker_settings.h"

namespace cltrack::gst {

void install_tracker_properties(GObjectClass* klass, GType algorithm_type, int default_algorithm,
                                const char* default_label) {
  constexpr int kReadWrite = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS;
  constexpr auto kReady = static_cast<GParamFlags>(kReadWrite | GST_PARAM_MUTABLE_READY);
  constexpr auto kPlaying = static_cast<GParamFlags>(kReadWrite | GST_PARAM_MUTABLE_PLAYING);
  const TldConfig defaults;

  /**
   * GstClTracker:algorithm:
   *
   * How targets are tracked: `tld` (tracking, learning, detection) or `template` (template
   * matching).
   */
  g_object_class_install_property(
      klass, kAlgorithm,
      g_param_spec_enum("algorithm", "Algorithm",
                        "Tracking algorithm; takes effect when the element starts", algorithm_type,
                        default_algorithm, kReady));

  /**
   * GstClTracker:object-initial-x:
   *
   * Left edge of a target's box, pixels. The four properties object-initial-x, -y, -width and
   * -height together are one target, from the moment when any of them is set; all four set to 0
   * are none. Their default is that of cvtracker, so that a line that sets only some of them
   * means the same box. Changed while PLAYING, they replace all targets on the next buffer; those
   * of one g_object_set() act together.
   */
  const auto install_initial = [&](guint id, const char* name, const char* nick,
                                   const char* blurb) {
    g_object_class_install_property(klass, id,
                                    g_param_spec_uint(name, nick, blurb, 0, G_MAXUINT,
                                                      TargetSettings::kInitialDefault, kPlaying));
  };
  install_initial(kInitialX, "object-initial-x", "Initial x",
                  "Left edge of the target's box, pixels. No target until one of "
                  "object-initial-x, -y, -width, -height is set, or if all are 0; may be changed "
                  "at any time, replaces all targets on the next buffer");
  /**
   * GstClTracker:object-initial-y:
   *
   * Top edge of a target's box, pixels; see #GstClTracker:object-initial-x.
   */
  install_initial(kInitialY, "object-initial-y", "Initial y",
                  "Top edge of the target's box, pixels; see object-initial-x");
  /**
   * GstClTracker:object-initial-width:
   *
   * Width of a target's box, pixels, 8 at least; see #GstClTracker:object-initial-x.
   */
  install_initial(kInitialWidth, "object-initial-width", "Initial width",
                  "Width of the target's box, pixels, 8 at least; see object-initial-x");
  /**
   * GstClTracker:object-initial-height:
   *
   * Height of a target's box, pixels, 8 at least; see #GstClTracker:object-initial-x.
   */
  install_initial(kInitialHeight, "object-initial-height", "Initial height",
                  "Height of the target's box, pixels, 8 at least; see object-initial-x");

  /**
   * GstClTracker:targets:
   *
   * Boxes to track, besides that of object-initial-*: an array of arrays of x, y, width, height
   * (numbers of any type, pixels; parts of pixels count) and, if wanted, a label:
   * `targets="<<10,20,50,50>,<60.5,20,30,40,\"car\">>"`. Code can append values of one type only to
   * a #GstValueArray; what mixes them is best set as text, with gst_util_set_object_arg().
   * GStreamer takes labels such as 50, 1.50, 007, true or Max for numbers and truth values, in
   * older versions even in quotes: they are labels here, but 1.50 has become 1.5 then, 007 is 7,
   * yes is true, 9:41 is 1:41 and Max is max; `(string)1.50` is what is written. At least 8x8
   * pixels of a box must lie inside the frame. Set while PLAYING, to the same value even, it
   * replaces all targets on the next buffer, and they get new ids; `<>` removes them. A value that
   * is not allowed changes nothing and is answered by a warning while the element runs, or by an
   * error when it starts.
   */
  g_object_class_install_property(
      klass, kTargets,
      gst_param_spec_array("targets", "Targets",
                           "Boxes to track, <<x,y,width,height>,<x,y,width,height,\"label\">,...>, "
                           "in pixels, at least 8x8 of them inside the frame; may be changed at "
                           "any time, replaces all targets on the next buffer",
                           nullptr, kPlaying));
  /**
   * GstClTracker:targets-json:
   *
   * The same as #GstClTracker:targets, as a text: a list of objects, or one of them, with the
   * numbers `x`, `y`, `width`, `height` in pixels and, if wanted, the string `label`. For programs
   * and services that can set strings only.
   */
  g_object_class_install_property(
      klass, kTargetsJson,
      g_param_spec_string("targets-json", "Targets as JSON",
                          "The same as targets, as "
                          "[{\"x\":10,\"y\":20,\"width\":50,\"height\":50,\"label\":\"car\"},...]; "
                          "may be changed at any time, replaces all targets on the next buffer",
                          "[]", kPlaying));
  /**
   * GstClTracker:label:
   *
   * Label of targets that have none of their own, and type of their #GstVideoRegionOfInterestMeta.
   * A value that is not UTF-8 is answered as a bad value of #GstClTracker:targets.
   */
  g_object_class_install_property(
      klass, kLabel,
      g_param_spec_string("label", "Label",
                          "Label of targets without a label of their own; may be changed at any "
                          "time, applies to targets that are set later",
                          default_label, kPlaying));
  /**
   * GstClTracker:seed:
   *
   * Seed of all random choices: the same seed and video give the same boxes.
   */
  g_object_class_install_property(
      klass, kSeed,
      g_param_spec_uint64(
          "seed", "Seed",
          "Seed of all random choices, any number; takes effect when the element starts, "
          "or on a new stream",
          0, G_MAXUINT64, defaults.seed, kReady));
  /**
   * GstClTracker:learning:
   *
   * Learn from the targets as they change. With %FALSE the models stay as they are; tracking and
   * re-detection go on.
   */
  g_object_class_install_property(
      klass, kLearning,
      g_param_spec_boolean("learning", "Learning",
                           "Update the models of the targets; may be changed at any time, "
                           "takes effect on the next buffer",
                           defaults.learning, kPlaying));
  /**
   * GstClTracker:placement:
   *
   * Which stage runs on which device: a #GstStructure with the strings `motion`, `ferns`, `nn` and
   * `learn`, or `match`. Of a stage that was left to `auto`, it has the times that decided, once
   * they are known. %NULL while the element is stopped.
   */
  g_object_class_install_property(
      klass, kPlacement,
      g_param_spec_boxed("placement", "Placement",
                         "Which stage runs on which device, from the start of the element on",
                         GST_TYPE_STRUCTURE,
                         static_cast<GParamFlags>(G_PARAM_READABLE | G_PARAM_STATIC_STRINGS)));
  /**
   * GstClTracker:template-location:
   *
   * Path of a picture of a further target of algorithm=template, which is looked for in the whole
   * frame from the first one on: of any format that GStreamer decodes, its brightness counts, and
   * it must not be larger than the frame. It has to be a regular file with 8192x8192 pixels at
   * most; a PNG or JPEG file must not be cut short.
   */
  g_object_class_install_property(
      klass, kTemplateLocation,
      g_param_spec_string(
          "template-location", "Template location",
          "Path of a picture to search for, in addition to the targets: a regular file, "
          "at most 8192x8192 pixels; of algorithm=template; takes effect when the "
          "element starts",
          nullptr, kReady));
  /**
   * GstClTracker:region:
   *
   * polygons within which TLD and template matching may find lost targets again, and
   * detections of elements before this one count (the centre of a box decides). Targets that are
   * followed may leave them.
   */
  g_object_class_install_property(
      klass, kRegion,
      g_param_spec_string("region", "Region",
                          "Polygons within which targets are found again and detections count, "
                          "as 0.1,0.2 0.9,0.2 0.5,0.8 in parts of the picture's width and height, "
                          "separated by semicolons; empty: everywhere; may be changed at any time, "
                          "takes effect on the next buffer",
                          "", kPlaying));
  /**
   * GstClTracker:ignore-regions:
   *
   * Polygons within which no target is found again, and no detection counts: a clock, a screen, a
   * road outside. As #GstClTracker:region.
   */
  g_object_class_install_property(
      klass, kIgnoreRegions,
      g_param_spec_string("ignore-regions", "Ignored regions",
                          "Polygons within which no target is found again and no detection counts, "
                          "as in region; may be changed at any time, takes effect on the next "
                          "buffer",
                          "", kPlaying));
  install_detection_properties(klass, kFirstDetection);
  install_device_settings(klass, kFirstDeviceSetting);
  install_template_settings(klass, kFirstTemplateSetting);
  install_config_properties(klass, kFirstTldSetting, tld_fields(),
                            "takes effect when the element starts, or on a new stream");
}

}  // namespace cltrack::gst
