// SPDX-License-Identifier: LGPL-2.1-or-later
// The properties of trackzones.
#pragma once

#include <string>
#include <vector>

#include "cltrack/zones.h"
#include "files/picture_folder.h"
#include "properties/property_table.h"

namespace cltrack::gst {

struct ZonesSettings {
  std::string text;   // of zones, as it was given
  std::string file;   // empty: none
  std::string state;  // file of totals; empty: none
  ZonesConfig config;
  bool messages = true;
  PictureSettings pictures;
};

const PropertyTable<ZonesSettings>& zones_properties();

}  // namespace cltrack::gst
