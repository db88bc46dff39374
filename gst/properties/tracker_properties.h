// SPDX-License-Identifier: LGPL-2.1-or-later
// The properties of cltracker: ids and descriptions.
#pragma once

#include <gst/gst.h>

#include "properties/detection_properties.h"
#include "properties/device_settings.h"

namespace cltrack::gst {

enum TrackerProperty : guint {
  kAlgorithm = 1,
  kInitialX,
  kInitialY,
  kInitialWidth,
  kInitialHeight,
  kTargets,
  kTargetsJson,
  kLabel,
  kSeed,
  kLearning,
  kPlacement,
  kTemplateLocation,
  kRegion,
  kIgnoreRegions,
  kFirstDetection,
  kFirstDeviceSetting = kFirstDetection + kDetectionProperties,
  kFirstTemplateSetting = kFirstDeviceSetting + kDeviceSettings,
  kFirstTldSetting = kFirstTemplateSetting + 100,
};

void install_tracker_properties(GObjectClass* klass, GType algorithm_type, int default_algorithm,
                                const char* default_label);

}  // namespace cltrack::gst
