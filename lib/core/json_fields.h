// SPDX-License-Identifier: LGPL-2.1-or-later
// Reading JSON that may be damaged or hostile: each function throws Error{invalid_argument} with
// what is wrong.
#pragma once

#include <cmath>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "cltrack/error.h"

namespace cltrack::json {

[[noreturn]] inline void refuse(const std::string& what) {
  throw Error(ErrorCode::invalid_argument, what);
}

inline const nlohmann::json& field(const nlohmann::json& json, const char* name) {
  const auto found = json.find(name);
  if (found == json.end()) refuse(std::string("it has no ") + name);
  return *found;
}

inline double number(const nlohmann::json& json, std::string_view name, double lowest,
                     double highest) {
  const double value = json.is_number() ? json.get<double>() : std::nan("");
  if (value >= lowest && value <= highest) return value;
  refuse(std::string(name) + " is not a number from " + std::to_string(lowest) + " to " +
         std::to_string(highest));
}

inline const nlohmann::json& list(const nlohmann::json& json, const char* name, std::size_t most) {
  const nlohmann::json& values = field(json, name);
  if (!values.is_array()) refuse(std::string(name) + " is not a list");
  if (values.size() > most) {
    refuse(std::string(name) + " has " + std::to_string(values.size()) + " entries; at most " +
           std::to_string(most) + " are allowed");
  }
  return values;
}

}  // namespace cltrack::json
