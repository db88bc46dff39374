// SPDX-License-Identifier: LGPL-2.1-or-later
// The properties of trackpublish, and the outlet that they name.
#pragma once

#include <gst/gst.h>

#include <cstdint>
#include <memory>
#include <string>

#include "properties/property_table.h"
#include "publish/mqtt_outlet.h"
#include "publish/outlet.h"
#include "publish/track_reports.h"

namespace cltrack::gst {

struct PublishSettings {
  std::string location;  // empty: none
  int descriptor = -1;   // below 0: none
  MqttConfig mqtt;       // host empty: none; port 0: that of the protocol
  std::string source;    // empty: the element's name
  PublishMode mode = PublishMode::every_frame;
  bool events = true;
  std::uint32_t queue_size = 10000;  // messages
  std::uint64_t queue_bytes = 64 << 20;
  std::uint64_t flush_timeout = 2 * GST_SECOND;  // ns

  PublishSettings();
};

const PropertyTable<PublishSettings>& publish_properties();

// The outlet that the properties of trackpublish name.

// The property source, or else the name of the element.
std::string source_of(const PublishSettings& settings, const char* element_name);

// Not opened; `settings` have a source. Throws Error if they name none, more than one, or one that
// cannot be.
std::unique_ptr<Outlet> make_outlet(const PublishSettings& settings);

}  // namespace cltrack::gst
