// SPDX-License-Identifier: LGPL-2.1-or-later
#include "publish/mqtt_outlet.h"

#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "cltrack/error.h"
#include "files/model_file.h"
#include "publish/message_queue.h"
#include "scoped.h"

namespace cltrack::gst {
namespace {

using std::chrono::milliseconds;

// After this many seconds of silence the broker is asked whether it is still there, after half as
// many more it is taken for gone.
constexpr int kKeepAlive = 10;
constexpr milliseconds kLongestConnect{10000};
constexpr milliseconds kLongestFarewell{200};
constexpr int kFirstRefusal = 128;  // of the reason codes of MQTT 5; below are kinds of success

const char* kTrustedHere = "/etc/ssl/certs";

const char* text_or_null(const std::string& text) { return text.empty() ? nullptr : text.c_str(); }

// Once in a program, and never undone: others may use the library, too.
void begin_library() {
  static const int done = mosquitto_lib_init();
  static_cast<void>(done);
}

// Errors are put into sentences.
std::string without_stop(std::string text) {
  if (text.ends_with('.')) text.pop_back();
  return text;
}

std::string last_topic(const Message& message) {
  if (message.kind == Message::Kind::zone) return "/zones/" + message.zone;
  return message.kind == Message::Kind::event ? "/events" : "/tracks";
}

// One connection to an MQTT broker, from its begin to its end. The only place that knows
// libmosquitto.
//
// libmosquitto would send again by itself what was under way when a connection ended, and nobody
// could tell; so a connection is never used again, and MessageQueue sends again, with a mark. Nor
// does libmosquitto's own thread run: all is done in wait().
class MqttClient {
 public:
  // Begins to connect, with version 5 of MQTT, which alone tells of refused messages and how many
  // may be under way, or with 3.1.1; from an IPv4 address, or any. Throws Error.
  MqttClient(const MqttConfig& config, int version, bool ipv4);
  // Says that it goes, if it is connected.
  ~MqttClient();
  MqttClient(const MqttClient&) = delete;
  MqttClient& operator=(const MqttClient&) = delete;

  bool is_connected() const { return is_connected_; }
  bool is_ready() const;
  int version() const { return version_; }
  bool is_reached() const { return is_reached_; }
  bool is_ipv4() const { return ipv4_; }
  // Whether it has ended so as brokers end it that do not know the version: these refuse it, hang
  // up, or answer in the terms of an older one.
  bool may_be_too_new() const { return is_reached_ && !is_connected_ && !is_refused_; }

  // These throw Error when the connection has ended.
  void send(Ticket ticket, const Message& message);
  void wait(int wake, std::chrono::milliseconds longest);

  // Those of messages that have arrived.
  std::vector<Ticket> take_sent() {
    observe_acknowledged();
    return std::exchange(sent_, {});
  }
  std::vector<Outlet::Refusal> take_refused() { return std::exchange(refused_, {}); }

 private:
  using Clock = std::chrono::steady_clock;

  static void on_connect(mosquitto*, void* self, int code);
  static void on_publish(mosquitto*, void* self, int id, int code, const mosquitto_property*);
  static void on_log(mosquitto*, void* self, int level, const char* text);

  void configure();
  // Throws unless `code` is that of success.
  void check(int code);
  void announce(const char* text);
  short awaited_events() const;
  void work(short events);
  void observe_acknowledged();

