// SPDX-License-Identifier: LGPL-2.1-or-later
#include "files/picture_folder.h"

#include <glib.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "cltrack/error.h"
#include "files/model_file.h"
#include "scoped.h"

namespace cltrack::gst {
namespace {

constexpr const char* kEnding = ".jpg";
// While it is written, a file has this behind its name.
constexpr std::size_t kTemporary = std::string_view(".ABCDEF").size();
// What is older was left behind by a program that has been killed.
constexpr gint64 kStale = 60;  // seconds

// Of picture_name().
bool is_picture(std::string_view name) {
  constexpr std::string_view kPattern = "00000000T000000.000000Z-";
  if (name.size() <= kPattern.size() || !name.ends_with(kEnding)) return false;
  return std::ranges::equal(kPattern, name.substr(0, kPattern.size()), [](char like, char c) {
    return like == '0' ? g_ascii_isdigit(c) != 0 : c == like;
  });
}

}  // namespace

std::string picture_name(std::int64_t time, const std::string& title) {
  const Scoped<GDateTime, g_date_time_unref> seconds(
      g_date_time_new_from_unix_utc(time / G_USEC_PER_SEC));
  const Scoped<char, g_free> text(g_date_time_format(seconds.get(), "%Y%m%dT%H%M%S"));
  char fraction[16];
  g_snprintf(fraction, sizeof fraction, ".%06d", static_cast<int>(time % G_USEC_PER_SEC));
  return text.get() + std::string(fraction) + "Z-" + title + kEnding;
}

PictureFolder::PictureFolder(std::string path, const PictureLimits& limits)
    : path_(std::move(path)), limits_(limits) {
  const auto refuse = [&] { refuse_file("picture-folder", path_, std::strerror(errno)); };
  if (g_mkdir_with_parents(path_.c_str(), 0777) != 0) refuse();
  if (g_access(path_.c_str(), W_OK | X_OK) != 0) refuse();
  look();
}

void PictureFolder::look() {
  const Scoped<GDir, g_dir_close> folder(g_dir_open(path_.c_str(), 0, nullptr));
  if (!folder) refuse_file("picture-folder", path_, "it cannot be read");
  while (const char* name = g_dir_read_name(folder.get())) {
    const std::string_view text(name);
    const bool is_temporary =
        text.size() > kTemporary && is_picture(text.substr(0, text.size() - kTemporary));
    GStatBuf found = {};
    if ((!is_temporary && !is_picture(text)) || g_stat(path_of(name).c_str(), &found) != 0) {
      continue;
    }
    if (!is_temporary) {
      files_.push_back({name, static_cast<std::uint64_t>(found.st_size)});
      bytes_ += files_.back().bytes;
    } else if (g_get_real_time() / G_USEC_PER_SEC - found.st_mtime > kStale) {
      g_unlink(path_of(name).c_str());
    }
  }
  std::ranges::sort(files_, {}, &File::name);
}

void PictureFolder::make_room(std::uint64_t bytes) {
  if (limits_.bytes != 0 && bytes > limits_.bytes) {
    throw Error(ErrorCode::failed, "they are larger than picture-bytes allows, which is " +
                                       std::to_string(limits_.bytes));
  }
  const auto is_full = [&] {
    return (limits_.files != 0 && files_.size() >= limits_.files) ||
           (limits_.bytes != 0 && bytes_ + bytes > limits_.bytes);
  };
  while (!files_.empty() && is_full()) {
    // One that somebody else has removed is gone as well.
    if (g_unlink(path_of(files_.front().name).c_str()) != 0 && errno != ENOENT) {
      throw Error(ErrorCode::failed,
                  std::string("the oldest one cannot be removed: ") + std::strerror(errno));
    }
    bytes_ -= files_.front().bytes;
    files_.pop_front();
  }
}

void PictureFolder::write(const std::string& name, const std::string& bytes) {
  make_room(bytes.size());
  GError* error = nullptr;
  if (!g_file_set_contents_full(
          path_of(name).c_str(), bytes.data(), static_cast<gssize>(bytes.size()),
          static_cast<GFileSetContentsFlags>(int{G_FILE_SET_CONTENTS_CONSISTENT} |
                                             int{G_FILE_SET_CONTENTS_DURABLE}),
          0666, &error)) {
    const Scoped<GError, g_error_free> owner(error);
    // Its own text has the name of a temporary file, another one each time.
    const std::string text = owner->message;
    const std::size_t reason = text.rfind(": ");
    throw Error(ErrorCode::failed, reason == std::string::npos ? text : text.substr(reason + 2));
  }
  files_.push_back({name, bytes.size()});
  bytes_ += bytes.size();
}

}  // namespace cltrack::gst
