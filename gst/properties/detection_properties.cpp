// SPDX-License-Identifier: LGPL-2.1-or-later
#include "properties/detection_properties.h"

#include <sstream>
#include <string>

#include "properties/property_text.h"

namespace cltrack::gst {
namespace {

enum Property : guint { kUse, kTypes, kConfidence, kTimeout };

GType use_type() {
  static const GEnumValue values[] = {
      {static_cast<int>(DetectionUse::ignore), "Detections are not looked at", "ignore"},
      {static_cast<int>(DetectionUse::start), "Detections start tracks", "start"},
      {static_cast<int>(DetectionUse::start_and_correct), "And put tracks where they are detected",
       "start-and-correct"},
      {static_cast<int>(DetectionUse::when_lost), "And put lost tracks where they are detected",
       "when-lost"},
      {0, nullptr, nullptr}};
  static const GType type = register_enum("GstClTrackerDetections", values);
  return type;
}

std::vector<std::string> split(const char* text) {
  std::vector<std::string> types;
  std::istringstream words(text != nullptr ? text : "");
  for (std::string type; std::getline(words, type, ',');) {
    if (!type.empty()) types.push_back(type);
  }
  return types;
}

std::string joined(const std::vector<std::string>& types) {
  std::string text;
  for (const std::string& type : types) text += (text.empty() ? "" : ",") + type;
  return text;
}

}  // namespace

void install_detection_properties(GObjectClass* klass, guint first) {
  constexpr auto kPlaying = static_cast<GParamFlags>(G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS |
                                                     GST_PARAM_MUTABLE_PLAYING);
  const DetectionSettings defaults;
  /**
   * GstClTracker:detections:
   *
   * What is done with the regions of interest that elements before this one have found: `ignore`;
   * `start` tracks where no track is; `start-and-correct`, which also puts tracks where they are
   * detected; `when-lost`, which does so with lost tracks alone. Detections need not come with
   * every buffer.
   */
  g_object_class_install_property(
      klass, first + kUse,
      g_param_spec_enum(
          "detections", "Detections",
          "What is done with regions that elements before this one have found; may be "
          "changed at any time, takes effect on the next buffer",
          use_type(), static_cast<int>(defaults.use), kPlaying));
  /**
   * GstClTracker:detection-types:
   *
   * Types of regions that count as detections, separated by commas. Empty: all types.
   */
  g_object_class_install_property(
      klass, first + kTypes,
      g_param_spec_string("detection-types", "Detection types",
                          "Types of regions that count, separated by commas, such as person,car; "
                          "empty: all; may be changed at any time",
                          "", kPlaying));
  /**
   * GstClTracker:detection-confidence:
   *
   * Least confidence of a detection that counts. Those that say nothing of it count.
   */
  g_object_class_install_property(
      klass, first + kConfidence,
      g_param_spec_float("detection-confidence", "Detection confidence",
                         "Least confidence of a detection that counts; may be changed at any time",
                         0, 1, defaults.least_confidence, kPlaying));
  /**
   * GstClTracker:detection-timeout:
   *
   * A track that a detection has started ends after this time without a detection that confirms it,
   * in nanoseconds, as soon as another detection comes. 0: never.
   */
  g_object_class_install_property(
      klass, first + kTimeout,
      g_param_spec_uint64(
          "detection-timeout", "Detection timeout",
          "Time without a confirming detection, while others come, after which a "
          "track that a detection has started ends, ns; 0: never; may be changed at "
          "any time",
          0, G_MAXUINT64, defaults.timeout, kPlaying));
}

bool set_detection_property(DetectionSettings& settings, guint id, guint first,
                            const GValue* value) {
  switch (id - first) {
    case kUse:
      settings.use = static_cast<DetectionUse>(g_value_get_enum(value));
      return true;
    case kTypes:
      settings.types = split(g_value_get_string(value));
      return true;
    case kConfidence:
      settings.least_confidence = g_value_get_float(value);
      return true;
    case kTimeout:
      settings.timeout = g_value_get_uint64(value);
      return true;
    default:
      return false;
  }
}

bool get_detection_property(const DetectionSettings& settings, guint id, guint first,
                            GValue* value) {
  switch (id - first) {
    case kUse:
      g_value_set_enum(value, static_cast<int>(settings.use));
      return true;
    case kTypes:
      g_value_set_string(value, joined(settings.types).c_str());
      return true;
    case kConfidence:
      g_value_set_float(value, settings.least_confidence);
      return true;
    case kTimeout:
      g_value_set_uint64(value, settings.timeout);
      return true;
    default:
      return false;
  }
}

}  // namespace cltrack::gst
