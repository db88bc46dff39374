// SPDX-License-Identifier: LGPL-2.1-or-later
// Messages to an MQTT broker: client, and when it tries again to connect (exponential backoff).
#pragma once

#include <mosquitto.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "publish/message_queue.h"
#include "publish/outlet.h"
#include "scoped.h"

namespace cltrack::gst {

// How long to wait before the next try: twice as long after each failure, up to a bound.
class Backoff {
 public:
  static constexpr std::chrono::milliseconds kFirst{100};
  static constexpr std::chrono::milliseconds kLongest{5000};

  std::chrono::milliseconds next() {
    const std::chrono::milliseconds now = wait_;
    wait_ = std::min(2 * wait_, kLongest);
    return now;
  }
  void reset() { wait_ = kFirst; }

 private:
  std::chrono::milliseconds wait_ = kFirst;
};

// Messages to an MQTT broker. Under the topic of the config are
//   tracks     Message::Kind::tracks
//   events     Message::Kind::event
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
  int qos = 1;  // 0 to 2
};

// Whether this build knows MQTT.
bool has_mqtt();

// Connects when it is opened. Throws Error if this build knows no MQTT, or if a file cannot be
// used.
std::unique_ptr<Outlet> make_mqtt_outlet(MqttConfig config);

// One connection to an MQTT broker, from its begin to its end. The only place that knows
// libmosquitto.
//
// libmosquitto would send again by itself what was under way when a connection ended, and nobody
// could tell; so a connection is never used again, and MessageQueue sends again, with a mark. Nor
// does libmosquitto's own thread run: all is done in wait().
class MqttClient {
 public:
  // Begins to connect. Throws Error.
  explicit MqttClient(const MqttConfig& config);
  // Says that it goes, if it is connected.
  ~MqttClient();
  MqttClient(const MqttClient&) = delete;
  MqttClient& operator=(const MqttClient&) = delete;

  bool is_connected() const { return is_connected_; }
  bool is_ready() const;

  // These throw Error when the connection has ended.
  void send(Ticket ticket, const Message& message);
  void wait(int wake, std::chrono::milliseconds longest);

  // Of those arrived.
  std::vector<Ticket> take_sent() { return std::exchange(sent_, {}); }

 private:
  using Clock = std::chrono::steady_clock;

  static void on_connect(mosquitto*, void* self, int code);
  static void on_publish(mosquitto*, void* self, int id);
  static void on_log(mosquitto*, void* self, int level, const char* text);

  void configure();
  // Throws unless `code` is that of success.
  void check(int code);
  void announce(const char* text);
  short awaited_events() const;
  void work(short events);
  void see_acknowledged();

  const MqttConfig& config_;
  Scoped<mosquitto, mosquitto_destroy> client_;
  bool is_connected_ = false;
  bool is_reached_ = false;  // the broker's host has taken the connection
  std::string refusal_;      // by the broker
  std::string last_error_;   // that libmosquitto has logged: of TLS, it says more than the code
  Clock::time_point connected_by_;
  std::vector<int> acknowledged_;  // ids of libmosquitto, in the order of their arrival
  std::map<int, Ticket> under_way_;
  std::vector<Ticket> sent_;
};

}  // namespace cltrack::gst