  const MqttConfig& config_;
  const int version_;
  const bool ipv4_;
  Scoped<mosquitto, mosquitto_destroy> client_;
  bool is_connected_ = false;
  bool is_reached_ = false;  // the broker's host has taken the connection
  bool is_refused_ = false;  // for another reason than the version
  std::string refusal_;      // by the broker
  std::string last_error_;   // that libmosquitto has logged: of TLS, it says more than the code
  Clock::time_point connected_by_;
  std::vector<int> acknowledged_;  // ids of libmosquitto, in the order of their arrival
  std::map<int, Ticket> under_way_;
  std::vector<Ticket> sent_;
  std::vector<Outlet::Refusal> refused_;
};

MqttClient::MqttClient(const MqttConfig& config, int version, bool ipv4)
    : config_(config),
      version_(version),
      ipv4_(ipv4),
      connected_by_(Clock::now() + kLongestConnect) {
  begin_library();
  client_.reset(mosquitto_new(config_.client_id.c_str(), true, this));
  if (!client_) check(MOSQ_ERR_INVAL);
  configure();
  // Without waiting it tries the first address of a name, and no other one. From an IPv4 address of
  // ours it reaches IPv4 ones alone.
  check(mosquitto_connect_bind_async(client_.get(), config_.host.c_str(), config_.port, kKeepAlive,
                                     ipv4_ ? "0.0.0.0" : nullptr));
}

MqttClient::~MqttClient() {
  if (!is_connected_) return;
  try {
    announce("offline");
    check(mosquitto_disconnect(client_.get()));
    const Clock::time_point until = Clock::now() + kLongestFarewell;
    while (mosquitto_want_write(client_.get()) && Clock::now() < until) {
      pollfd waited = {mosquitto_socket(client_.get()), POLLOUT, 0};
      poll(&waited, 1, 10);
      check(mosquitto_loop_write(client_.get(), 1));
    }
  } catch (const Error&) {
    // It has gone by itself; the broker says the last will.
  }
}

void MqttClient::configure() {
  mosquitto_connect_callback_set(client_.get(), on_connect);
  mosquitto_publish_v5_callback_set(client_.get(), on_publish);
  mosquitto_log_callback_set(client_.get(), on_log);
  check(mosquitto_int_option(client_.get(), MOSQ_OPT_PROTOCOL_VERSION, version_));
  check(mosquitto_max_inflight_messages_set(client_.get(),
                                            static_cast<unsigned>(config_.most_under_way())));
  check(mosquitto_int_option(client_.get(), MOSQ_OPT_TCP_NODELAY, 1));
  constexpr std::string_view kGone = "offline";
  check(mosquitto_will_set(client_.get(), (config_.topic + "/available").c_str(), kGone.size(),
                           kGone.data(), config_.qos, true));
  if (!config_.username.empty()) {
    check(mosquitto_username_pw_set(client_.get(), config_.username.c_str(),
                                    text_or_null(config_.password)));
  }
  if (!config_.tls) return;
  const bool has_ca = !config_.ca_file.empty();
  // Without a function for it libmosquitto would ask at the terminal for a key's password.
  const auto no_password = [](char*, int, int, void*) { return 0; };
  check(mosquitto_tls_set(client_.get(), text_or_null(config_.ca_file),
                          has_ca ? nullptr : kTrustedHere, text_or_null(config_.cert_file),
                          text_or_null(config_.key_file), no_password));
}

void MqttClient::check(int code) {
  if (code == MOSQ_ERR_SUCCESS || code == MOSQ_ERR_CONN_PENDING) return;
  std::string reason =
      without_stop(code == MOSQ_ERR_ERRNO ? std::strerror(errno) : mosquitto_strerror(code));
  if (code == MOSQ_ERR_EAI) reason = "there is no host of this name";
  // A broker may hang up on a client that refuses its certificate before libmosquitto says so.
  if (code == MOSQ_ERR_CONN_LOST && config_.tls && !is_connected_) reason += " before TLS began";
  if (!last_error_.empty()) reason += " (" + last_error_ + ")";
  if (!refusal_.empty()) reason = refusal_;
  throw Error(ErrorCode::failed, reason);
}

void MqttClient::on_connect(mosquitto*, void* self, int code) {
  auto& client = *static_cast<MqttClient*>(self);
  if (code == 0) {
    client.is_connected_ = true;
    return;
  }
  const bool is_old = code < kFirstRefusal;  // a code of 3.1.1
  client.is_refused_ =
      code != CONNACK_REFUSED_PROTOCOL_VERSION && code != MQTT_RC_UNSUPPORTED_PROTOCOL_VERSION;
  client.refusal_ =
      "the broker has refused: " +
      without_stop(is_old ? mosquitto_connack_string(code) : mosquitto_reason_string(code));
  if (code == CONNACK_REFUSED_BAD_USERNAME_PASSWORD || code == CONNACK_REFUSED_NOT_AUTHORIZED ||
      code == MQTT_RC_BAD_USERNAME_OR_PASSWORD || code == MQTT_RC_NOT_AUTHORIZED) {
    client.refusal_ += "; see the properties username and password";
  }
}

void MqttClient::on_publish(mosquitto*, void* self, int id, int code, const mosquitto_property*) {
  auto& client = *static_cast<MqttClient*>(self);
  const auto found = client.under_way_.find(id);
  if (code < kFirstRefusal || found == client.under_way_.end()) {
    client.acknowledged_.push_back(id);
    return;
  }
  client.refused_.push_back({found->second, "the broker has refused them: " +
                                                without_stop(mosquitto_reason_string(code))});
  client.under_way_.erase(found);
}

void MqttClient::on_log(mosquitto*, void* self, int level, const char* text) {
  if (level == MOSQ_LOG_ERR) static_cast<MqttClient*>(self)->last_error_ = text;
}

// With the QoS of the messages: brokers let those of QoS 0 overtake them. While the most are under
// way, a further one of that QoS would not leave before the end.
void MqttClient::announce(const char* text) {
  const int qos = is_ready() ? config_.qos : 0;
  check(mosquitto_publish(client_.get(), nullptr, (config_.topic + "/available").c_str(),
                          static_cast<int>(std::strlen(text)), text, qos, true));
}

bool MqttClient::is_ready() const {
  return is_connected_ && under_way_.size() < config_.most_under_way();
}

void MqttClient::send(Ticket ticket, const Message& message) {
  int id = 0;
  const int code = mosquitto_publish(
      client_.get(), &id, (config_.topic + last_topic(message)).c_str(),
      static_cast<int>(message.text.size()), message.text.data(), config_.qos, false);
  if (code == MOSQ_ERR_OVERSIZE_PACKET) {
    refused_.push_back({ticket, "a message of " + std::to_string(message.text.size()) +
                                    " bytes is larger than the broker takes"});
    return;
  }
  // Such as the name of a zone with control characters, which is no topic. It would be refused
  // again on each connection, and all others would wait behind it.
  if (code == MOSQ_ERR_MALFORMED_UTF8 || code == MOSQ_ERR_PAYLOAD_SIZE || code == MOSQ_ERR_INVAL) {
    refused_.push_back({ticket, std::string("a message under \"") + last_topic(message) +
                                    "\" cannot be sent: " + mosquitto_strerror(code)});
    return;
  }
  under_way_[id] = ticket;
  check(code);
  observe_acknowledged();
}

// With QoS 0 a message may be acknowledged before its id is known.
void MqttClient::observe_acknowledged() {
  for (const int id : std::exchange(acknowledged_, {})) {
    const auto found = under_way_.find(id);
    if (found == under_way_.end()) continue;
    sent_.push_back(found->second);
    under_way_.erase(found);
  }
}

// While TLS begins libmosquitto says for too long that it wants to write.
short MqttClient::awaited_events() const {
  const bool begins_tls = config_.tls && is_reached_ && !is_connected_;
  const bool writes = !is_reached_ || (mosquitto_want_write(client_.get()) && !begins_tls);
  return static_cast<short>(POLLIN | POLLRDHUP | (writes ? POLLOUT : 0));
}

void MqttClient::work(short events) {
  if (events != 0 && (events & POLLERR) == 0) is_reached_ = true;
  const bool was_connected = is_connected_;
  if ((events & ~POLLOUT) != 0 || !is_connected_) check(mosquitto_loop_read(client_.get(), 1));
  if (!refusal_.empty()) check(MOSQ_ERR_CONN_REFUSED);
  // The end comes after what can still be read.
  if ((events & (POLLRDHUP | POLLHUP | POLLERR)) != 0 && (events & POLLIN) == 0) {
    check(MOSQ_ERR_CONN_LOST);
  }
  if (!is_connected_ && (events & POLLRDHUP) != 0) check(MOSQ_ERR_CONN_LOST);
  check(mosquitto_loop_write(client_.get(), 1));
  check(mosquitto_loop_misc(client_.get()));
  if (is_connected_ && !was_connected) announce("online");
}

void MqttClient::wait(int wake, milliseconds longest) {
  if (!is_connected_ && Clock::now() > connected_by_) {
    throw Error(ErrorCode::failed, "the broker does not answer");
  }
  pollfd waited[] = {{mosquitto_socket(client_.get()), awaited_events(), 0}, {wake, POLLIN, 0}};
  poll(waited, 2, static_cast<int>(longest.count()));
  const bool was_connected = is_connected_;
  work(waited[0].revents);
  observe_acknowledged();
  if (was_connected && !is_connected_) check(MOSQ_ERR_CONN_LOST);
}

class MqttOutlet : public Outlet {
 public:
  explicit MqttOutlet(MqttConfig config) : config_(std::move(config)) {}

