// SPDX-License-Identifier: LGPL-2.1-or-later
// Brokers that want a password, or TLS. The certificates are made here, by openssl.
#include "publish/mqtt_outlet.h"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "../../support/errors.h"
#include "../support/broker.h"
#include "publish/message_queue.h"

// A name with two addresses, of which libmosquitto is told in the place of the system's.
extern "C" __attribute__((visibility("default"))) int getaddrinfo(const char* name,
                                                                  const char* service,
                                                                  const addrinfo* hints,
                                                                  addrinfo** found) {
  static const auto real =
      reinterpret_cast<decltype(&getaddrinfo)>(dlsym(RTLD_NEXT, "getaddrinfo"));
  if (name == nullptr || std::string_view(name) != "dual.invalid") {
    return real(name, service, hints, found);
  }
  addrinfo* second = nullptr;
  if (const int code = real("127.0.0.1", service, hints, &second); code != 0) return code;
  if (real("::1", service, hints, found) != 0) {
    *found = second;
    return 0;
  }
  addrinfo* last = *found;
  while (last->ai_next != nullptr) last = last->ai_next;
  last->ai_next = second;
  return 0;
}

namespace cltrack::gst {
namespace {

using std::chrono::milliseconds;
using test::Broker;
using test::Listener;
using test::RunningBroker;
using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class MqttOutletTest : public test::BrokerTest {
 protected:
  MqttConfig config(const Broker& broker) const {
    MqttConfig config;
    config.host = "127.0.0.1";
    config.port = static_cast<std::uint16_t>(broker.port());
    config.topic = "place/cam";
    config.client_id = "tester";
    return config;
  }

  // Until it is open. Throws the reason if it does not.
  void connect(Outlet& outlet) const {
    outlet.open();
    while (!outlet.is_open()) outlet.wait(wake_.descriptor(), milliseconds(100));
  }
  std::string refusal(const MqttConfig& config) const {
    const auto outlet = make_mqtt_outlet(config);
    return test::error_of([&] { connect(*outlet); }).what();
  }
  void wait_for_sent(Outlet& outlet) const {
    while (outlet.take_sent().empty()) outlet.wait(wake_.descriptor(), milliseconds(100));
  }

  const Wake wake_;
};

TEST_F(MqttOutletTest, SendsUnderItsTopicAndSaysThatItIsThere) {
  RunningBroker broker;
  Listener listener(broker.port());
  const auto outlet = make_mqtt_outlet(config(broker));
  connect(*outlet);
  outlet->send(1, {Message::Kind::tracks, "a picture"});
  wait_for_sent(*outlet);
  outlet->send(2, {Message::Kind::event, "an event"});
  wait_for_sent(*outlet);
  outlet->send(3, {Message::Kind::zone, "a crossing", "door"});
  wait_for_sent(*outlet);
  outlet->close();
  ASSERT_TRUE(listener.wait_for("place/cam/available", 2));
  EXPECT_THAT(listener.texts("place/cam/tracks"), ElementsAre("a picture"));
  EXPECT_THAT(listener.texts("place/cam/events"), ElementsAre("an event"));
  EXPECT_THAT(listener.texts("place/cam/zones/door"), ElementsAre("a crossing"));
  EXPECT_THAT(listener.texts("place/cam/available"), ElementsAre("online", "offline"));
}

TEST_F(MqttOutletTest, WhoComesLaterKnowsThatItIsThere) {
  RunningBroker broker;
  const auto outlet = make_mqtt_outlet(config(broker));
  connect(*outlet);
  outlet->send(1, {Message::Kind::tracks, "after it"});
  wait_for_sent(*outlet);
  Listener listener(broker.port());
  ASSERT_TRUE(listener.wait([](const auto& heard) { return !heard.empty(); }));
  EXPECT_THAT(listener.texts("place/cam/available"), ElementsAre("online"));
}

TEST_F(MqttOutletTest, EachQualityOfServiceArrives) {
  RunningBroker broker;
  Listener listener(broker.port());
  for (const int qos : {0, 1, 2}) {
    MqttConfig settings = config(broker);
    settings.qos = qos;
    const auto outlet = make_mqtt_outlet(settings);
    connect(*outlet);
    outlet->send(1, {Message::Kind::tracks, std::to_string(qos)});
    wait_for_sent(*outlet);
  }
  ASSERT_TRUE(listener.wait_for("place/cam/tracks", 3));
  EXPECT_THAT(listener.texts("place/cam/tracks"), ElementsAre("0", "1", "2"));
}

TEST_F(MqttOutletTest, TheLastWillIsSaidWhenItIsGone) {
  RunningBroker broker;
  Listener listener(broker.port());
  auto outlet = make_mqtt_outlet(config(broker));
  connect(*outlet);
  ASSERT_TRUE(listener.wait_for("place/cam/available", 1));
  // Another client with its id: the broker ends its connection.
  const auto other = make_mqtt_outlet(config(broker));
  connect(*other);
  EXPECT_TRUE(listener.wait([](const auto& heard) {
    return std::ranges::any_of(heard, [](const auto& one) { return one.text == "offline"; });
  }));
}

TEST_F(MqttOutletTest, SaysThatThereIsNoBroker) {
  const Broker broker;  // not started
  EXPECT_THAT(refusal(config(broker)), HasSubstr("refused"));
  MqttConfig nowhere = config(broker);
  nowhere.host = "no-such-host.invalid";
  EXPECT_THAT(refusal(nowhere), HasSubstr("no host of this name"));
}

// Its name has an IPv6 address, too, which comes first.
TEST_F(MqttOutletTest, FindsABrokerThatOnlyHasAnIpv4Address) {
  RunningBroker broker;
  MqttConfig settings = config(broker);
  settings.host = "dual.invalid";
  const auto outlet = make_mqtt_outlet(settings);
  const auto connects = [&] {
    try {
      connect(*outlet);
    } catch (const Error&) {
    }
    const bool is_open = outlet->is_open();
    outlet->close();
    return is_open;
  };
  EXPECT_TRUE(connects() || connects());
  EXPECT_TRUE(connects()) << "it goes on with what it has found";
}

TEST_F(MqttOutletTest, WhatIsNoTopicIsRefusedAndOthersAreSent) {
  RunningBroker broker;
  Listener listener(broker.port());
  const auto outlet = make_mqtt_outlet(config(broker));
  connect(*outlet);
  outlet->send(1, {Message::Kind::zone, "a crossing", "do\u0085or"});
  outlet->send(2, {Message::Kind::zone, "another one", "door"});
  wait_for_sent(*outlet);
  const auto refused = outlet->take_refused();
  ASSERT_EQ(refused.size(), 1u);
  EXPECT_EQ(refused[0].ticket, 1u);
  ASSERT_TRUE(listener.wait_for("place/cam/zones/door", 1));
}

TEST_F(MqttOutletTest, WhatIsLargerThanTheBrokerTakesIsRefused) {
  RunningBroker broker("allow_anonymous true\nmax_packet_size 2000");
  const auto outlet = make_mqtt_outlet(config(broker));
  connect(*outlet);
  outlet->send(1, {Message::Kind::tracks, std::string(5000, 'x')});
  const std::vector<Outlet::Refusal> refused = outlet->take_refused();
  ASSERT_EQ(refused.size(), 1u);
  EXPECT_EQ(refused[0].ticket, 1u);
  EXPECT_EQ(refused[0].reason, "a message of 5000 bytes is larger than the broker takes");
  outlet->send(2, {Message::Kind::tracks, "small"});
  wait_for_sent(*outlet);
}

// Knows MQTT 3.1.1 alone, and answers a newer client with these bytes before it hangs up.
class OldBroker {
 public:
  explicit OldBroker(std::string answer)
      : answer_(std::move(answer)), socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(bind(socket_, reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(listen(socket_, 4), 0);
    EXPECT_EQ(getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size), 0);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ~OldBroker() {
    shutdown(socket_, SHUT_RDWR);
    thread_.join();
    close(socket_);
  }
  OldBroker(const OldBroker&) = delete;
  OldBroker& operator=(const OldBroker&) = delete;

  std::uint16_t port() const { return port_; }
  int connections() const { return connections_; }

 private:
  void serve() {
    for (int client; (client = accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC)) >= 0;) {
      ++connections_;
      std::array<char, 1024> request{};
      constexpr std::size_t kVersion = 8;  // the byte behind the name of the protocol
      const ssize_t got = recv(client, request.data(), request.size(), 0);
      const bool is_known = got > 8 && request[kVersion] == 4;
      const std::string answer = is_known ? std::string("\x20\x02\0\0", 4) : answer_;
      send(client, answer.data(), answer.size(), MSG_NOSIGNAL);
      while (is_known && recv(client, request.data(), request.size(), 0) > 0) continue;
      close(client);
    }
  }

