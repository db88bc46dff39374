// SPDX-License-Identifier: LGPL-2.1-or-later
#include "options.h"
#include "quote.h"

#include <gst/gst.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <memory>
#include <stdexcept>

namespace track_video {
namespace {

struct Arguments {
  gchar* output = nullptr;
  gchar** settings = nullptr;
  gchar** rest = nullptr;
  gdouble start = 0;
  gboolean no_video = FALSE;
  gboolean quiet = FALSE;

  Arguments() = default;
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;
  ~Arguments() {
    g_free(output);
    g_strfreev(settings);
    g_strfreev(rest);
  }
};

void parse(Arguments& arguments, int argc, char** argv) {
  const GOptionEntry entries[] = {
      {"output", 'o', 0, G_OPTION_ARG_FILENAME, &arguments.output,
       "Directory for the results (default: demo-output)", "DIR"},
      {"set", 's', 0, G_OPTION_ARG_STRING_ARRAY, &arguments.settings,
       "Set a property of cltracker; may be given several times", "PROPERTY=VALUE"},
      {"start", 0, 0, G_OPTION_ARG_DOUBLE, &arguments.start,
       "Begin there; the boxes are where the objects are then (default: 0)", "SECONDS"},
      {"no-video", 0, 0, G_OPTION_ARG_NONE, &arguments.no_video,
       "Write the boxes only, no annotated video", nullptr},
      {"quiet", 'q', 0, G_OPTION_ARG_NONE, &arguments.quiet, "Show no progress", nullptr},
      {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &arguments.rest, nullptr, nullptr},
      {}};
  const std::unique_ptr<GOptionContext, decltype(&g_option_context_free)> context(
      g_option_context_new("VIDEO X,Y,W,H[,LABEL]..."), g_option_context_free);
  g_option_context_set_summary(
      context.get(),
      "Tracks objects through a video. Each box says where one is on the first frame (that of\n"
      "--start), in pixels.\n"
      "Writes annotated.mp4 (or .webm), boxes.csv and boxes.jsonl.");
  g_option_context_add_main_entries(context.get(), entries, nullptr);
  g_option_context_add_group(context.get(), gst_init_get_option_group());
  GError* error = nullptr;
  if (!g_option_context_parse(context.get(), &argc, &argv, &error)) {
    const std::string message = error->message;
    g_error_free(error);
    throw std::runtime_error(message + ". See track-video --help");
  }
}

void check_readable(const std::filesystem::path& video) {
  std::error_code error;
  if (std::filesystem::is_directory(video, error)) {
    throw std::runtime_error(quote(video.string()) +
                             " is a directory; give the path of a video file");
  }
  if (!std::ifstream(video)) {
    throw std::runtime_error("cannot read " + quote(video.string()) + ": " + std::strerror(errno) +
                             ". Give the path of a video file that you may read");
  }
  if (std::filesystem::is_regular_file(video, error) &&
      std::filesystem::file_size(video, error) == 0) {
    throw std::runtime_error(quote(video.string()) + " is empty; give the path of a video file");
  }
}

}  // namespace

Options parse_options(int argc, char** argv) {
  Arguments arguments;
  parse(arguments, argc, argv);
  const guint count = arguments.rest == nullptr ? 0 : g_strv_length(arguments.rest);
  if (count < 2) {
    throw std::runtime_error(
        std::string(count == 0 ? "no video and no box given" : "no box given") +
        ". Usage: track-video [OPTION...] VIDEO X,Y,W,H[,LABEL]...");
  }
  Options options;
  options.video = arguments.rest[0];
  check_readable(options.video);
  for (guint i = 1; i < count; ++i) options.targets.push_back(parse_target(arguments.rest[i]));
  if (arguments.output != nullptr) options.output = arguments.output;
  if (!std::isfinite(arguments.start) || arguments.start < 0) {
    throw std::runtime_error("--start " + std::to_string(arguments.start) +
                             ": must be 0 seconds or more");
  }
  options.start = arguments.start;
  options.write_video = !arguments.no_video;
  options.quiet = arguments.quiet;
  for (gchar** setting = arguments.settings; setting != nullptr && *setting != nullptr; ++setting) {
    const char* equals = std::strchr(*setting, '=');
    if (equals == nullptr || equals == *setting) {
      throw std::runtime_error("--set " + std::string(*setting) +
                               ": not PROPERTY=VALUE. gst-inspect-1.0 cltracker lists properties");
    }
    options.settings.emplace_back(
        std::string(*setting, static_cast<std::size_t>(equals - *setting)), equals + 1);
  }
  return options;
}

}  // namespace track_video
