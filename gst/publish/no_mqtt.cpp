// SPDX-License-Identifier: LGPL-2.1-or-later
// In a build without libmosquitto.
#include "cltrack/error.h"
#include "publish/mqtt_outlet.h"

namespace cltrack::gst {

bool has_mqtt() { return false; }

std::unique_ptr<Outlet> make_mqtt_outlet(MqttConfig) {
  throw Error(ErrorCode::invalid_argument,
              "Property address: this build knows no MQTT. Install libmosquitto (Debian: "
              "libmosquitto-dev) and build again with -Dmqtt=enabled, or write to location or fd");
}

}  // namespace cltrack::gst