  const std::string answer_;
  const int socket_;
  std::uint16_t port_ = 0;
  std::atomic<int> connections_ = 0;
  std::thread thread_;
};

TEST_F(MqttOutletTest, ConnectsToABrokerThatKnowsOnlyMqtt311) {
  const std::string refuses("\x20\x02\0\1", 4), ignores_it("\x20\x02\0\0", 4), hangs_up;
  for (const std::string& answer : {refuses, ignores_it, hangs_up}) {
    OldBroker broker(answer);
    MqttConfig settings;
    settings.host = "127.0.0.1";
    settings.port = broker.port();
    settings.topic = "place/cam";
    settings.client_id = "tester";
    const auto outlet = make_mqtt_outlet(settings);
    connect(*outlet);
    EXPECT_EQ(broker.connections(), 2);
    outlet->close();
    connect(*outlet);
    EXPECT_EQ(broker.connections(), 3) << "it is remembered";
    outlet->close();
  }
}

TEST_F(MqttOutletTest, AWrongPasswordIsSaidButNotShown) {
  const test::TemporaryFolder folder;
  const std::string file = folder.path() / "passwords";
  ASSERT_EQ(std::system(("mosquitto_passwd -b -c " + file + " someone rightword").c_str()), 0);
  RunningBroker broker("allow_anonymous false\npassword_file " + file);
  MqttConfig settings = config(broker);
  settings.username = "someone";
  settings.password = "wrongword";
  const std::string reason = refusal(settings);
  EXPECT_THAT(reason, HasSubstr("see the properties username and password"));
  EXPECT_THAT(reason, testing::Not(HasSubstr("wrongword")));
  settings.password = "rightword";
  connect(*make_mqtt_outlet(settings));
}

// Where nothing but TLS is spoken.
class MqttTlsTest : public MqttOutletTest {
 protected:
  void SetUp() override {
    MqttOutletTest::SetUp();
    if (IsSkipped()) return;
    make_authority("ca");
    make_authority("other");
    make_certificate("server", "/CN=127.0.0.1", "-extfile <(echo subjectAltName=IP:127.0.0.1)");
    make_certificate("client", "/CN=camera", "");
  }

