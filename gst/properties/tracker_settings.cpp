// SPDX-License-Identifier: LGPL-2.1-or-later
#include "properties/tracker_settings.h"

#include "properties/config_properties.h"
#include "properties/device_settings.h"
#include "properties/label_text.h"
#include "properties/polygons.h"
#include "properties/targets_json.h"
#include "properties/template_settings.h"
#include "properties/tracker_properties.h"

namespace cltrack::gst {
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
