// SPDX-License-Identifier: LGPL-2.1-or-later
// Numbers, strings and labels in properties.
#pragma once

#include <gst/gst.h>

#include <optional>
#include <string>

namespace cltrack::gst {

// A number of any type, as gst-launch and applications in other languages write them. Empty for
// what is no number: truth values, characters, strings.
std::optional<double> number_of(const GValue* value);

// The text of a string, "" for none.
inline std::string string_of(const GValue* value) {
  const char* text = g_value_get_string(value);
  return text != nullptr ? text : "";
}

// The same with a replacement for what is not UTF-8: messages are UTF-8.
std::string utf8_of(const GValue* value);

// Converts a list's entry to a label. GStreamer parses some words as other types (50, 1.5, 1/2,
// 5:3, true), some even in quotes: these are converted back to text, as it was written if possible.
// Empty for what is not a single word, such as a range or a list.
std::optional<std::string> label_text(const GValue* value);

// The same for a label.
// Throws Error{invalid_argument} that starts with `name` if it is not UTF-8.
std::string parse_label(const char* name, const GValue* value);

// Throws Error{invalid_argument} that starts with `name` if `label` is not UTF-8.
void check_label(const std::string& name, const std::string& label);

}  // namespace cltrack::gst
