// SPDX-License-Identifier: LGPL-2.1-or-later
#include "broker.h"

#include <arpa/inet.h>
#include <glib.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <stdexcept>
#include <thread>

namespace cltrack::test {
namespace {

constexpr std::chrono::seconds kSurely{60};

sockaddr_in loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

bool is_listening(int port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_in address = loopback(port);
  const bool taken =
      connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  close(socket);
  return taken;
}

}  // namespace

// Debian has it where only administrators look.
std::string mosquitto_program() {
  gchar* found = g_find_program_in_path("mosquitto");
  const std::string program = found != nullptr ? found : "/usr/sbin/mosquitto";
  g_free(found);
  return access(program.c_str(), X_OK) == 0 ? program : "";
}

int free_port() {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  const bool bound = bind(socket, reinterpret_cast<sockaddr*>(&address), size) == 0 &&
                     getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) == 0;
  close(socket);
  if (!bound) throw std::runtime_error("no free port");
  return ntohs(address.sin_port);
}

Broker::Broker(const std::string& options) : options_(options), port_(free_port()) {}

void Broker::start(int port) {
  if (port != 0) port_ = port;
  std::string text = "listener " + std::to_string(port_) + " 127.0.0.1\n";
  // As root it would give its rights away, and with them those to this folder.
  if (geteuid() == 0) text += "user root\n";
  text += "persistence true\npersistence_location " + folder_.path().string() + "/\n" + options_;
  const std::string config = folder_.write("mosquitto.conf", text + "\n");
  const std::string program = mosquitto_program();
  const std::string log = folder_.path() / "mosquitto.log";
  process_ = fork();
  if (process_ == 0) {
    if (freopen(log.c_str(), "a", stderr) == nullptr) _exit(1);
    execl(program.c_str(), program.c_str(), "-c", config.c_str(), nullptr);
    _exit(1);
  }
  const auto until = std::chrono::steady_clock::now() + kSurely;
  while (!is_listening(port_)) {
    if (waitpid(process_, nullptr, WNOHANG) != 0 || std::chrono::steady_clock::now() > until) {
      throw std::runtime_error("mosquitto does not start, see its log in " + log);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

void Broker::end(int signal) {
  if (process_ <= 0) return;
  ::kill(process_, signal);
  waitpid(process_, nullptr, 0);
  process_ = -1;
}

void Broker::stop() { end(SIGTERM); }
void Broker::kill() { end(SIGKILL); }

Listener::Listener(int port, const std::string& user, const std::string& password) {
  mosquitto_lib_init();
  client_ = mosquitto_new(nullptr, true, this);
  mosquitto_connect_callback_set(client_, on_connect);
  mosquitto_subscribe_callback_set(client_, on_subscribe);
  mosquitto_message_callback_set(client_, on_message);
  mosquitto_reconnect_delay_set(client_, 1, 1, false);
  if (!user.empty()) mosquitto_username_pw_set(client_, user.c_str(), password.c_str());
  if (mosquitto_connect(client_, "127.0.0.1", port, 60) != MOSQ_ERR_SUCCESS ||
      mosquitto_loop_start(client_) != MOSQ_ERR_SUCCESS) {
    throw std::runtime_error("no connection to the broker");
  }
  std::unique_lock lock(mutex_);
  if (!changed_.wait_for(lock, kSurely, [this] { return listens_; })) {
    throw std::runtime_error("the broker does not let listen");
  }
}

Listener::~Listener() {
  mosquitto_disconnect(client_);
  mosquitto_loop_stop(client_, true);
  mosquitto_destroy(client_);
}

void Listener::on_connect(mosquitto* client, void*, int code) {
  if (code == 0) mosquitto_subscribe(client, nullptr, "#", 1);
}

void Listener::on_subscribe(mosquitto*, void* self, int, int, const int*) {
  auto& listener = *static_cast<Listener*>(self);
  const std::lock_guard lock(listener.mutex_);
  listener.listens_ = true;
  listener.changed_.notify_all();
}

void Listener::on_message(mosquitto*, void* self, const mosquitto_message* message) {
  auto& listener = *static_cast<Listener*>(self);
  const std::lock_guard lock(listener.mutex_);
  const auto size = static_cast<std::size_t>(message->payloadlen);
  listener.heard_.push_back(
      {message->topic, {static_cast<const char*>(message->payload), size}, message->retain});
  listener.changed_.notify_all();
}

bool Listener::wait(const Condition& condition) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, kSurely, [&] { return condition(heard_); });
}

bool Listener::wait_for(const std::string& topic, std::size_t count) {
  return wait([&](const std::vector<Heard>& heard) {
    return static_cast<std::size_t>(std::ranges::count(heard, topic, &Heard::topic)) >= count;
  });
}

std::vector<std::string> Listener::texts(const std::string& topic) {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> texts;
  for (const Heard& heard : heard_) {
    if (heard.topic == topic) texts.push_back(heard.text);
  }
  return texts;
}

}  // namespace cltrack::test
