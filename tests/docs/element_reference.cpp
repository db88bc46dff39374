// SPDX-License-Identifier: LGPL-2.1-or-later
// Keeps the tables of docs/ as the elements and the library have them.
//
//   element-reference --check FILE...   fails if a table of a FILE is not what it is made of
//   element-reference --write FILE...   replaces the tables
//
// A table stands between the lines <!-- properties of ELEMENT -->, or <!-- parameters of CONFIG
// -->, and <!-- end of table -->.
#include <gst/gst.h>

#include <fstream>
#include <iostream>
#include <limits>
#include <memory>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "cltrack/color_config.h"
#include "cltrack/template_config.h"
#include "cltrack/tld_config.h"
#include "core/config_check.h"

namespace {

const std::string kProperties = "<!-- properties of ";
const std::string kParameters = "<!-- parameters of ";
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
  if (G_IS_PARAM_SPEC_BOOLEAN(spec)) return "true, false";
  if (G_IS_PARAM_SPEC_ENUM(spec)) {
    const auto* values = reinterpret_cast<const GParamSpecEnum*>(spec)->enum_class;
    std::string names;
    for (guint i = 0; i < values->n_values; ++i) {
      names += (i > 0 ? ", " : "") + std::string(values->values[i].value_nick);
    }
    return names;
  }
  return "";
}

std::string default_of(GParamSpec* spec) {
  const GValue* value = g_param_spec_get_default_value(spec);
  if (G_VALUE_HOLDS_FLOAT(value)) return number(g_value_get_float(value));
  if (G_VALUE_HOLDS_DOUBLE(value)) return number(g_value_get_double(value));
  if (G_VALUE_HOLDS_STRING(value)) {
    return g_value_get_string(value) == nullptr ? "none" : g_value_get_string(value);
  }
  if (GST_VALUE_HOLDS_ARRAY(value) && gst_value_array_get_size(value) == 0) return "none";
  if (G_VALUE_HOLDS_BOXED(value) && g_value_get_boxed(value) == nullptr) return "none";
  if (G_IS_PARAM_SPEC_ENUM(spec)) {
    return g_enum_get_value(reinterpret_cast<GParamSpecEnum*>(spec)->enum_class,
                            g_value_get_enum(value))
        ->value_nick;
  }
  const std::unique_ptr<gchar, decltype(&g_free)> text(gst_value_serialize(value), g_free);
  return text == nullptr ? "none" : text.get();
}

std::string type_of(const GParamSpec* spec) {
  if (G_IS_PARAM_SPEC_BOOLEAN(spec)) return "boolean";
  if (G_IS_PARAM_SPEC_ENUM(spec)) return "enum";
  if (G_IS_PARAM_SPEC_STRING(spec)) return "string";
  if (G_IS_PARAM_SPEC_FLOAT(spec) || G_IS_PARAM_SPEC_DOUBLE(spec)) return "number";
  if (g_type_is_a(spec->value_type, GST_TYPE_ARRAY)) return "array";
  if (g_type_is_a(spec->value_type, GST_TYPE_STRUCTURE)) return "structure";
  return "integer";
}

// Those of GStreamer's base classes are GStreamer's to document.
bool is_own(const GParamSpec* spec) {
  const std::string owner = g_type_name(spec->owner_type);
  return owner != "GstObject" && owner != "GstElement" && owner != "GstBaseTransform";
}

std::string when_of(const GParamSpec* spec) {
  const auto flags = static_cast<unsigned>(spec->flags);
  if ((flags & G_PARAM_WRITABLE) == 0) return "never: read only";
  if ((flags & GST_PARAM_MUTABLE_PLAYING) != 0) return "any time";
  if ((flags & GST_PARAM_MUTABLE_PAUSED) != 0) return "up to PAUSED";
  return "up to READY";
}

std::string table_of(const std::string& name) {
  using Element = std::unique_ptr<GstElement, decltype(&gst_object_unref)>;
  const Element element(gst_element_factory_make(name.c_str(), nullptr), gst_object_unref);
  if (element == nullptr) throw std::runtime_error("no element " + name);
  std::string table =
      "| property | type | default | allowed | may change | what |\n"
      "|---|---|---|---|---|---|\n";
  guint count = 0;
  const std::unique_ptr<GParamSpec*, decltype(&g_free)> specs(
      g_object_class_list_properties(G_OBJECT_GET_CLASS(element.get()), &count), g_free);
  for (guint i = 0; i < count; ++i) {
    GParamSpec* spec = specs.get()[i];
    if (!is_own(spec)) continue;
    table += "| `" + std::string(spec->name) + "` | " + type_of(spec) + " | " +
             cell(default_of(spec)) + " | " + cell(range_of(spec)) + " | " + when_of(spec) + " | " +
             cell(g_param_spec_get_blurb(spec)) + " |\n";
  }
  return table;
}

std::string code(std::string_view text) {
  std::string quoted(1, '`');
  quoted.append(text).append(1, '`');
  return quoted;
}

template <typename Config>
std::string allowed_in(const cltrack::ConfigField<Config>& field) {
  const auto text = [&]<typename T>(T& (*)(Config&)) -> std::string {
    if constexpr (std::is_same_v<T, bool>) return "true, false";
    std::string range = field.not_under != nullptr ? code(field.not_under) : number(field.least);
    if (field.most == static_cast<double>(std::numeric_limits<T>::max())) {
      return range.append(" or more");
    }
    return range.append(" to ").append(field.not_over != nullptr ? code(field.not_over)
                                                                 : number(field.most));
  };
  return std::visit(text, field.member);
}

template <typename Config>
std::string parameter_table(std::span<const cltrack::ConfigField<Config>> fields) {
  std::string table =
      "| parameter | default | allowed | unit | property | what |\n"
      "|---|---|---|---|---|---|\n";
  for (const cltrack::ConfigField<Config>& field : fields) {
    const std::string cells[] = {code(field.name),
                                 cltrack::field_text(Config{}, field),
                                 allowed_in(field),
                                 field.unit,
                                 field.property != nullptr ? code(field.property) : "",
                                 cell(field.blurb)};
    for (const std::string& text : cells) table.append("| ").append(text).append(" ");
    table += "|\n";
  }
  return table;
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
    const std::string config = name_in(line, kParameters);
    if (element.empty() && config.empty()) continue;
    text += (config.empty() ? table_of(element) : parameters_of(config)) + kEnd + '\n';
    ++tables;
    while (std::getline(in, line) && line != kEnd) {
    }
    if (line != kEnd)
      throw std::runtime_error("no '" + kEnd + "' after the table of " + element + config);
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
