// SPDX-License-Identifier: LGPL-2.1-or-later
// Keeps the tables of docs/ as the elements and the library have them.
//
//   element-reference --check FILE...   fails if a table of a FILE is not what it is made of
//   element-reference --write FILE...   replaces the tables
//
// A table stands between the lines <!-- properties of ELEMENT -->, <!-- formats of ELEMENT -->, or
// <!-- parameters of CONFIG -->, and <!-- end of table -->.
#include <gst/video/video.h>

#include <algorithm>
#include <fstream>
#include <initializer_list>
#include <iostream>
#include <limits>
#include <memory>
#include <set>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "cltrack/color_config.h"
#include "cltrack/template_config.h"
#include "cltrack/tld_config.h"
#include "core/config_check.h"

namespace {

const std::string kProperties = "<!-- properties of ";
const std::string kFormats = "<!-- formats of ";
const std::string kParameters = "<!-- parameters of ";
const std::string kOfTemplate = "; of algorithm=template";
const std::string kEnd = "<!-- end of table -->";

// What a Markdown table cell may hold.
std::string cell(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|' || c == '<' || c == '*' || c == '_') escaped += '\\';
    escaped += c == '\n' ? ' ' : c;
  }
  return escaped;
}

std::string code(std::string_view text) {
  std::string quoted(1, '`');
  quoted.append(text).append(1, '`');
  return quoted;
}

