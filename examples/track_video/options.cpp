// SPDX-License-Identifier: LGPL-2.1-or-later
#include "options.h"
#include "quote.h"

#include <gst/gst.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iomanip>
#include <memory>
#include <sstream>
#include <stdexcept>

namespace track_video {
namespace {

// Nanoseconds of it fit into 64 bits with a sign: 292 years.
constexpr std::uint64_t kMaxStart = G_MAXINT64 / GST_SECOND;
constexpr double kMinStopTime = 0.1, kMaxStopTime = 86400;

struct Arguments {
  gchar* output = nullptr;
  gchar** settings = nullptr;
  gchar** rest = nullptr;
  gchar* start = nullptr;
  gchar* stop_time = nullptr;
  gboolean no_video = FALSE;
  gboolean no_pictures = FALSE;
  gboolean quiet = FALSE;

  Arguments() = default;
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;
  ~Arguments() {
    g_free(output);
    g_free(start);
    g_free(stop_time);
    g_strfreev(settings);
    g_strfreev(rest);
  }
};

// GOption treats every argument that begins with a minus as an option. Negative numbers, which are
// boxes or values here, are marked so that GOption ignores them.
constexpr char kMark = '\x01';

std::vector<std::string> mark_numbers(int argc, char** argv) {
  std::vector<std::string> marked(argv, argv + argc);
  for (std::string& argument : marked) {
    const std::size_t digit = argument.starts_with("-.") ? 2 : 1;
    const bool is_number = argument.size() > digit && argument[0] == '-' &&
                           argument[digit] >= '0' && argument[digit] <= '9';
    if (is_number) argument.insert(0, 1, kMark);
  }
  return marked;
}

const char* unmarked(const char* argument) { return *argument == kMark ? argument + 1 : argument; }

void parse(Arguments& arguments, int argc, char** argv) {
  const GOptionEntry entries[] = {
      {"output", 'o', 0, G_OPTION_ARG_FILENAME, &arguments.output,
       "Directory for the results (default: demo-output)", "DIR"},
      // "Filename": as it is. Strings are converted from the locale, which may be C.
      {"set", 's', 0, G_OPTION_ARG_FILENAME_ARRAY, &arguments.settings,
       "Set a property of cltracker; may be given several times", "PROPERTY=VALUE"},
      {"start", 0, 0, G_OPTION_ARG_STRING, &arguments.start,
       "Start time; the boxes are those at this time (default: 0)", "SECONDS"},
      {"stop-time", 0, 0, G_OPTION_ARG_STRING, &arguments.stop_time,
       "Complete the files within this time after Ctrl-C (default: 1.5)", "SECONDS"},
      {"no-video", 0, 0, G_OPTION_ARG_NONE, &arguments.no_video,
       "Write the boxes only, no annotated video and no pictures", nullptr},
      {"no-pictures", 0, 0, G_OPTION_ARG_NONE, &arguments.no_pictures,
       "No contact sheet and no plot of confidence", nullptr},
      {"quiet", 'q', 0, G_OPTION_ARG_NONE, &arguments.quiet, "Show no progress", nullptr},
      {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &arguments.rest, nullptr, nullptr},
      {}};
  const std::unique_ptr<GOptionContext, decltype(&g_option_context_free)> context(
      g_option_context_new("VIDEO X,Y,W,H[,LABEL]..."), g_option_context_free);
  g_option_context_set_summary(
      context.get(),
      "Tracks objects through a video. Each box says where one is on the first frame (that of\n"
      "--start), in pixels.\n"
      "Writes annotated.mp4 (or .webm), contact-sheet.png (moments of loss and of matches),\n"
      "confidence.png, boxes.csv and boxes.jsonl.");
  g_option_context_add_main_entries(context.get(), entries, nullptr);
  g_option_context_add_group(context.get(), gst_init_get_option_group());
  std::vector<std::string> marked = mark_numbers(argc, argv);
  std::vector<char*> pointers;
  for (std::string& argument : marked) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  char** moved = pointers.data();  // GOption moves the remaining arguments
  GError* error = nullptr;
  if (!g_option_context_parse(context.get(), &argc, &moved, &error)) {
    const std::string message = error->message;
    g_error_free(error);
    throw std::runtime_error(message + ". See " + g_get_prgname() + " --help");
  }
}

void check_readable(const std::filesystem::path& video) {
  std::error_code error;
  const auto status = std::filesystem::status(video, error);
  if (std::filesystem::is_directory(status)) {
    throw std::runtime_error(quote(video.string()) +
                             " is a directory; give the path of a video file");
  }
  // A pipe, for example, would block, and cannot be read twice.
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    throw std::runtime_error(quote(video.string()) +
                             " is not a regular file; give the path of a video file (write the "
                             "data of a pipe to a file first)");
  }
  if (!std::ifstream(video)) {
    throw std::runtime_error("cannot read " + quote(video.string()) + ": " + std::strerror(errno) +
                             ". Give the path of a video file that you may read");
  }
  if (std::filesystem::file_size(video, error) == 0) {
    throw std::runtime_error(quote(video.string()) + " is empty; give the path of a video file");
  }
}

double parse_seconds(const std::string& option, const char* text, double least, double most) {
  char* end = nullptr;
  const double seconds = g_ascii_strtod(text, &end);
  // Also false for NaN.
  if (end != text && *end == '\0' && seconds >= least && seconds <= most) return seconds;
  std::ostringstream message;
  message << std::setprecision(10) << option << ' ' << text << ": must be a number of seconds from "
          << least << " to " << most;
  throw std::runtime_error(message.str());
}

}  // namespace

Options parse_options(int argc, char** argv) {
  Arguments arguments;
  parse(arguments, argc, argv);
  const guint count = arguments.rest == nullptr ? 0 : g_strv_length(arguments.rest);
  if (count < 2) {
    throw std::runtime_error(
        std::string(count == 0 ? "no video and no box given" : "no box given") +
        ". Usage: " + g_get_prgname() + " [OPTION...] VIDEO X,Y,W,H[,LABEL]...");
  }
  Options options;
  options.video = unmarked(arguments.rest[0]);
  check_readable(options.video);
  for (guint i = 1; i < count; ++i) {
    options.targets.push_back(parse_target(unmarked(arguments.rest[i])));
  }
  if (arguments.output != nullptr) options.output = unmarked(arguments.output);
  if (arguments.start != nullptr) {
    options.start = parse_seconds("--start", unmarked(arguments.start), 0, double{kMaxStart});
  }
  if (arguments.stop_time != nullptr) {
    options.stop_time = std::chrono::duration<double>(
        parse_seconds("--stop-time", unmarked(arguments.stop_time), kMinStopTime, kMaxStopTime));
  }
  options.write_video = !arguments.no_video;
  options.write_pictures = options.write_video && !arguments.no_pictures;
  options.quiet = arguments.quiet;
  for (gchar** entry = arguments.settings; entry != nullptr && *entry != nullptr; ++entry) {
    const char* setting = unmarked(*entry);
    const char* equals = std::strchr(setting, '=');
    if (equals == nullptr || equals == setting) {
      throw std::runtime_error("--set " + std::string(setting) +
                               ": not PROPERTY=VALUE. gst-inspect-1.0 cltracker lists properties");
    }
    options.settings.emplace_back(std::string(setting, static_cast<std::size_t>(equals - setting)),
                                  equals + 1);
  }
  return options;
}

}  // namespace track_video
