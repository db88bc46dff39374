// SPDX-License-Identifier: LGPL-2.1-or-later
#include "properties/tracker_settings.h"

#include "properties/config_properties.h"
#include "properties/device_settings.h"
#include "properties/overlay_text_properties.h"
#include "properties/target_settings.h"
#include "properties/tracker_properties.h"

namespace cltrack::gst {
namespace {

constexpr const char* kWhen =
    "of algorithm=template; takes effect when the element starts, or on a new stream";

// Enums come first, then numbers.
enum Choice : guint { kSimilarity, kSearch, kChoices };

GType similarity_type() {
  static const GEnumValue values[] = {
      {static_cast<int>(Similarity::ncc), "Zero-mean normalised cross-correlation", "ncc"},
      {static_cast<int>(Similarity::cosine), "Cosine similarity, without subtracting the mean",
       "cosine"},
      {0, nullptr, nullptr}};
  static const GType type = g_enum_register_static("GstClTrackerSimilarity", values);
  return type;
}

GType search_type() {
  static const GEnumValue values[] = {
      {static_cast<int>(TemplateSearch::window),
       "A window around the target; the whole frame after a loss", "window"},
      {static_cast<int>(TemplateSearch::frame), "Every whole frame, with the first template only",
       "frame"},
      {0, nullptr, nullptr}};
  static const GType type = g_enum_register_static("GstClTrackerSearch", values);
  return type;
}

}  // namespace

void install_template_settings(GObjectClass* klass, guint first_id) {
  constexpr auto flags = static_cast<GParamFlags>(G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS |
                                                  GST_PARAM_MUTABLE_READY);
  const TemplateConfig defaults;
  g_object_class_install_property(
      klass, first_id + kSimilarity,
      g_param_spec_enum(
          "similarity", "Similarity",
          "Similarity measure that locates the template; loss always depends on "
          "ncc; of algorithm=template; takes effect when the element starts, or on a new "
          "stream",
          similarity_type(), static_cast<int>(defaults.similarity), flags));
  g_object_class_install_property(
      klass, first_id + kSearch,
      g_param_spec_enum(
          "search", "Search",
          "Where the template is searched for; frame: exact, always a box, without "
          "scale, motion and running template; of algorithm=template; takes effect when the "
          "element starts, or on a new stream",
          search_type(), static_cast<int>(defaults.search), flags));
  install_config_properties(klass, first_id + kChoices, template_fields(), kWhen);
  gst_type_mark_as_plugin_api(similarity_type(), static_cast<GstPluginAPIFlags>(0));
  gst_type_mark_as_plugin_api(search_type(), static_cast<GstPluginAPIFlags>(0));
}

namespace {

// Reads or writes the field of `config` that belongs to the property `id`. Return false if it is
// none of those installed.
bool set_template_setting(TemplateConfig& config, guint id, guint first_id, const GValue* value) {
  if (id == first_id + kSimilarity) {
    config.similarity = static_cast<Similarity>(g_value_get_enum(value));
  } else if (id == first_id + kSearch) {
    config.search = static_cast<TemplateSearch>(g_value_get_enum(value));
  } else {
    return set_config_property(config, id, first_id + kChoices, value, template_fields());
  }
  return true;
}

bool get_template_setting(const TemplateConfig& config, guint id, guint first_id, GValue* value) {
  if (id == first_id + kSimilarity) {
    g_value_set_enum(value, static_cast<int>(config.similarity));
  } else if (id == first_id + kSearch) {
    g_value_set_enum(value, static_cast<int>(config.search));
  } else {
    return get_config_property(config, id, first_id + kChoices, value, template_fields());
  }
  return true;
}

}  // namespace

TldConfig TrackerSettings::tld_config() const {
  TldConfig config = tld;
  config.placement = placement.of(kTldStages);
  return config;
}

TemplateConfig TrackerSettings::template_config() const {
  TemplateConfig config = match;
  config.threads = tld.threads;
  config.max_targets = tld.max_targets;
  config.learning = tld.learning;
  config.placement = placement.of(kTemplateStages);
  return config;
}

bool TrackerSettings::set(guint id, const GValue* value) {
  switch (id) {
    case kAlgorithm:
      algorithm = g_value_get_enum(value);
      return true;
    case kInitialX:
    case kInitialY:
    case kInitialWidth:
    case kInitialHeight:
      targets.set_initial(static_cast<InitialBox>(id - kInitialX), g_value_get_uint(value));
      return true;
    case kSeed:
      tld.seed = g_value_get_uint64(value);
      return true;
    case kLearning:
      tld.learning = g_value_get_boolean(value);
      return true;
    case kTemplateLocation:
      template_location = string_of(value);
      return true;
    default:
      return set_detection_property(detections, id, kFirstDetection, value) ||
             set_device_setting(placement, id, kFirstDeviceSetting, value) ||
             set_template_setting(match, id, kFirstTemplateSetting, value) ||
             set_config_property(tld, id, kFirstTldSetting, value, tld_fields());
  }
}

bool TrackerSettings::get(guint id, GValue* value) const {
  switch (id) {
    case kAlgorithm:
      g_value_set_enum(value, algorithm);
      return true;
    case kInitialX:
    case kInitialY:
    case kInitialWidth:
    case kInitialHeight:
      g_value_set_uint(value, targets.initial(static_cast<InitialBox>(id - kInitialX)));
      return true;
    case kTargets:
      write_targets(targets.targets(), value);
      return true;
    case kTargetsJson:
      g_value_set_string(value, targets_json(targets.targets()).c_str());
      return true;
    case kLabel:
      g_value_set_string(value, label.c_str());
      return true;
    case kSeed:
      g_value_set_uint64(value, tld.seed);
      return true;
    case kLearning:
      g_value_set_boolean(value, tld.learning);
      return true;
    case kRegion:
      g_value_set_string(value, polygons_text(search.within).c_str());
      return true;
    case kIgnoreRegions:
      g_value_set_string(value, polygons_text(search.ignored).c_str());
      return true;
    case kTemplateLocation:
      g_value_set_string(value, template_location.empty() ? nullptr : template_location.c_str());
      return true;
    default:
      return get_detection_property(detections, id, kFirstDetection, value) ||
             get_device_setting(placement, id, kFirstDeviceSetting, value) ||
             get_template_setting(match, id, kFirstTemplateSetting, value) ||
             get_config_property(tld, id, kFirstTldSetting, value, tld_fields());
  }
}

}  // namespace cltrack::gst
