// SPDX-License-Identifier: LGPL-2.1-or-later
#include "options.h"

#include <charconv>
#include <cstring>
#include <memory>
#include <stdexcept>

#include "examples/track_video/quote.h"

namespace rtsp_server {
namespace {

using track_video::quote;

struct Arguments {
  gchar* address = nullptr;
  gchar* port = nullptr;
  gchar* path = nullptr;
  gchar** rest = nullptr;
  gboolean loop = FALSE;

  Arguments() = default;
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;
  ~Arguments() {
    g_free(address);
    g_free(port);
    g_free(path);
    g_strfreev(rest);
  }
};

void parse(Arguments& arguments, int argc, char** argv) {
  const GOptionEntry entries[] = {
      {"address", 'a', 0, G_OPTION_ARG_STRING, &arguments.address,
       "Address to listen on (default: 127.0.0.1, this machine alone; 0.0.0.0: all networks, "
       "without a password)",
       "IP"},
      {"port", 'p', 0, G_OPTION_ARG_STRING, &arguments.port,
       "Port to listen on (default: 8554; 0: one that is free, which is printed)", "N"},
      {"path", 0, 0, G_OPTION_ARG_STRING, &arguments.path,
       "Path in the URL of the stream (default: /track)", "/PATH"},
      {"loop", 'l', 0, G_OPTION_ARG_NONE, &arguments.loop,
       "Begin a file anew when it ends, with the same boxes", nullptr},
      {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &arguments.rest, nullptr, nullptr},
      {}};
  const std::unique_ptr<GOptionContext, decltype(&g_option_context_free)> context(
      g_option_context_new("SOURCE X,Y,W,H[,LABEL]..."), g_option_context_free);
  g_option_context_set_summary(
      context.get(),
      "Tracks objects, and shows the pictures with their boxes to any number of RTSP clients.\n"
      "SOURCE is a video file, a URI (rtsp://...), /dev/videoN, or elements as for "
      "gst-launch-1.0\n"
      "('videotestsrc is-live=true pattern=ball'). Each box says where an object is on the first\n"
      "picture, in pixels.");
  g_option_context_add_main_entries(context.get(), entries, nullptr);
  g_option_context_add_group(context.get(), gst_init_get_option_group());
  GError* error = nullptr;
  if (!g_option_context_parse(context.get(), &argc, &argv, &error)) {
    const std::string message = error->message;
    g_error_free(error);
    throw std::runtime_error(message + ". See rtsp-server --help");
  }
}

std::uint16_t parse_port(const char* text) {
  std::uint16_t port = 0;
  const char* const end = text + std::strlen(text);
  const auto [rest, error] = std::from_chars(text, end, port);
  if (error == std::errc() && rest == end) return port;
  throw std::runtime_error("--port " + std::string(text) + ": must be a number from 0 to 65535");
}

std::string parse_path(const std::string& text) {
  const bool plain = text.find_first_of("?# ") == std::string::npos;
  if (text.size() > 1 && text[0] == '/' && plain) return text;
  throw std::runtime_error("--path " + quote(text) +
                           ": must begin with / and name something, without ?, # and spaces: for "
                           "example /cameras/1");
}

}  // namespace

Options parse_options(int argc, char** argv) {
  Arguments arguments;
  parse(arguments, argc, argv);
  const guint count = arguments.rest == nullptr ? 0 : g_strv_length(arguments.rest);
  if (count < 2) {
    throw std::runtime_error(
        std::string(count == 0 ? "no source and no box given" : "no box given") +
        ". Usage: rtsp-server [OPTION...] SOURCE X,Y,W,H[,LABEL]...");
  }
  Options options;
  options.source = parse_source(arguments.rest[0]);
  for (guint i = 1; i < count; ++i) {
    options.targets.push_back(track_video::parse_target(arguments.rest[i]));
  }
  if (arguments.address != nullptr) options.address = arguments.address;
  if (arguments.port != nullptr) options.port = parse_port(arguments.port);
  if (arguments.path != nullptr) options.path = parse_path(arguments.path);
  options.loop = arguments.loop;
  if (options.loop && options.source.kind == SourceKind::live) {
    throw std::runtime_error("--loop is for files; " + options.source.name +
                             " is opened again whenever it is gone");
  }
  return options;
}

}  // namespace rtsp_server
