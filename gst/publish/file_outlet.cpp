// SPDX-License-Identifier: LGPL-2.1-or-later
#include "publish/file_outlet.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "cltrack/error.h"

namespace cltrack::gst {
namespace {

// Not yet written. Small, so that little is written twice after an error.
constexpr std::size_t kMostBytes = 65536;

class FileOutlet : public Outlet {
 public:
  // With a path, or a descriptor of others.
  FileOutlet(std::string path, int descriptor)
      : path_(std::move(path)), is_ours_(!path_.empty()), descriptor_(descriptor) {}
  ~FileOutlet() override { close(); }

  std::string name() const override {
    std::string name = is_ours_ ? "file " : "file descriptor ";
    name += is_ours_ ? path_ : std::to_string(descriptor_);
    return name;
  }

  void open() override {
    if (is_ours_) {
      constexpr int kHow = O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK | O_CLOEXEC | O_NOCTTY;
      descriptor_ = ::open(path_.c_str(), kHow, 0666);
      if (descriptor_ < 0) refuse(errno == ENXIO ? "nobody reads this pipe" : std::strerror(errno));
    } else {
      const int flags = fcntl(descriptor_, F_GETFL);
      if (flags < 0) refuse(std::strerror(errno));
      if ((flags & O_ACCMODE) == O_RDONLY) refuse("it is open for reading only");
    }
    is_open_ = true;
    if (half_line_ > 0 || ends_in_half_line()) text_ += '\n';
    half_line_ = 0;
  }

  bool is_open() const override { return is_open_; }
  bool is_ready() const override { return is_open_ && text_.size() < kMostBytes; }

  void send(Ticket ticket, const Message& message) override {
    text_ += message.text;
    text_ += '\n';
    ends_.emplace_back(ticket, written_ + text_.size());
  }

  void wait(int wake, std::chrono::milliseconds longest) override {
    const short writing = text_.empty() ? 0 : POLLOUT;
    pollfd waited[] = {{descriptor_, writing, 0}, {wake, POLLIN, 0}};
    // A file without a reader is always in error: nothing to wait for until there is text for it.
    const nfds_t first = text_.empty() ? 1 : 0;
    if (poll(waited + first, 2 - first, static_cast<int>(longest.count())) <= 0) return;
    if (waited[0].revents != 0) write();
  }

  std::vector<Ticket> take_sent() override { return std::exchange(sent_, {}); }

  void close() noexcept override {
    if (is_ours_ && descriptor_ >= 0) {
      cut_half_line();
      ::close(descriptor_);
      descriptor_ = -1;
    }
    is_open_ = false;
    text_.clear();
    ends_.clear();
  }

 private:
  [[noreturn]] void refuse(const char* reason) const {
    throw Error(ErrorCode::invalid_argument, name() + " cannot be written: " + reason);
  }

  // Whether the file was renamed or removed, as by logrotate: lines go on in a new one of its name.
  // One that is half written ends where it began.
  bool is_replaced() const {
    struct stat open_file = {}, named = {};
    if (!is_ours_ || half_line_ > 0 || fstat(descriptor_, &open_file) != 0 ||
        !S_ISREG(open_file.st_mode)) {
      return false;
    }
    if (stat(path_.c_str(), &named) != 0) return errno == ENOENT;
    return open_file.st_dev != named.st_dev || open_file.st_ino != named.st_ino;
  }

  // As a process leaves it that is killed while it writes.
  bool ends_in_half_line() const {
    struct stat open_file = {};
    if (!is_ours_ || fstat(descriptor_, &open_file) != 0 || !S_ISREG(open_file.st_mode)) {
      return false;
    }
    const int reading = ::open(path_.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (reading < 0) return false;  // it may only be written
    char last = '\n';
    const bool is_read =
        open_file.st_size > 0 && pread(reading, &last, 1, open_file.st_size - 1) == 1;
    ::close(reading);
    return is_read && last != '\n';
  }

  // The file may be renamed before it is opened again, and what is whole is then in both. It stays
  // where the file cannot be cut, like a pipe, or where others have written behind it: open() ends
  // it.
  void cut_half_line() noexcept {
    struct stat open_file = {};
    if (half_line_ == 0 || fstat(descriptor_, &open_file) != 0) return;
    const off_t end = lseek(descriptor_, 0, SEEK_CUR);
    if (end != open_file.st_size || end < half_line_) return;
    if (ftruncate(descriptor_, end - half_line_) == 0) half_line_ = 0;
  }

  // No more than what a pipe takes at once where poll() says that it takes some: others'
  // descriptors may be such that wait.
  void write() {
    if (is_replaced()) {
      ::close(descriptor_);
      open();
    }
    const std::size_t size = std::min<std::size_t>(text_.size(), is_ours_ ? kMostBytes : PIPE_BUF);
    const ssize_t done = ::write(descriptor_, text_.data(), size);
    if (done < 0) {
      if (errno == EAGAIN || errno == EINTR) return;
      refuse(std::strerror(errno));
    }
    const auto count = static_cast<std::size_t>(done);
    const std::size_t line_end = std::string_view(text_.data(), count).rfind('\n');
    half_line_ = line_end == std::string_view::npos ? half_line_ + done
                                                    : done - static_cast<ssize_t>(line_end) - 1;
    text_.erase(0, count);
    written_ += count;
    while (!ends_.empty() && ends_.front().second <= written_) {
      sent_.push_back(ends_.front().first);
      ends_.pop_front();
    }
  }

  const std::string path_;
  const bool is_ours_;
  int descriptor_;
  bool is_open_ = false;
  off_t half_line_ = 0;  // bytes of the last line, if it was not written to its end
  std::string text_;
  std::uint64_t written_ = 0;                          // bytes
  std::deque<std::pair<Ticket, std::uint64_t>> ends_;  // in bytes, as written_
  std::vector<Ticket> sent_;
};

}  // namespace

std::unique_ptr<Outlet> make_file_outlet(const std::string& path) {
  return std::make_unique<FileOutlet>(path, -1);
}

std::unique_ptr<Outlet> make_descriptor_outlet(int descriptor) {
  return std::make_unique<FileOutlet>(std::string(), descriptor);
}

}  // namespace cltrack::gst
