// SPDX-License-Identifier: LGPL-2.1-or-later
// Parts of SVG and HTML.
#pragma once

#include <string>

namespace cltrack::accuracy {

// Text and values of attributes, whatever bytes they are: names come from folders.
std::string escaped(const std::string& text);

// For a terminal: control characters, and bytes that are no UTF-8, as \\xNN. Names and messages
// hold what is in files of others.
std::string printable(const std::string& text);

// What of it fits into so many letters, and dots if that is not all; a Chinese character takes two.
std::string shortened(const std::string& text, int letters);

// A picture with a white ground. `name` is what those hear who do not see it.
std::string svg_head(int width, int height, const std::string& name);

std::string svg_line(double x1, double y1, double x2, double y2, const std::string& style);
std::string svg_rect(double x, double y, double width, double height, const std::string& style);
std::string svg_text(double x, double y, const std::string& anchor, const std::string& words);

// Colours of trackers, told apart by most who do not see all colours. There are as many as this;
// further ones begin anew.
inline constexpr std::size_t kMarkupColors = 7;
const char* markup_color(std::size_t index);

}  // namespace cltrack::accuracy
