// SPDX-License-Identifier: LGPL-2.1-or-later
// Labels as they are written in properties.
#pragma once

#include <gst/gst.h>

#include <optional>
#include <string>

namespace cltrack::gst {

// What a list has where a label belongs, as text. GStreamer takes words for other types where it
// can, some even in quotes (50, 1.5, 1/2, 5:3, true): here they are text again, as it was written
// as far as that can be known. Nothing for what is no single word, such as a range or a list.
std::optional<std::string> label_text(const GValue* value);

// The text of a string, "" for none.
// Throws Error{invalid_argument} that starts with `name` if it is not UTF-8.
std::string parse_label(const char* name, const GValue* value);

// Throws Error{invalid_argument} that starts with `name` if `label` is not UTF-8.
void check_label(const std::string& name, const std::string& label);

}  // namespace cltrack::gst
