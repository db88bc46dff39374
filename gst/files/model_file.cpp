// SPDX-License-Identifier: LGPL-2.1-or-later
#include "files/model_file.h"

#include <fcntl.h>
#include <glib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

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

std::string read_regular_file(const std::string& path, std::size_t most) {
  const File file = open_regular_file(path);
  std::string text;
  std::array<char, 65536> part;
  while (text.size() <= most) {
    const std::size_t size = std::fread(part.data(), 1, part.size(), file.get());
    if (size == 0) break;
    text.append(part.data(), size);
  }
  return text;
}

void refuse_file(const char* what, const std::string& path, const std::string& reason) {
  throw Error(ErrorCode::invalid_argument, std::string(what) + " \"" + path + "\": " + reason);
}

void replace_regular_file(const char* what, const std::string& path, const std::string& text) {
  namespace fs = std::filesystem;
  std::error_code failure;
  // The new file is renamed to the old one: it takes the place of no link, device or folder, and it
  // gets the mode of the old one.
  fs::path place = path;
  const fs::file_status before = fs::status(place, failure);
  if (fs::exists(before)) {
    if (!fs::is_regular_file(before)) {
      refuse_file(what, path, "it is there, and is not a regular file");
    }
    place = fs::canonical(place, failure);
    if (failure) refuse_file(what, path, failure.message());
  } else if (fs::is_symlink(place, failure)) {
    refuse_file(what, path, "it is a link to a file that is not there");
  }
  GError* error = nullptr;
  if (!g_file_set_contents(place.c_str(), text.data(), static_cast<gssize>(text.size()), &error)) {
    const Scoped<GError, g_error_free> owner(error);
    refuse_file(what, path, owner->message);
  }
  if (!fs::exists(before)) return;
  fs::permissions(place, before.permissions(), failure);
  if (failure) refuse_file(what, path, "its mode cannot be kept: " + failure.message());
}

namespace {

template <typename Model>
Model load(const char* what, const std::string& path) {
  try {
    return Model::parse(read_regular_file(path, Model::kLargest));
  } catch (const Error& error) {
    refuse_file(what, path, error.what());
  }
}

}  // namespace

SavedModel load_model(const std::string& path) { return load<SavedModel>("load-model", path); }

Network load_network(const std::string& path) { return load<Network>("network", path); }

void save_model(const SavedModel& model, const std::string& path) {
  replace_regular_file("save-model", path, model.text());
}

}  // namespace cltrack::gst