template <typename T>
std::string number(T value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

// The largest values are limits of the type, not of the property.
template <typename Spec>
std::string range(const GParamSpec* spec, const char* unlimited_above) {
  const auto* limits = reinterpret_cast<const Spec*>(spec);
  return number(limits->minimum) + (number(limits->maximum) == unlimited_above
                                        ? " or more"
                                        : " to " + number(limits->maximum));
}

std::string range_of(const GParamSpec* spec) {
  if (G_IS_PARAM_SPEC_INT(spec)) return range<GParamSpecInt>(spec, number(G_MAXINT).c_str());
  if (G_IS_PARAM_SPEC_UINT(spec)) return range<GParamSpecUInt>(spec, number(G_MAXUINT).c_str());
  if (G_IS_PARAM_SPEC_INT64(spec)) return range<GParamSpecInt64>(spec, number(G_MAXINT64).c_str());
  if (G_IS_PARAM_SPEC_UINT64(spec)) {
    return range<GParamSpecUInt64>(spec, number(G_MAXUINT64).c_str());
  }
  if (G_IS_PARAM_SPEC_FLOAT(spec)) return range<GParamSpecFloat>(spec, number(G_MAXFLOAT).c_str());
  if (G_IS_PARAM_SPEC_DOUBLE(spec)) {
    return range<GParamSpecDouble>(spec, number(G_MAXDOUBLE).c_str());
  }
  return "";
}

std::string default_of(GParamSpec* spec) {
  const GValue* value = g_param_spec_get_default_value(spec);
  if (G_VALUE_HOLDS_FLOAT(value)) return number(g_value_get_float(value));
  if (G_VALUE_HOLDS_DOUBLE(value)) return number(g_value_get_double(value));
  if (G_VALUE_HOLDS_STRING(value)) {
    return g_value_get_string(value) == nullptr ? "" : g_value_get_string(value);
  }
  if (GST_VALUE_HOLDS_ARRAY(value) && gst_value_array_get_size(value) == 0) return "";
  if (G_VALUE_HOLDS_BOXED(value) && g_value_get_boxed(value) == nullptr) return "";
  const std::unique_ptr<gchar, decltype(&g_free)> text(gst_value_serialize(value), g_free);
  return text == nullptr ? "" : text.get();
}

// All values of an enumeration, with the default in bold.
std::string choices_of(const GParamSpecEnum* spec) {
  std::string names;
  for (const GEnumValue& value : std::span(spec->enum_class->values, spec->enum_class->n_values)) {
    const std::string mark = value.value == spec->default_value ? "**" : "";
    names += (names.empty() ? "" : ", ") + mark + value.value_nick + mark;
  }
  return names;
}

// "0.1 (0.02 to 1)"; of what has no default, the type.
std::string values_of(GParamSpec* spec) {
  if (G_IS_PARAM_SPEC_ENUM(spec)) return choices_of(G_PARAM_SPEC_ENUM(spec));
  const std::string standard = cell(default_of(spec));
  const std::string range = range_of(spec);
  if (!range.empty()) return standard + " (" + range + ")";
  if (!standard.empty()) return standard;
  if (G_IS_PARAM_SPEC_STRING(spec)) return "string";
  return g_type_is_a(spec->value_type, GST_TYPE_ARRAY) ? "array" : "structure";
}

// Those of GStreamer's base classes are GStreamer's to document.
bool is_own(const GParamSpec* spec) {
  const std::string owner = g_type_name(spec->owner_type);
  return owner != "GstObject" && owner != "GstElement" && owner != "GstBaseTransform";
}

using Element = std::unique_ptr<GstElement, decltype(&gst_object_unref)>;

Element make_element(const std::string& name) {
  Element element(gst_element_factory_make(name.c_str(), nullptr), gst_object_unref);
  if (element == nullptr) throw std::runtime_error("no element " + name);
  return element;
}

std::vector<GParamSpec*> properties_of(const Element& element) {
  guint count = 0;
  const std::unique_ptr<GParamSpec*, decltype(&g_free)> specs(
      g_object_class_list_properties(G_OBJECT_GET_CLASS(element.get()), &count), g_free);
  std::vector<GParamSpec*> own(specs.get(), specs.get() + count);
  std::erase_if(own, [](GParamSpec* spec) { return !is_own(spec); });
  return own;
}

// The blurb, without what the heading of the table says of all properties below it.
std::string text_of(GParamSpec* spec) {
  std::string text = g_param_spec_get_blurb(spec);
  for (const auto& [said, rest] : std::initializer_list<std::pair<std::string, const char*>>{
           {"; takes effect when the element starts, or on a new stream", ""},
           {"; takes effect when the element starts", ""},
           {"; may be changed at any time, takes effect on the next buffer", ""},
           {"; may be changed at any time, ", "; "},
           {"; may be changed at any time", ""},
           {kOfTemplate, ""}}) {
    const auto at = text.find(said);
    if (at != std::string::npos) text.replace(at, said.size(), rest);
  }
  return cell(text);
}

struct Group {
  const char* heading;
  bool (*has)(GParamSpec* spec);
};

bool is_writable(GParamSpec* spec) { return (spec->flags & G_PARAM_WRITABLE) != 0; }

bool is_mutable(GParamSpec* spec) {
  return is_writable(spec) && (spec->flags & GST_PARAM_MUTABLE_PLAYING) != 0;
}

bool is_of_template(GParamSpec* spec) {
  return std::string_view(g_param_spec_get_blurb(spec)).find(kOfTemplate) != std::string_view::npos;
}

constexpr Group kGroups[] = {
    {"At any time:", is_mutable},
    {"Up to READY:",
     [](GParamSpec* spec) {
       return is_writable(spec) && !is_mutable(spec) && !is_of_template(spec);
     }},
    {"Up to READY, of `algorithm=template`:", is_of_template},
    {"Read only:", [](GParamSpec* spec) { return !is_writable(spec); }},
};

// A table for each time at which properties may change.
std::string tables_of(std::span<GParamSpec* const> specs) {
  std::string tables;
  for (const Group& group : kGroups) {
    std::string rows;
    for (GParamSpec* spec : specs) {
      if (!group.has(spec)) continue;
      rows += "| " + code(spec->name) + " | " + values_of(spec) + " | " + text_of(spec) + " |\n";
    }
    if (rows.empty()) continue;
    tables += std::string(tables.empty() ? "" : "\n") + group.heading +
              "\n\n| property | default | what |\n|---|---|---|\n" + rows;
  }
  return tables;
}

std::string table_of(const std::string& name) {
  const Element element = make_element(name);
  std::vector<GParamSpec*> specs = properties_of(element);
  if (name != "clcolortracker") return tables_of(specs);
  // What is as in cltracker stands there.
  const Element other = make_element("cltracker");
  std::string shared;
  for (GParamSpec* there : properties_of(other)) {
    const auto same = std::ranges::find_if(specs, [there](GParamSpec* spec) {
      return spec->name == std::string_view(there->name) && spec->value_type == there->value_type &&
             text_of(spec) == text_of(there);
    });
    if (same == specs.end()) continue;
    shared += (shared.empty() ? "" : ", ") + code(there->name);
    specs.erase(same);
  }
  return "As in [cltracker](#cltracker): " + shared + ".\n\n" + tables_of(specs);
}

std::set<std::string> formats_in_caps(const std::string& name) {
  const Element element = make_element(name);
  const std::unique_ptr<GstPad, decltype(&gst_object_unref)> pad(
      gst_element_get_static_pad(element.get(), "sink"), gst_object_unref);
  const std::unique_ptr<GstCaps, decltype(&gst_caps_unref)> caps(
      gst_pad_get_pad_template_caps(pad.get()), gst_caps_unref);
  const GValue* list = gst_structure_get_value(gst_caps_get_structure(caps.get(), 0), "format");
  std::set<std::string> formats;
  for (guint i = 0; i < gst_value_list_get_size(list); ++i) {
    formats.insert(g_value_get_string(gst_value_list_get_value(list, i)));
  }
  return formats;
}

std::string in_words(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + code(name);
  return text;
}

// Which formats the element takes. `present` is the list so far: of it, names stay that this
// GStreamer does not know, because later ones have more formats.
std::string formats_of(const std::string& name, std::istream& present) {
  std::set<std::string> formats = formats_in_caps(name);
  if (name == "clcolortracker") {  // what is as in cltracker stands there
    std::set<std::string> missing = formats_in_caps("cltracker");
    for (const std::string& format : formats) missing.erase(format);
    return "Those of [cltracker](#formats) but for " + in_words(missing) + ".\n";
  }
  for (std::string word; std::getline(present, word, '`');) {
    const bool is_name = !word.empty() && word.find_first_of(", \n") == std::string::npos;
    if (is_name && gst_video_format_from_string(word.c_str()) == GST_VIDEO_FORMAT_UNKNOWN) {
      formats.insert(word);
    }
  }
  return in_words(formats) + '\n';
}

// " (0 to 1)"
template <typename Config>
std::string allowed_in(const cltrack::ConfigField<Config>& field) {
  const auto text = [&]<typename T>(T& (*)(Config&)) -> std::string {
    if constexpr (std::is_same_v<T, bool>) return {};
    std::string range = " (";
    range += field.not_under != nullptr ? code(field.not_under) : number(field.least);
    if (field.most == static_cast<double>(std::numeric_limits<T>::max())) {
      return range.append(" or more)");
    }
    range += " to ";
    range += field.not_over != nullptr ? code(field.not_over) : number(field.most);
    return range.append(")");
  };
  return std::visit(text, field.member);
}

// What a property sets stands in the table of the element's properties.
template <typename Config>
std::string parameter_table(std::span<const cltrack::ConfigField<Config>> fields) {
  std::string properties;
  std::string rows;
  for (const cltrack::ConfigField<Config>& field : fields) {
    if (field.property != nullptr) {
      properties += (properties.empty() ? "" : ", ") + code(field.name);
      std::string usual = field.name;
      std::ranges::replace(usual, '_', '-');
      if (usual != field.property) properties += " (" + code(field.property) + ")";
      continue;
    }
    const std::string unit = field.unit[0] != '\0' ? std::string(" (") + field.unit + ")" : "";
    rows += "| " + code(field.name) + " | " + cltrack::field_text(Config{}, field) +
            allowed_in(field) + " | " + cell(field.blurb) + unit + " |\n";
  }
  return "As the properties of these names: " + properties +
         ".\n\n| parameter | default | what |\n|---|---|---|\n" + rows;
}

std::string parameters_of(const std::string& config) {
  if (config == "TldConfig") return parameter_table(cltrack::tld_fields());
  if (config == "TemplateConfig") return parameter_table(cltrack::template_fields());
  if (config == "ColorConfig") return parameter_table(cltrack::color_fields());
  throw std::runtime_error("no config " + config);
}

// The name behind `begin` in a line, or nothing if the line does not begin so.
std::string name_in(const std::string& line, const std::string& begin) {
  if (!line.starts_with(begin)) return {};
  return line.substr(begin.size(), line.find(' ', begin.size()) - begin.size());
}

// The text of FILE with all its tables made anew.
std::string regenerate(std::istream& in) {
  std::string text;
  std::string line;
  int tables = 0;
  while (std::getline(in, line)) {
    text += line + '\n';
    const std::string element = name_in(line, kProperties);
    const std::string formats = name_in(line, kFormats);
    const std::string config = name_in(line, kParameters);
    const std::string name = element + formats + config;
    if (name.empty()) continue;
    std::stringstream present;
    while (std::getline(in, line) && line != kEnd) present << line << '\n';
    if (line != kEnd) throw std::runtime_error("no '" + kEnd + "' after the table of " + name);
    if (!element.empty()) text += table_of(element);
    if (!formats.empty()) text += formats_of(formats, present);
    if (!config.empty()) text += parameters_of(config);
    text += kEnd + '\n';
    ++tables;
  }
  if (tables == 0)
    throw std::runtime_error("no line starts with '" + kProperties + "' or '" + kParameters + "'");
  return text;
}

int check_or_write(const std::string& mode, const char* path) {
  std::ifstream in(path);
  std::stringstream present;
  present << in.rdbuf();
  if (!in) throw std::runtime_error(std::string("cannot read ") + path);
  const std::string wanted = regenerate(present);
  if (mode == "--write") {
    return (std::ofstream(path) << wanted) ? 0 : 1;
  }
  if (present.str() == wanted) return 0;
  std::istringstream wanted_lines(wanted);
  std::istringstream present_lines(present.str());
  std::string wanted_line;
  std::string present_line;
  while (std::getline(wanted_lines, wanted_line)) {
    if (!std::getline(present_lines, present_line)) present_line.clear();
    if (wanted_line != present_line) break;
  }
  std::cerr << path << " is out of date.\nfile:   " << present_line << "\nshould: " << wanted_line
            << "\nUpdate it: ninja -C BUILD_DIR update-docs\n";
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc >= 3 ? argv[1] : "";
  if (mode != "--check" && mode != "--write") {
    std::cerr << "usage: element-reference --check|--write FILE...\n";
    return 2;
  }
  int status = 1;
  gst_init(nullptr, nullptr);
  try {
    status = 0;
    for (int i = 2; i < argc; ++i) status |= check_or_write(mode, argv[i]);
  } catch (const std::exception& error) {
    status = 1;
    std::cerr << "element-reference: " << error.what() << '\n';
  }
  gst_deinit();
  return status;
}