  std::string path(const std::string& name) const { return folder_.path() / name; }

  void run(const std::string& command) const {
    const std::string line = "cd " + folder_.path().string() + " && bash -c '" + command +
                             "' 2> openssl.log || { cat openssl.log; false; }";
    ASSERT_EQ(std::system(line.c_str()), 0) << command;
  }
  void make_authority(const std::string& name) const {
    run("openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=" + name + " -keyout " + name +
        ".key -out " + name + ".crt");
  }
  void make_certificate(const std::string& name, const std::string& subject,
                        const std::string& more) const {
    run("openssl req -newkey rsa:2048 -nodes -subj " + subject + " -keyout " + name +
        ".key -out request && openssl x509 -req -in request -days 2 -CA ca.crt -CAkey ca.key " +
        "-CAcreateserial -out " + name + ".crt " + more);
  }

  std::string options(const std::string& more = "") const {
    return "allow_anonymous true\ncafile " + path("ca.crt") + "\ncertfile " + path("server.crt") +
           "\nkeyfile " + path("server.key") + "\n" + more;
  }

  MqttConfig tls_config(const Broker& broker, const std::string& authority) const {
    MqttConfig settings = config(broker);
    settings.tls = true;
    settings.ca_file = path(authority);
    return settings;
  }

  const test::TemporaryFolder folder_;
};

// It would be waited for, for ever.
TEST_F(MqttTlsTest, RefusesAPipeInThePlaceOfAFile) {
  const std::string pipe = path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (std::string MqttConfig::*file :
       {&MqttConfig::ca_file, &MqttConfig::cert_file, &MqttConfig::key_file}) {
    MqttConfig settings;
    settings.tls = true;
    settings.*file = pipe;
    const Error error = test::error_of([&] { make_mqtt_outlet(settings); });
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    EXPECT_THAT(error.what(), testing::AllOf(HasSubstr("-file"), HasSubstr("not a regular file")));
  }
}

TEST_F(MqttTlsTest, ConnectsToABrokerThatItKnows) {
  RunningBroker broker(options());
  MqttConfig settings = tls_config(broker, "ca.crt");
  const auto outlet = make_mqtt_outlet(settings);
  connect(*outlet);
  outlet->send(1, {Message::Kind::tracks, std::string(100000, 'x')});
  wait_for_sent(*outlet);
}

TEST_F(MqttTlsTest, RefusesABrokerThatItDoesNotKnow) {
  RunningBroker broker(options());
  MqttConfig settings = tls_config(broker, "other.crt");
  EXPECT_THAT(refusal(settings), HasSubstr("certificate verify failed"));
  settings.ca_file.clear();
  EXPECT_THAT(refusal(settings), HasSubstr("certificate verify failed"))
      << "nor does the system trust it";
  settings.ca_file = path("ca.crt");
  settings.host = "localhost";
  // libmosquitto 2.0.21 does not say what is wrong, and the broker may hang up first.
  EXPECT_THAT(refusal(settings), AnyOf(HasSubstr("certificate verify failed"),
                                       HasSubstr("TLS error"), HasSubstr("before TLS began")))
      << "of another name";
}

TEST_F(MqttTlsTest, HasACertificateForBrokersThatWantOne) {
  RunningBroker broker(options("require_certificate true"));
  MqttConfig settings = tls_config(broker, "ca.crt");
  const auto without = make_mqtt_outlet(settings);
  EXPECT_THROW(connect(*without), Error);
  settings.cert_file = path("client.crt");
  settings.key_file = path("client.key");
  connect(*make_mqtt_outlet(settings));
}

TEST_F(MqttTlsTest, ABrokerWithoutTlsIsNoneToTls) {
  RunningBroker broker;
  MqttConfig settings = config(broker);
  settings.tls = true;
  EXPECT_THROW(connect(*make_mqtt_outlet(settings)), Error);
}

TEST_F(MqttTlsTest, ABrokerWithTlsIsNoneWithoutIt) {
  RunningBroker broker(options());
  EXPECT_THROW(connect(*make_mqtt_outlet(config(broker))), Error);
}

}  // namespace
}  // namespace cltrack::gst
