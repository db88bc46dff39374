// SPDX-License-Identifier: LGPL-2.1-or-later
// Uses tables of ConfigField: checks a config, converts fields to and from text.
#pragma once

#include <algorithm>
#include <charconv>
#include <limits>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "cltrack/config_field.h"
#include "cltrack/error.h"

namespace cltrack {

namespace detail {

// The limits, declared as double, in the field's own type.
template <typename T>
std::string range_text(T least, T most) {
  std::ostringstream text;
  text << least << (most == std::numeric_limits<T>::max() ? " or more" : " to ");
  if (most != std::numeric_limits<T>::max()) text << most;
  return text.str();
}

// The value of the field of that name, or `otherwise` if `name` is null.
template <typename T, typename Config>
T bound(Config& config, std::span<const ConfigField<Config>> fields, const char* name,
        T otherwise) {
  if (name == nullptr) return otherwise;
  for (const ConfigField<Config>& field : fields) {
    if (field.name == std::string_view(name))
      return std::get<T& (*)(Config&)>(field.member)(config);
  }
  return otherwise;
}

}  // namespace detail

// Throws Error{invalid_argument} that names the first field out of its range, its value and what is
// allowed. `what` begins the message: "TLD".
template <typename Config>
void check_config(const Config& config, std::span<const ConfigField<Config>> fields,
                  const char* what) {
  Config copy = config;  // field members are not const
  for (const ConfigField<Config>& field : fields) {
    const auto check = [&]<typename T>(T& (*member)(Config&)) {
      if constexpr (!std::is_same_v<T, bool>) {
        const T value = member(copy);
        const T least = detail::bound(copy, fields, field.not_under, static_cast<T>(field.least));
        const T most = detail::bound(copy, fields, field.not_over, static_cast<T>(field.most));
        if (value >= least && value <= most) return;  // false for NaN
        std::ostringstream message;
        message << what << ": " << field.name << " is " << value
                << "; allowed: " << detail::range_text(least, most);
        throw Error(ErrorCode::invalid_argument, message.str());
      }
    };
    std::visit(check, field.member);
  }
}

// Sets a field to what `text` says: true or false, or a number. Its range is not checked here.
// Throws Error{invalid_argument} that names the field if it is not of the field's type.
template <typename Config>
void set_field(Config& config, const ConfigField<Config>& field, std::string_view text) {
  const auto refuse = [&](const char* allowed) {
    throw Error(ErrorCode::invalid_argument, "parameter " + std::string(field.name) + ": \"" +
                                                 std::string(text) + "\" is not " + allowed);
  };
  const auto set = [&]<typename T>(T& (*member)(Config&)) {
    if constexpr (std::is_same_v<T, bool>) {
      if (text != "true" && text != "false") refuse("true or false");
      member(config) = text == "true";
    } else {
      const auto choice = std::ranges::find(field.choices, text);
      if (choice != field.choices.end()) {
        member(config) = static_cast<T>(choice - field.choices.begin());
        return;
      }
      T value{};
      const char* end = text.data() + text.size();
      const auto [stop, error] = std::from_chars(text.data(), end, value);
      if (error != std::errc{} || stop != end) {
        refuse(std::is_integral_v<T> ? "a whole number" : "a number");
      }
      member(config) = value;
    }
  };
  std::visit(set, field.member);
}

// The shortest text from which set_field() restores the value.
template <typename Config>
std::string field_text(const Config& config, const ConfigField<Config>& field) {
  Config copy = config;  // field members are not const
  const auto get = [&]<typename T>(T& (*member)(Config&)) -> std::string {
    if constexpr (std::is_same_v<T, bool>) {
      return member(copy) ? "true" : "false";
    } else {
      for (std::size_t i = 0; i < field.choices.size(); ++i) {
        if (static_cast<double>(member(copy)) == static_cast<double>(i)) return field.choices[i];
      }
      char text[64];
      return {text, std::to_chars(text, text + sizeof text, member(copy)).ptr};
    }
  };
  return std::visit(get, field.member);
}

// All fields, as "NAME=VALUE".
template <typename Config>
std::vector<std::string> field_settings(const Config& config,
                                        std::span<const ConfigField<Config>> fields) {
  std::vector<std::string> settings;
  for (const ConfigField<Config>& field : fields) {
    settings.push_back(std::string(field.name) + "=" + field_text(config, field));
  }
  return settings;
}

// Sets a field from "NAME=VALUE". Throws Error{invalid_argument} if there is none of that name, and
// what set_field() throws.
template <typename Config>
void set_field(Config& config, std::span<const ConfigField<Config>> fields,
               std::string_view setting) {
  const std::string_view name = setting.substr(0, setting.find('='));
  for (const ConfigField<Config>& field : fields) {
    if (field.name != name) continue;
    return set_field(config, field, setting.substr(std::min(name.size() + 1, setting.size())));
  }
  throw Error(ErrorCode::invalid_argument, "no parameter \"" + std::string(setting) + "\"");
}

// The config that field_settings() has written so. Throws what set_field() throws.
template <typename Config>
Config config_of(std::span<const ConfigField<Config>> fields,
                 std::span<const std::string> settings) {
  Config config;
  for (const std::string& setting : settings) set_field(config, fields, setting);
  return config;
}

}  // namespace cltrack
