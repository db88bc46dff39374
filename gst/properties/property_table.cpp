// SPDX-License-Identifier: LGPL-2.1-or-later
#include "properties/property_table.h"

#include <algorithm>
#include <deque>

namespace cltrack::gst {

PropertyName::PropertyName(const char* the_name) : name(the_name), nick(the_name) {
  std::replace(nick.begin(), nick.end(), '-', ' ');
  nick[0] = g_ascii_toupper(nick[0]);
}

GType register_choices(const Choices& choices) {
  if (const GType known = g_type_from_name(choices.type.c_str())) return known;
  static std::deque<std::vector<GEnumValue>> all;  // as long as the process: GObject refers to them
  std::vector<GEnumValue>& values = all.emplace_back();
  for (const auto& [text, nick] : choices.values) {
    values.push_back({static_cast<int>(values.size()), text, nick});
  }
  values.push_back({0, nullptr, nullptr});
  const GType type = g_enum_register_static(choices.type.c_str(), values.data());
  gst_type_mark_as_plugin_api(type, static_cast<GstPluginAPIFlags>(0));
  return type;
}

}  // namespace cltrack::gst
