// SPDX-License-Identifier: LGPL-2.1-or-later
#include "files/model_file.h"

#include <glib.h>

#include <array>

#include "cltrack/error.h"
#include "files/regular_file.h"

namespace cltrack::gst {
namespace {

[[noreturn]] void refuse(const char* what, const std::string& path, const std::string& reason) {
  throw Error(ErrorCode::invalid_argument, std::string(what) + " \"" + path + "\": " + reason);
}

std::string read(std::FILE* file) {
  std::string text;
  std::array<char, 65536> part;
  while (text.size() <= SavedModel::kLargest) {
    const std::size_t size = std::fread(part.data(), 1, part.size(), file);
    if (size == 0) break;
    text.append(part.data(), size);
  }
  return text;
}

}  // namespace

SavedModel load_model(const std::string& path) {
  try {
    return SavedModel::parse(read(open_regular_file(path).get()));
  } catch (const Error& error) {
    refuse("load-model", path, error.what());
  }
}

void save_model(const SavedModel& model, const std::string& path) {
  const std::string text = model.text();
  // A rename would put a file in the place of a device or a folder.
  if (g_file_test(path.c_str(), G_FILE_TEST_EXISTS) &&
      !g_file_test(path.c_str(), G_FILE_TEST_IS_REGULAR)) {
    refuse("save-model", path, "it is there, and is not a regular file");
  }
  GError* error = nullptr;
  if (g_file_set_contents(path.c_str(), text.data(), static_cast<gssize>(text.size()), &error)) {
    return;
  }
  const Scoped<GError, g_error_free> owner(error);
  refuse("save-model", path, owner->message);
}

}  // namespace cltrack::gst
