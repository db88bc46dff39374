// SPDX-License-Identifier: LGPL-2.1-or-later
#include "box_argument.h"

#include <charconv>
#include <cmath>
#include <stdexcept>

#include "gst_ptr.h"

namespace track_video {
namespace {

[[noreturn]] void refuse(std::string_view text, const std::string& why) {
  throw std::runtime_error("box '" + std::string(text) + "': " + why +
                           ". A box is X,Y,WIDTH,HEIGHT in pixels, optionally followed by ,LABEL: "
                           "for example 252,219,34,90 or 252,219,34,90,person");
}

// Other than ASCII as \\ooo: error messages are UTF-8, too.
std::string escaped(std::string_view text) {
  const Ptr<gchar> result(g_strescape(std::string(text).c_str(), nullptr));
  return result.get();
}

}  // namespace

Target parse_target(std::string_view text) {
  Target target;
  float* const fields[] = {&target.box.x, &target.box.y, &target.box.width, &target.box.height};
  const char* const names[] = {"X", "Y", "WIDTH", "HEIGHT"};
  const char* next = text.data();
  const char* const end = text.data() + text.size();
  for (int i = 0; i < 4; ++i) {
    if (i > 0) {
      if (next == end || *next != ',') refuse(text, std::string("no ") + names[i] + " in it");
      ++next;
    }
    const auto [rest, error] = std::from_chars(next, end, *fields[i]);
    if (error == std::errc::result_out_of_range) {
      refuse(text, std::string(names[i]) + " is too large for a number of pixels");
    }
    if (error != std::errc() || !std::isfinite(*fields[i]) || (rest != end && *rest != ',')) {
      refuse(text, std::string(names[i]) + " is not a number");
    }
    next = rest;
  }
  if (next != end) target.label.assign(next + 1, end);
  if (!g_utf8_validate(target.label.data(), static_cast<gssize>(target.label.size()), nullptr)) {
    refuse(escaped(text), "LABEL is not UTF-8");
  }
  if (target.box.width <= 0 || target.box.height <= 0) {
    refuse(text, "WIDTH and HEIGHT must be above 0");
  }
  return target;
}

std::string to_string(const cltrack::BoundingBox& box) {
  std::string text;
  for (const float value : {box.x, box.y, box.width, box.height}) {
    char digits[32];
    const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
    if (!text.empty()) text += ',';
    text.append(digits, end);
  }
  return text;
}

}  // namespace track_video
