// SPDX-License-Identifier: LGPL-2.1-or-later
// The properties of cltracker.
#pragma once

#include <gst/gst.h>

#include <string>

#include "cltrack/search_region.h"
#include "cltrack/template_config.h"
#include "cltrack/tld_config.h"
#include "detections/detection.h"
#include "properties/base_properties.h"
#include "properties/target_settings.h"

namespace cltrack::gst {

// The values of the properties of cltracker. Threading: not safe; the element holds the object
// lock.

enum Algorithm { kTld, kTemplate };

struct TrackerSettings {
  Algorithm algorithm = kTld;
  TldConfig tld;
  TemplateConfig match;  // fields that `tld` has too are taken from there
  Placement placement;   // of all stages, whatever the algorithm
  std::string template_location;
  std::string network;
  TargetSettings targets;
  DetectionSettings detections;
  SearchRegion search;
  std::string label = kDefaultLabel;

  TldConfig tld_config() const;
  TemplateConfig template_config() const;
};

const PropertyTable<TrackerSettings>& tracker_properties();

}  // namespace cltrack::gst
