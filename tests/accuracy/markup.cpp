// SPDX-License-Identifier: LGPL-2.1-or-later
#include "markup.h"

#include <glib.h>

#include <cstdio>
#include <memory>

#include "row_choice.h"

namespace cltrack::accuracy {
namespace {

std::string number(double value) { return text("%.1f", value); }

std::string valid(const std::string& bytes) {
  const std::unique_ptr<char, decltype(&g_free)> utf8(
      g_utf8_make_valid(bytes.data(), static_cast<gssize>(bytes.size())), g_free);
  return utf8.get();
}

}  // namespace

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : valid(text)) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        // XML has no way to write control characters.
        result += static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' ? '?' : c;
    }
  }
  return result;
}

std::string shortened(const std::string& text, int letters) {
  const std::string whole = valid(text);
  const char* end = whole.c_str();  // of what fits before the dots
  int width = 0;
  for (const char* at = end; *at != '\0'; at = g_utf8_next_char(at)) {
    width += g_unichar_iswide(g_utf8_get_char(at)) ? 2 : 1;
    if (width < letters) end = g_utf8_next_char(at);
  }
  if (width <= letters) return whole;
  return whole.substr(0, static_cast<std::size_t>(end - whole.c_str())) + "…";
}

std::string svg_head(int width, int height, const std::string& name) {
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + std::to_string(width) +
         "\" height=\"" + std::to_string(height) + "\" viewBox=\"0 0 " + std::to_string(width) +
         " " + std::to_string(height) + "\" role=\"img\" aria-label=\"" + escaped(name) +
         "\" font-family=\"sans-serif\" font-size=\"13\">\n"
         "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
}

std::string svg_line(double x1, double y1, double x2, double y2, const std::string& style) {
  return "<line x1=\"" + number(x1) + "\" y1=\"" + number(y1) + "\" x2=\"" + number(x2) +
         "\" y2=\"" + number(y2) + "\" " + style + "/>\n";
}

std::string svg_rect(double x, double y, double width, double height, const std::string& style) {
  return "<rect x=\"" + number(x) + "\" y=\"" + number(y) + "\" width=\"" + number(width) +
         "\" height=\"" + number(height) + "\" " + style + "/>\n";
}

std::string svg_text(double x, double y, const std::string& anchor, const std::string& words) {
  return "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" text-anchor=\"" + anchor + "\">" +
         escaped(words) + "</text>\n";
}

const char* markup_color(std::size_t index) {
  static constexpr const char* kColors[kMarkupColors] = {"#4477aa", "#ee6677", "#228833", "#ccbb44",
                                                         "#66ccee", "#aa3377", "#555555"};
  return kColors[index % kMarkupColors];
}

std::string printable(const std::string& text) {
  std::string result;
  const char* const end = text.data() + text.size();
  for (const char* at = text.data(); at < end;) {
    const gunichar character = g_utf8_get_char_validated(at, end - at);
    const bool is_valid = character < gunichar{0x110000};
    const char* const next = is_valid ? g_utf8_next_char(at) : at + 1;
    if (is_valid && !g_unichar_iscntrl(character)) {
      result.append(at, next);
    } else {
      for (; at < next; ++at) {
        char code[8];
        std::snprintf(code, sizeof code, "\\x%02x", static_cast<unsigned char>(*at));
        result += code;
      }
    }
    at = next;
  }
  return result;
}

}  // namespace cltrack::accuracy
