// SPDX-License-Identifier: LGPL-2.1-or-later
#include "compute/child_process.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <thread>
#include <utility>

#if defined(__GLIBC__) && defined(__GLIBC_PREREQ)
#if __GLIBC_PREREQ(2, 34)
#define CLTRACK_HAS_CLOSEFROM
#endif
#endif

extern char** environ;  // POSIX declares it in no header

namespace cltrack {
namespace {

namespace fs = std::filesystem;

constexpr int kSocket = 3;  // file descriptor in the child
constexpr std::string_view kDone = "done\n";
constexpr std::size_t kLastOutput = 2000;  // bytes

class Descriptor {
 public:
  Descriptor() = default;
  // Above the child's descriptors, even if the application has closed 0 to 3.
  explicit Descriptor(int number) : number_(fcntl(number, F_DUPFD_CLOEXEC, 10)) { ::close(number); }
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  void close() {
    if (number_ >= 0) ::close(std::exchange(number_, -1));
  }
  int get() const { return number_; }

 private:
  int number_ = -1;
};

struct Ends {
  Descriptor ours, theirs;
  bool is_open() const { return ours.get() >= 0 && theirs.get() >= 0; }
};

Ends make_ends(int type) {
  std::array<int, 2> both = {};
  if (socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, both.data()) != 0) return {};
  return {Descriptor(both[0]), Descriptor(both[1])};
}

// The present environment with `variables` replaced.
std::vector<std::string> environment_with(const std::vector<std::string>& variables) {
  const auto name_of = [](std::string_view variable) {
    return variable.substr(0, variable.find('='));
  };
  std::vector<std::string> all = variables;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const bool replaced = std::ranges::any_of(variables, [&](const std::string& variable) {
      return name_of(variable) == name_of(*entry);
    });
    if (!replaced) all.emplace_back(*entry);
  }
  return all;
}

// As exec() takes them.
std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

// RAII for the arguments of posix_spawn().
class Instructions {
 public:
  Instructions(int socket, int errors) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions_, errors, STDERR_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, socket, kSocket);
#ifdef CLTRACK_HAS_CLOSEFROM
    posix_spawn_file_actions_addclosefrom_np(&actions_, kSocket + 1);
#endif
    posix_spawnattr_init(&attributes_);
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes_, &signals);
    sigfillset(&signals);
    posix_spawnattr_setsigdefault(&attributes_, &signals);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  }
  ~Instructions() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  Instructions(const Instructions&) = delete;
  Instructions& operator=(const Instructions&) = delete;

  // 0 or an errno.
  int spawn(const fs::path& program, const std::vector<std::string>& arguments,
            const std::vector<std::string>& variables, pid_t& child) {
    std::vector<std::string> words = {program.string()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<std::string> environment = environment_with(variables);
    return posix_spawn(&child, program.c_str(), &actions_, &attributes_, pointers_to(words).data(),
                       pointers_to(environment).data());
  }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

enum class Stream { open, empty, ended };

// Appends some of the output that is available.
Stream read_some(const Descriptor& from, std::string& text) {
  std::array<char, 4096> bytes;
  const ssize_t got = recv(from.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
  if (got < 0) return errno == EAGAIN || errno == EINTR ? Stream::empty : Stream::ended;
  text.append(bytes.data(), static_cast<std::size_t>(got));
  return got > 0 ? Stream::open : Stream::ended;
}

Stream read_words(const Descriptor& from, std::string& words) {
  const Stream stream = read_some(from, words);
  if (words.size() > kLastOutput) words.erase(0, words.size() - kLastOutput);
  return stream;
}

// The last line that is not empty.
std::string last_line(std::string_view text) {
  const std::size_t end = text.find_last_not_of(" \t\r\n");
  if (end == std::string_view::npos) return {};
  text = text.substr(0, end + 1);
  return std::string(text.substr(text.find_last_of('\n') + 1));
}

// Waits until the child is done or has ended, or a stop request shuts down `socket`.
bool listen(Ends& socket, Ends& errors, std::string& words) {
  std::string said;
  while (true) {
    std::array<pollfd, 2> polled = {
        {{socket.ours.get(), POLLIN, 0}, {errors.ours.get(), POLLIN, 0}}};
    if (poll(polled.data(), polled.size(), -1) < 0) {
      if (errno != EINTR) return false;
      continue;
    }
    if (polled[1].revents != 0) {
      if (read_words(errors.ours, words) == Stream::ended) errors.ours.close();
    }
    if (polled[0].revents == 0) continue;
    const Stream stream = read_some(socket.ours, said);
    if (said.starts_with(kDone)) return true;
    if (stream == Stream::ended || said.size() >= kDone.size()) return false;
  }
}

// Kills the child's process group and waits for the child. Returns how it ended.
std::string bury(pid_t child) {
  siginfo_t info = {};
  // If somebody else has waited for the child, its id may belong to another process.
  const int known = waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT);
  if (known == 0) kill(-child, SIGKILL);
  int status = 0;
  pid_t waited = 0;
  do {
    waited = waitpid(child, &status, 0);
  } while (waited < 0 && errno == EINTR);
  if (waited < 0) return "it ended";
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    return "it was ended by signal " + std::to_string(signal) + " (" + strsignal(signal) + ")";
  }
  return "it exited with status " + std::to_string(WEXITSTATUS(status));
}

