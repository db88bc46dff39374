// SPDX-License-Identifier: LGPL-2.1-or-later
// What is to be known about a parameter of a tracker, said once: its name, range, unit and meaning.
// These tables are what configs are checked against, and what the properties of the elements, the
// option --param of cltrack-evaluate and docs/parameters.md are made of.
#pragma once

#include <variant>

namespace cltrack {

template <typename Config>
struct ConfigField {
  using Bool = bool& (*)(Config&);
  using Int = int& (*)(Config&);
  using Float = float& (*)(Config&);
  using Member = std::variant<Bool, Int, Float>;

  const char* name;  // "scale_step", "first_warps.angle"
  Member member;     // where a config has it
  double least = 0;  // what is allowed, both ends included; of numbers
  double most = 1;
  const char* unit = "";   // "pixels", "degrees"; empty: a count, or a share of something
  const char* blurb = "";  // what it means, without a full stop
  // The property of the elements that sets it; null: there is none.
  const char* property = nullptr;
  // Names of fields of the same type that it must not be under, or over; null: there is none.
  const char* not_under = nullptr;
  const char* not_over = nullptr;
};

// ConfigField::member of a field, of a struct within the config if there are two:
// field_at<TldConfig, &TldConfig::first_warps, &WarpConfig::angle>.
template <typename Config, auto... Members>
inline constexpr auto field_at = +[](Config& config) -> auto& {
  return (config.*....*Members);
};

}  // namespace cltrack
