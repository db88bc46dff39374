// SPDX-License-Identifier: LGPL-2.1-or-later
// The properties of trackpublish, and the outlet that they name.
#pragma once

#include <gst/gst.h>

#include <cstdint>
#include <memory>
#include <string>

#include "publish/mqtt_outlet.h"
#include "publish/outlet.h"
#include "publish/track_reports.h"

G_BEGIN_DECLS

// The type of the property "mode".
#define GST_TYPE_TRACK_PUBLISH_MODE (gst_track_publish_mode_get_type())
GType gst_track_publish_mode_get_type(void);

G_END_DECLS

namespace cltrack::gst {

// The properties of trackpublish: names, descriptions and values.

struct PublishSettings {
  std::string location;  // empty: none
  int descriptor = -1;   // below 0: none
  MqttConfig mqtt;       // host empty: none; port 0: that of the protocol
  std::string source;    // empty: the element's name
  PublishMode mode = PublishMode::every_frame;
  bool events = true;
  std::uint32_t queue_size = 10000;              // messages
  std::uint64_t flush_timeout = 2 * GST_SECOND;  // ns

  PublishSettings();
};

void install_publish_properties(GObjectClass* klass);

// Both return false for an id that is none of ours. The caller keeps other threads off `settings`.
bool set_publish_property(PublishSettings& settings, guint id, const GValue* value);
bool get_publish_property(const PublishSettings& settings, guint id, GValue* value);

// The property "stats", which is not one of the settings.
inline constexpr guint kStatsProperty = 1000;

// The outlet that the properties of trackpublish name.

// The property source, or else the name of the element.
std::string source_of(const PublishSettings& settings, const char* element_name);

// Not opened; `settings` have a source. Throws Error if they name none, more than one, or one that
// cannot be.
std::unique_ptr<Outlet> make_outlet(const PublishSettings& settings);

}  // namespace cltrack::gst
