// SPDX-License-Identifier: LGPL-2.1-or-later
#include "files/regular_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "cltrack/error.h"

namespace cltrack::gst {

File open_regular_file(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) {
    throw Error(ErrorCode::invalid_argument,
                std::string("it cannot be opened: ") + std::strerror(errno));
  }
  struct stat status = {};
  const bool is_file = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
  File file(is_file ? fdopen(descriptor, "rb") : nullptr);
  if (file) return file;
  close(descriptor);
  throw Error(ErrorCode::invalid_argument, "it is not a regular file");
}

}  // namespace cltrack::gst
