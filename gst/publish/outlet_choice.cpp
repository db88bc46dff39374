// SPDX-License-Identifier: LGPL-2.1-or-later
#include "publish/outlet_choice.h"

#include <glib.h>

#include <array>
#include <string_view>
#include <utility>

#include "cltrack/error.h"
#include "publish/file_outlet.h"

namespace cltrack::gst {
namespace {

constexpr std::string_view kSourceHere = "{source}";
constexpr std::size_t kLongestTopic = 65000;  // bytes; MQTT's limit, with room for "/available"
constexpr std::uint16_t kPort = 1883;
constexpr std::uint16_t kTlsPort = 8883;

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorCode::invalid_argument, what);
}

std::string topic_of(std::string topic, const std::string& source) {
  const std::string given = topic;
  for (std::size_t at = 0; (at = topic.find(kSourceHere, at)) != std::string::npos;) {
    topic.replace(at, kSourceHere.size(), source);
    at += source.size();
  }
  if (topic.empty() || topic.size() > kLongestTopic ||
      topic.find_first_of("+#") != std::string::npos) {
    refuse("Property topic = \"" + given + "\", with source = \"" + source +
           "\": a topic has 1 to 65000 bytes, and neither + nor #");
  }
  return topic;
}

// Within the 23 characters that every broker takes.
std::string random_client_id() {
  std::array<char, 24> text;
  g_snprintf(text.data(), text.size(), "cltrack-%08x%07x", g_random_int(), g_random_int() >> 4);
  return text.data();
}

MqttConfig mqtt_config(const PublishSettings& settings) {
  MqttConfig config = settings.mqtt;
  if (!config.password.empty() && config.username.empty()) {
    refuse("Property password is set, but username is not: brokers want both");
  }
  const bool has_files =
      !config.ca_file.empty() || !config.cert_file.empty() || !config.key_file.empty();
  if (has_files && !config.tls) {
    refuse("Properties ca-file, cert-file and key-file are for TLS: set tls=true as well");
  }
  if (config.cert_file.empty() != config.key_file.empty()) {
    refuse("Properties cert-file and key-file belong together: set both or none");
  }
  config.topic = topic_of(std::move(config.topic), settings.source);
  if (config.client_id.empty()) config.client_id = random_client_id();
  if (config.port == 0) config.port = config.tls ? kTlsPort : kPort;
  return config;
}

}  // namespace

std::string source_of(const PublishSettings& settings, const char* element_name) {
  return settings.source.empty() ? element_name : settings.source;
}

std::unique_ptr<Outlet> make_outlet(const PublishSettings& settings) {
  const bool to_file = !settings.location.empty();
  const bool to_descriptor = settings.descriptor >= 0;
  const bool to_broker = !settings.mqtt.host.empty();
  if (int{to_file} + int{to_descriptor} + int{to_broker} != 1) {
    refuse(std::string(to_file || to_descriptor || to_broker
                           ? "More than one of the properties location, fd and address is set"
                           : "Nothing says where to publish to") +
           ": set location (a file), fd (a file descriptor) or address (an MQTT broker)");
  }
  if (to_file) return make_file_outlet(settings.location);
  if (to_descriptor) return make_descriptor_outlet(settings.descriptor);
  return make_mqtt_outlet(mqtt_config(settings));
}

}  // namespace cltrack::gst
