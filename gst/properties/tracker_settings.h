// SPDX-License-Identifier: LGPL-2.1-or-later
// The values of the properties of cltracker, and those of template matching.
#pragma once

#include <gst/gst.h>

#include <string>

#include "cltrack/search_region.h"
#include "cltrack/template_config.h"
#include "cltrack/tld_config.h"
#include "detections/detection.h"
#include "properties/target_settings.h"

namespace cltrack::gst {

// The parameters of template matching as properties: those of template_fields(), and its choices.

// Installs the properties with the ids first_id, first_id + 1, ... of `klass`.
void install_template_settings(GObjectClass* klass, guint first_id);

// The values of the properties of cltracker. Threading: not safe; the element holds the object
// lock.

enum Algorithm { kTld, kTemplate };

struct TrackerSettings {
  static constexpr const char* kDefaultLabel = "object";

  int algorithm = kTld;
  TldConfig tld;
  TemplateConfig match;  // fields that `tld` has too are taken from there
  Placement placement;   // of all stages, whatever the algorithm
  std::string template_location;
  TargetSettings targets;
  DetectionSettings detections;
  SearchRegion search;
  std::string label = kDefaultLabel;

  TldConfig tld_config() const;
  TemplateConfig template_config() const;

  void set_label(const std::string& text) { label = text.empty() ? kDefaultLabel : text; }

  // Properties by their ids (TrackerProperty). False for those that are not among them: nothing of
  // `placement` is here, and what is said of `targets` and `label` has to be checked before.
  bool set(guint id, const GValue* value);
  bool get(guint id, GValue* value) const;
};

}  // namespace cltrack::gst
