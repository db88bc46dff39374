// SPDX-License-Identifier: LGPL-2.1-or-later
// A mosquitto of the test's own on the loopback, and a client that listens to it.
#pragma once

#include <gtest/gtest.h>
#include <mosquitto.h>
#include <sys/types.h>

#include <condition_variable>
#include <cstdlib>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "../../support/temporary_folder.h"

namespace cltrack::test {

// Where mosquitto is; empty if it is not installed.
std::string mosquitto_program();

// A port that nobody uses.
int free_port();

class Broker {
 public:
  // `options`: further lines of its configuration. It is not started.
  explicit Broker(const std::string& options = "allow_anonymous true");
  ~Broker() { kill(); }
  Broker(const Broker&) = delete;
  Broker& operator=(const Broker&) = delete;

  // On `port`, or the one before. Returns when it takes connections.
  void start(int port = 0);
  // As a service is stopped: it keeps what it has not sent yet for the next start.
  void stop();
  void kill();

  int port() const { return port_; }
  const TemporaryFolder& folder() const { return folder_; }

 private:
  void end(int signal);

  const TemporaryFolder folder_;
  const std::string options_;
  int port_;
  pid_t process_ = -1;
};

struct RunningBroker : Broker {
  explicit RunningBroker(const std::string& options = "allow_anonymous true") : Broker(options) {
    start();
  }
};

// Hears everything, on a thread of libmosquitto. Comes back when the broker does.
class Listener {
 public:
  explicit Listener(int port, const std::string& user = "", const std::string& password = "");
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  struct Heard {
    std::string topic;
    std::string text;
    bool retained;
  };
  using Condition = std::function<bool(const std::vector<Heard>&)>;
  // False if it has not come after a time in which it surely would have.
  bool wait(const Condition& condition);
  // The same for that many messages of a topic.
  bool wait_for(const std::string& topic, std::size_t count);
  std::vector<std::string> texts(const std::string& topic);

 private:
  static void on_connect(mosquitto* client, void* self, int code);
  static void on_subscribe(mosquitto*, void* self, int, int, const int*);
  static void on_message(mosquitto*, void* self, const mosquitto_message* message);

  std::mutex mutex_;
  std::condition_variable changed_;
  bool listens_ = false;
  std::vector<Heard> heard_;
  mosquitto* client_;
};

class BrokerTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!mosquitto_program().empty()) return;
    if (std::getenv("CLTRACK_REQUIRE_MQTT") != nullptr) {
      FAIL() << "no mosquitto, which CLTRACK_REQUIRE_MQTT asks for";
    }
    GTEST_SKIP() << "no mosquitto: install it to test with a broker";
  }
};

}  // namespace cltrack::test