  std::string name() const override {
    return "MQTT broker " + config_.host + ":" + std::to_string(config_.port);
  }
  // By the name's IPv4 address at every other try, until its host has been reached.
  void open() override {
    const bool ipv4 = std::exchange(ipv4_, !ipv4_ && config_.host.find(':') == std::string::npos);
    client_.emplace(config_, version_, ipv4);
  }
  bool is_open() const override { return client_ && client_->is_connected(); }
  bool is_ready() const override { return client_ && client_->is_ready(); }
  void send(Ticket ticket, const Message& message) override { client_->send(ticket, message); }
  void wait(int wake, std::chrono::milliseconds longest) override {
    try {
      client_->wait(wake, longest);
      if (client_->is_connected()) version_ = client_->version();
    } catch (const Error&) {
      if (client_->version() == MQTT_PROTOCOL_V311 || !client_->may_be_too_new()) throw;
      client_.emplace(config_, MQTT_PROTOCOL_V311, client_->is_ipv4());
    }
  }
  std::vector<Ticket> take_sent() override {
    return client_ ? client_->take_sent() : std::exchange(last_sent_, {});
  }
  std::vector<Refusal> take_refused() override {
    return client_ ? client_->take_refused() : std::exchange(last_refused_, {});
  }
  void close() noexcept override {
    if (!client_) return;
    last_sent_ = client_->take_sent();
    last_refused_ = client_->take_refused();
    if (client_->is_reached()) ipv4_ = client_->is_ipv4();
    client_.reset();
  }

 private:
  const MqttConfig config_;
  std::optional<MqttClient> client_;
  int version_ = MQTT_PROTOCOL_V5;  // that the broker has known, if it has been there
  bool ipv4_ = false;               // for the next try
  // On the connection that was closed.
  std::vector<Ticket> last_sent_;
  std::vector<Refusal> last_refused_;
};

// libmosquitto tells only when it connects, and not which file.
void check_readable(const char* property, const std::string& path) {
  if (path.empty()) return;
  try {
    open_regular_file(path);  // libmosquitto would wait for the other end of a pipe
  } catch (const Error& error) {
    throw Error(ErrorCode::invalid_argument,
                std::string("Property ") + property + ": \"" + path + "\": " + error.what());
  }
}

}  // namespace

bool has_mqtt() { return true; }

std::unique_ptr<Outlet> make_mqtt_outlet(MqttConfig config) {
  check_readable("ca-file", config.ca_file);
  check_readable("cert-file", config.cert_file);
  check_readable("key-file", config.key_file);
  return std::make_unique<MqttOutlet>(std::move(config));
}

}  // namespace cltrack::gst
