// SPDX-License-Identifier: LGPL-2.1-or-later
#include "publish/mqtt_outlet.h"

#include <optional>
#include <utility>

#include "cltrack/error.h"
#include "files/regular_file.h"
#include "publish/mqtt_client.h"

namespace cltrack::gst {
namespace {

class MqttOutlet : public Outlet {
 public:
  explicit MqttOutlet(MqttConfig config) : config_(std::move(config)) {}

  std::string name() const override {
    return "MQTT broker " + config_.host + ":" + std::to_string(config_.port);
  }
  void open() override { client_.emplace(config_); }
  bool is_open() const override { return client_ && client_->is_connected(); }
  bool is_ready() const override { return client_ && client_->is_ready(); }
  void send(Ticket ticket, const Message& message) override { client_->send(ticket, message); }
  void wait(int wake, std::chrono::milliseconds longest) override { client_->wait(wake, longest); }
  std::vector<Ticket> take_sent() override {
    return client_ ? client_->take_sent() : std::exchange(last_sent_, {});
  }
  void close() noexcept override {
    if (client_) last_sent_ = client_->take_sent();
    client_.reset();
  }

 private:
  const MqttConfig config_;
  std::optional<MqttClient> client_;
  std::vector<Ticket> last_sent_;  // on the connection that was closed
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
