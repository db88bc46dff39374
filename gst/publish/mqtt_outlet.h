// SPDX-License-Identifier: LGPL-2.1-or-later
// Messages to an MQTT broker. Includes nothing of libmosquitto, which is optional.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "publish/outlet.h"

namespace cltrack::gst {

// Messages to an MQTT broker. Under the topic of the config are
//   tracks     Message::Kind::tracks
//   events     Message::Kind::event
//   zones/X    Message::Kind::zone, of the zone of that name
//   available  "online", and "offline" from the last will; retained

struct MqttConfig {
  std::string host;
  std::uint16_t port = 1883;
  std::string topic;
  std::string client_id;
  std::string username;  // empty: none
  std::string password;
  bool tls = false;
  std::string ca_file;  // empty: those that the system trusts
  std::string cert_file;
  std::string key_file;
  int qos = 1;                      // 0 to 2
  std::uint32_t max_in_flight = 0;  // messages; 0: what brokers take with this qos

  // Messages that are under way at most. More of them are sent faster over a slow network, and
  // again after its end. Brokers limit them, mosquitto those of QoS 2 to 20, and refuse more: with
  // MQTT 3.1.1 nobody can tell.
  std::size_t most_under_way() const {
    if (max_in_flight > 0) return max_in_flight;
    return qos == 2 ? 10 : 64;
  }
};

// Whether this build knows MQTT.
bool has_mqtt();

// Connects when it is opened. Throws Error if this build knows no MQTT, or if a file cannot be
// used.
std::unique_ptr<Outlet> make_mqtt_outlet(MqttConfig config);

}  // namespace cltrack::gst
