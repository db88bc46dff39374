// SPDX-License-Identifier: LGPL-2.1-or-later
// Looks into SVG that tests have made.
#pragma once

#include <glib.h>

#include <string>

namespace cltrack::accuracy {

// The names of the elements, in order; what is wrong if it is no well-formed XML.
inline std::string elements_of(const std::string& xml) {
  std::string names;
  GMarkupParser parser{};
  parser.start_element = [](GMarkupParseContext*, const gchar* name, const gchar**, const gchar**,
                            gpointer data, GError**) {
    *static_cast<std::string*>(data) += std::string(name) + " ";
  };
  GMarkupParseContext* context =
      g_markup_parse_context_new(&parser, GMarkupParseFlags{}, &names, nullptr);
  GError* error = nullptr;
  if (!g_markup_parse_context_parse(context, xml.data(), static_cast<gssize>(xml.size()), &error) ||
      !g_markup_parse_context_end_parse(context, &error)) {
    names = error->message;
    g_error_free(error);
  }
  g_markup_parse_context_free(context);
  return names;
}

// How often `part` is in `text`.
inline std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++found;
  return found;
}

}  // namespace cltrack::accuracy
