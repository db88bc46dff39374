// SPDX-License-Identifier: LGPL-2.1-or-later
#include "publish/publish_settings.h"

#include <glib.h>

#include <array>
#include <string_view>
#include <utility>

#include "cltrack/error.h"
#include "publish/file_outlet.h"
#include "scoped.h"

using cltrack::gst::PublishMode;

GType gst_track_publish_mode_get_type(void) {
  static const GEnumValue values[] = {
      {static_cast<int>(PublishMode::every_frame), "Each picture", "every-frame"},
      {static_cast<int>(PublishMode::on_change),
       "Pictures on which there are others than before, or in another state", "on-change"},
      {static_cast<int>(PublishMode::none), "No picture: events alone", "none"},
      {0, nullptr, nullptr}};
  static const GType type = g_enum_register_static("GstTrackPublishMode", values);
  return type;
}

namespace cltrack::gst {
namespace {

enum Property : guint {
  kLocation = 1,
  kFd,
  kAddress,
  kPort,
  kTopic,
  kClientId,
  kUsername,
  kPassword,
  kTls,
  kCaFile,
  kCertFile,
  kKeyFile,
  kMqttQos,
  kSource,
  kMode,
  kEvents,
  kQueueSize,
  kFlushTimeout,
};

constexpr GParamFlags kReady = static_cast<GParamFlags>(
    int{G_PARAM_READWRITE} | int{G_PARAM_STATIC_STRINGS} | int{GST_PARAM_MUTABLE_READY});
constexpr GParamFlags kPlaying = static_cast<GParamFlags>(
    int{G_PARAM_READWRITE} | int{G_PARAM_STATIC_STRINGS} | int{GST_PARAM_MUTABLE_PLAYING});
// Not even the program that has set it can read it back.
constexpr GParamFlags kSecret = static_cast<GParamFlags>(
    int{G_PARAM_WRITABLE} | int{G_PARAM_STATIC_STRINGS} | int{GST_PARAM_MUTABLE_READY});

struct TextProperty {
  guint id;
  const char* name;
  const char* nick;
  const char* blurb;
  const char* initial;
  GParamFlags flags;
  std::string& (*value)(PublishSettings&);
};

// Defaults are those of PublishSettings().
const std::array<TextProperty, 10> kTexts{{
    {kLocation, "location", "Location", "File to which a line of JSON is appended for each message",
     nullptr, kReady, [](PublishSettings& settings) -> std::string& { return settings.location; }},
    {kAddress, "address", "Address",
     "Name or IP address of the MQTT broker; a change while the element runs moves there", nullptr,
     kPlaying, [](PublishSettings& settings) -> std::string& { return settings.mqtt.host; }},
    {kTopic, "topic", "Topic",
     "Topic under which are tracks, events and available; {source} stands for the property source",
     "cltrack/{source}", kReady,
     [](PublishSettings& settings) -> std::string& { return settings.mqtt.topic; }},
    {kClientId, "client-id", "Client id",
     "By which the broker knows the element, and no other; none: a random one", nullptr, kReady,
     [](PublishSettings& settings) -> std::string& { return settings.mqtt.client_id; }},
    {kUsername, "username", "User name", "For the MQTT broker", nullptr, kReady,
     [](PublishSettings& settings) -> std::string& { return settings.mqtt.username; }},
    {kPassword, "password", "Password",
     "For the MQTT broker, with username; cannot be read. Without tls it can be read on the "
     "network",
     nullptr, kSecret,
     [](PublishSettings& settings) -> std::string& { return settings.mqtt.password; }},
    {kCaFile, "ca-file", "CA file",
     "Certificates (PEM) of which one must have signed that of the broker; none: those that the "
     "system trusts",
     nullptr, kReady,
     [](PublishSettings& settings) -> std::string& { return settings.mqtt.ca_file; }},
    {kCertFile, "cert-file", "Certificate file",
     "Certificate (PEM) of the element, for brokers that want one; with key-file", nullptr, kReady,
     [](PublishSettings& settings) -> std::string& { return settings.mqtt.cert_file; }},
    {kKeyFile, "key-file", "Key file", "Key (PEM, without a password) of cert-file", nullptr,
     kReady, [](PublishSettings& settings) -> std::string& { return settings.mqtt.key_file; }},
    {kSource, "source", "Source",
     "What the messages say that they come from; none: the name of the element", nullptr, kReady,
     [](PublishSettings& settings) -> std::string& { return settings.source; }},
}};

const TextProperty* text_of(guint id) {
  for (const TextProperty& text : kTexts) {
    if (text.id == id) return &text;
  }
  return nullptr;
}

// JSON, MQTT and messages of errors are UTF-8.
std::string valid_utf8(const char* text) {
  if (text == nullptr) return {};
  const Scoped<char, g_free> valid(g_utf8_make_valid(text, -1));
  return valid.get();
}

void install_numbers(GObjectClass* klass, const PublishSettings& defaults) {
  const auto install = [klass](guint id, GParamSpec* spec) {
    g_object_class_install_property(klass, id, spec);
  };
  install(kFd, g_param_spec_int("fd", "File descriptor",
                                "File descriptor to which a line of JSON is written for each "
                                "message, and which is not closed (-1 = none)",
                                -1, G_MAXINT, defaults.descriptor, kReady));
  install(kPort, g_param_spec_uint("port", "Port",
                                   "Port of the MQTT broker (0 = 1883, or 8883 with tls); a change "
                                   "while the element runs moves there",
                                   0, G_MAXUINT16, defaults.mqtt.port, kPlaying));
  install(kTls, g_param_spec_boolean("tls", "TLS",
                                     "Encrypt, and check the certificate of the MQTT broker",
                                     defaults.mqtt.tls, kReady));
  install(kMqttQos, g_param_spec_int("mqtt-qos", "Quality of service",
                                     "Of MQTT: 0 at most once, 1 at least once, 2 exactly once "
                                     "while a connection lasts",
                                     0, 2, defaults.mqtt.qos, kReady));
  install(kMode, g_param_spec_enum("mode", "Mode", "Which pictures are published",
                                   GST_TYPE_TRACK_PUBLISH_MODE, static_cast<int>(defaults.mode),
                                   kPlaying));
  install(kEvents, g_param_spec_boolean("events", "Events",
                                        "Publish when tracks begin, change their state and end",
                                        defaults.events, kReady));
  install(kQueueSize, g_param_spec_uint("queue-size", "Queue size",
                                        "Messages that have not arrived yet, at most; "
                                        "the oldest are dropped first",
                                        1, 10000000, defaults.queue_size, kReady));
  install(kFlushTimeout,
          g_param_spec_uint64("flush-timeout", "Flush timeout",
                              "How long the element sends what waits when it is "
                              "stopped, in ns; the rest is dropped",
                              0, 3600 * GST_SECOND, defaults.flush_timeout, kPlaying));
  install(kStatsProperty,
          g_param_spec_boxed(
              "stats", "Statistics",
              "connected (boolean), sent, waiting, under-way, dropped (uint64): "
              "messages since the element has started",
              GST_TYPE_STRUCTURE,
              static_cast<GParamFlags>(int{G_PARAM_READABLE} | int{G_PARAM_STATIC_STRINGS})));
}

}  // namespace

PublishSettings::PublishSettings() {
  mqtt.port = 0;
  mqtt.topic = "cltrack/{source}";
}

void install_publish_properties(GObjectClass* klass) {
  for (const TextProperty& text : kTexts) {
    g_object_class_install_property(
        klass, text.id,
        g_param_spec_string(text.name, text.nick, text.blurb, text.initial, text.flags));
  }
  install_numbers(klass, PublishSettings());
}

bool set_publish_property(PublishSettings& settings, guint id, const GValue* value) {
  if (const TextProperty* text = text_of(id)) {
    const char* given = g_value_get_string(value);
    // Files and passwords may be any bytes.
    const bool is_text = id == kTopic || id == kSource || id == kClientId || id == kAddress;
    text->value(settings) = is_text ? valid_utf8(given) : given != nullptr ? given : "";
    return true;
  }
  switch (id) {
    case kFd:
      settings.descriptor = g_value_get_int(value);
      return true;
    case kPort:
      settings.mqtt.port = static_cast<std::uint16_t>(g_value_get_uint(value));
      return true;
    case kTls:
      settings.mqtt.tls = g_value_get_boolean(value);
      return true;
    case kMqttQos:
      settings.mqtt.qos = g_value_get_int(value);
      return true;
    case kMode:
      settings.mode = static_cast<PublishMode>(g_value_get_enum(value));
      return true;
    case kEvents:
      settings.events = g_value_get_boolean(value);
      return true;
    case kQueueSize:
      settings.queue_size = g_value_get_uint(value);
      return true;
    case kFlushTimeout:
      settings.flush_timeout = g_value_get_uint64(value);
      return true;
    default:
      return false;
  }
}

bool get_publish_property(const PublishSettings& settings, guint id, GValue* value) {
  if (const TextProperty* text = text_of(id)) {
    PublishSettings copy = settings;
    const std::string& given = text->value(copy);
    g_value_set_string(value, given.empty() ? nullptr : given.c_str());
    return true;
  }
  switch (id) {
    case kFd:
      g_value_set_int(value, settings.descriptor);
      return true;
    case kPort:
      g_value_set_uint(value, settings.mqtt.port);
      return true;
    case kTls:
      g_value_set_boolean(value, settings.mqtt.tls);
      return true;
    case kMqttQos:
      g_value_set_int(value, settings.mqtt.qos);
      return true;
    case kMode:
      g_value_set_enum(value, static_cast<int>(settings.mode));
      return true;
    case kEvents:
      g_value_set_boolean(value, settings.events);
      return true;
    case kQueueSize:
      g_value_set_uint(value, settings.queue_size);
      return true;
    case kFlushTimeout:
      g_value_set_uint64(value, settings.flush_timeout);
      return true;
    default:
      return false;
  }
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