// Where libcltrack's own programs are installed, beside it: as the soname, it has the minor
// version, so that libraries of several versions can be installed at once.
fs::path programs_folder() {
  constexpr std::string_view version = CLTRACK_VERSION;
  return "cltrack-" + std::string(version.substr(0, version.rfind('.')));
}

}  // namespace

ChildOutcome run_child(const fs::path& program, const std::vector<std::string>& arguments,
                       const std::vector<std::string>& variables, const std::stop_token& stop) {
  using End = ChildOutcome::End;
  const auto failed = [&](const std::string& why) {
    return ChildOutcome{End::failed, program.string() + " cannot be started: " + why};
  };
  Ends socket = make_ends(SOCK_STREAM), errors = make_ends(SOCK_STREAM);
  if (!socket.is_open() || !errors.is_open()) return failed(std::strerror(errno));
  pid_t child = 0;
  const int code = Instructions(socket.theirs.get(), errors.theirs.get())
                       .spawn(program, arguments, variables, child);
  socket.theirs.close();
  errors.theirs.close();
  if (code != 0) return failed(std::strerror(code));

  std::string words;
  bool done = false;
  {
    const std::stop_callback wake(stop, [&] { shutdown(socket.ours.get(), SHUT_RDWR); });
    done = listen(socket, errors, words);
  }
  const std::string how = bury(child);
  if (done) return {End::done, {}};
  if (stop.stop_requested()) return {End::stopped, {}};
  while (errors.ours.get() >= 0 && read_words(errors.ours, words) == Stream::open) {
  }
  const std::string last = last_line(words);
  return {End::failed, last.empty() ? how : how + ": " + last};
}

fs::path find_program(const char* name, const char* variable) {
  const auto can_run = [](const fs::path& path) {
    std::error_code error;
    return fs::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
  };
  if (const char* named = secure_getenv(variable)) return can_run(named) ? named : fs::path();
  Dl_info info = {};
  if (dladdr(&kDone, &info) == 0 || info.dli_fname == nullptr) return {};
  const fs::path folder = fs::path(info.dli_fname).parent_path();
  for (const fs::path& path : {folder / programs_folder() / name, folder / name}) {
    if (can_run(path)) return path;
  }
  return {};
}

bool follow_parent() {
  int type = 0;
  socklen_t size = sizeof type;
  if (getsockopt(kSocket, SOL_SOCKET, SO_TYPE, &type, &size) != 0) return false;
  // Processes that the driver starts must not keep the socket open.
  fcntl(kSocket, F_SETFD, FD_CLOEXEC);
  std::thread([] {
    pollfd polled = {kSocket, POLLIN, 0};
    while (poll(&polled, 1, -1) < 0 && errno == EINTR) {
    }
    _exit(EXIT_FAILURE);
  }).detach();
  return true;
}

void end_as_done() {
  if (send(kSocket, kDone.data(), kDone.size(), MSG_NOSIGNAL) < 0) _exit(EXIT_FAILURE);
  _exit(EXIT_SUCCESS);
}

}  // namespace cltrack
