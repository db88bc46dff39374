// SPDX-License-Identifier: LGPL-2.1-or-later
// The description of a tracker's parameter: name, range, unit and meaning. Tables of these are used
// to check configs, and to generate the properties of the elements, the option --param of
// cltrack-evaluate, and docs/.
#pragma once

#include <cstdint>
#include <span>
#include <variant>

namespace cltrack {

template <typename Config>
struct ConfigField {
  using Bool = bool& (*)(Config&);
  using Int = int& (*)(Config&);
  using Int64 = std::int64_t& (*)(Config&);
  using Float = float& (*)(Config&);
  using Member = std::variant<Bool, Int, Int64, Float>;

  const char* name;  // "scale_step", "first_warps.angle"
  Member member;     // accesses it in a config
  double least = 0;  // range of numbers, both ends included
  double most = 1;
  const char* unit = "";   // "pixels", "degrees"; empty: a count or a ratio
  const char* blurb = "";  // description, without a full stop
  // The property of the elements that sets it, or null.
  const char* property = nullptr;
  // Names of fields of the same type that are its lower and upper limits, or null.
  const char* not_under = nullptr;
  const char* not_over = nullptr;
  // Names of the values 0, 1, ... of an Int that chooses between them.
  std::span<const char* const> choices = {};
};

// ConfigField::member of a field, also of a nested struct:
// field_at<TldConfig, &TldConfig::first_warps, &WarpConfig::angle>.
template <typename Config, auto... Members>
inline constexpr auto field_at = +[](Config& config) -> auto& {
  return (config.*....*Members);
};

}  // namespace cltrack
