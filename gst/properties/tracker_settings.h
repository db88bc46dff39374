// SPDX-License-Identifier: LGPL-2.1-or-later
// The properties of cltracker.
#pragma once

#include <gst/gst.h>

#include <memory>
#include <string>

#include "cltrack/search_region.h"
#include "cltrack/template_config.h"
#include "cltrack/tld_config.h"
#include "cltrack/tracker.h"
#include "cltrack/tracker_devices.h"
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

// All that the element has to know of an algorithm.
struct AlgorithmKind {
  const char* name;  // in metadata
  std::shared_ptr<TrackerDevices> (*open)(const TrackerSettings& settings);
  // `max_targets`: as of the start.
  std::unique_ptr<Tracker> (*make)(const TrackerSettings& settings, int max_targets,
                                   std::shared_ptr<TrackerDevices> devices);
};
const AlgorithmKind& kind_of(Algorithm algorithm);

const PropertyTable<TrackerSettings>& tracker_properties();

}  // namespace cltrack::gst
