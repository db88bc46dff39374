// SPDX-License-Identifier: LGPL-2.1-or-later
// The properties of trackoverlay's text, and labels in properties.
#pragma once

#include <gst/gst.h>

#include <optional>
#include <string>

#include "overlay/overlay_style.h"

namespace cltrack::gst {

// Strings in properties, labels above all.

// Converts a list's entry to a label. GStreamer parses some words as other types (50, 1.5, 1/2,
// 5:3, true), some even in quotes: these are converted back to text, as it was written if possible.
// Empty for what is not a single word, such as a range or a list.
std::optional<std::string> label_text(const GValue* value);

// The text of a string, "" for none.
inline std::string string_of(const GValue* value) {
  const char* text = g_value_get_string(value);
  return text != nullptr ? text : "";
}

// The same for a label.
// Throws Error{invalid_argument} that starts with `name` if it is not UTF-8.
std::string parse_label(const char* name, const GValue* value);

// Throws Error{invalid_argument} that starts with `name` if `label` is not UTF-8.
void check_label(const std::string& name, const std::string& label);

// The properties of trackoverlay that say what stands in the tags, and how.

inline constexpr guint kOverlayTextProperties = 7;

// Their ids are those from `first` on.
void install_overlay_text_properties(GObjectClass* klass, guint first);

// False for ids that are not among them. Throws Error{invalid_argument} that says what is allowed
// for a text that is not; `style` is then as it was.
bool set_overlay_text_property(OverlayStyle& style, guint id, guint first, const GValue* value);
bool get_overlay_text_property(const OverlayStyle& style, guint id, guint first, GValue* value);

}  // namespace cltrack::gst
