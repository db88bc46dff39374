// SPDX-License-Identifier: LGPL-2.1-or-later
#include "publish/publish_settings.h"

#include <glib.h>

#include <array>
#include <string_view>
#include <utility>

#include "cltrack/error.h"
#include "publish/file_outlet.h"

namespace cltrack::gst {
namespace {

using S = PublishSettings;

template <auto... Members>
constexpr auto at = field_at<S, Members...>;

// Not even the program that has set it can read it back.
constexpr When kSecret{static_cast<GParamFlags>(int{kReady} & ~int{G_PARAM_READABLE})};

}  // namespace

PublishSettings::PublishSettings() {
  mqtt.port = 0;
  mqtt.topic = "cltrack/{source}";
}

// Files and passwords may be any bytes; JSON, MQTT and messages of errors are UTF-8.
const PropertyTable<PublishSettings>& publish_properties() {
  static const PropertyTable<S> table{
      {"location", at<&S::location>, kUpToReady,
       "File to which a line of JSON is appended for each message"},
      {PropertyName{"fd", "File descriptor"}, at<&S::descriptor>, kUpToReady,
       "File descriptor for the lines instead, which is not closed (-1 = none)", Range{-1}},
      {"address", at<&S::mqtt, &MqttConfig::host>, kWhilePlaying,
       "Name or IP address of the MQTT broker; a change while the element runs moves there",
       utf8_of},
      {"port", at<&S::mqtt, &MqttConfig::port>, kWhilePlaying,
       "Port of the MQTT broker (0 = 1883, or 8883 with tls); a change while the element runs "
       "moves there"},
      {"topic", at<&S::mqtt, &MqttConfig::topic>, kUpToReady,
       "Topic under which are tracks, events, zones and available; {source} stands for the "
       "property "
       "source",
       utf8_of},
      {"client-id", at<&S::mqtt, &MqttConfig::client_id>, kUpToReady,
       "By which the broker knows the element, and no other; none: a random one", utf8_of},
      {PropertyName{"username", "User name"}, at<&S::mqtt, &MqttConfig::username>, kUpToReady,
       "For the MQTT broker"},
      {"password", at<&S::mqtt, &MqttConfig::password>, kSecret,
       "For the MQTT broker, with username; cannot be read. Without tls it can be read on the "
       "network"},
      {PropertyName{"tls", "TLS"}, at<&S::mqtt, &MqttConfig::tls>, kUpToReady,
       "Encrypt, and check the certificate of the MQTT broker"},
      {PropertyName{"ca-file", "CA file"}, at<&S::mqtt, &MqttConfig::ca_file>, kUpToReady,
       "Certificates (PEM) of which one must have signed that of the broker; none: the system's"},
      {PropertyName{"cert-file", "Certificate file"}, at<&S::mqtt, &MqttConfig::cert_file>,
       kUpToReady, "Certificate (PEM) of the element, for brokers that want one; with key-file"},
      {"key-file", at<&S::mqtt, &MqttConfig::key_file>, kUpToReady,
       "Key (PEM, without a password) of cert-file"},
      {PropertyName{"mqtt-qos", "Quality of service"}, at<&S::mqtt, &MqttConfig::qos>, kUpToReady,
       "Of MQTT: 0 at most once, 1 at least once, 2 exactly once while a connection lasts",
       Range{0, 2}},
      {"max-in-flight", at<&S::mqtt, &MqttConfig::max_in_flight>, kUpToReady,
       "Messages that the MQTT broker has not confirmed yet, at most (0 = 64, or 10 with "
       "mqtt-qos=2)",
       Range{0, 65535}},
      {"source", at<&S::source>, kUpToReady,
       "What the messages say that they come from; none: the name of the element", utf8_of},
      {"mode", at<&S::mode>,
       Choices{
           "GstTrackPublishMode",
           {{"Each picture", "every-frame"},
            {"Pictures on which there are others than before, or in another state", "on-change"},
            {"No picture: events alone", "none"}}},
       kWhilePlaying, "Which frames are published"},
      {"events", at<&S::events>, kUpToReady,
       "Publish when tracks begin, change their state and end, and what happens in zones"},
      {"queue-size", at<&S::queue_size>, kUpToReady,
       "Messages that have not arrived yet, at most; the oldest are dropped first",
       Range{1, 10000000}},
      {"queue-bytes", at<&S::queue_bytes>, kUpToReady,
       "Bytes of these messages, at most; the oldest are dropped first", Range{1}},
      {"flush-timeout", at<&S::flush_timeout>, kWhilePlaying,
       "How long a stopping element sends waiting messages, ns; the rest is dropped",
       Range{0, 3600.0 * GST_SECOND}},
      {PropertyName{"stats", "Statistics"},
       "connected (boolean), sent, waiting, under-way, dropped (uint64): messages since the "
       "element has started; bytes (uint64): of those waiting and under way"},
  };
  return table;
}

namespace {

constexpr std::string_view kSourceHere = "{source}";
constexpr std::size_t kLongestTopic = 65000;  // bytes; MQTT's limit, with room for "/available"
constexpr std::uint16_t kPlainPort = 1883;
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
  if (config.port == 0) config.port = config.tls ? kTlsPort : kPlainPort;
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
