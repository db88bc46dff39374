// SPDX-License-Identifier: LGPL-2.1-or-later
#include "random_values.h"

#include <glib.h>

#include <limits>

namespace cltrack::test {
namespace {

constexpr std::size_t kShownCharacters = 24;

// One letter with a heap of accents.
std::string accents() {
  std::string result = "a";
  for (int i = 0; i < 300; ++i) result += "\xcc\x81";
  return result;
}

}  // namespace

std::uint64_t RandomValues::wide_bits() {
  const std::uint64_t high = bits();
  return high << 32 | bits();
}

int RandomValues::between(int low, int high) {
  return low + static_cast<int>(random_.below(static_cast<std::uint32_t>(high - low + 1)));
}

double RandomValues::number() {
  constexpr double kExtremes[] = {std::numeric_limits<double>::quiet_NaN(),
                                  std::numeric_limits<double>::infinity(),
                                  -std::numeric_limits<double>::infinity(),
                                  1e300,
                                  3.4e38,
                                  -1e9,
                                  1e-30,
                                  0};
  if (chance(0.4f)) return pick(kExtremes);
  return between(-400, 800) / 4.0;
}

std::string RandomValues::label() {
  switch (between(0, 17)) {
    case 0:
      return "";
    case 1:
      return std::string(static_cast<std::size_t>(between(100, 60000)), 'x');
    case 2:
      return "\xff\xfe\x80 no UTF-8";
    case 3:
      return "<b>&amp;\"'</b>";
    case 4:
      return "two\nlines\r\tand\x01\x7f";
    case 5:
      return "%s%n%d";
    case 6:
      return "\xe2\x80\xae from the right \xf0\x9f\x98\x80";
    case 7:
      return accents();
    case 8:
      return std::to_string(between(0, 99));
    case 9:
      return "\\\", <1, 2>; {a}";
    default:
      return std::string("thing").append(std::to_string(between(0, 5)));
  }
}

std::string RandomValues::utf8_label() {
  const std::string text = label();
  return g_utf8_validate(text.c_str(), -1, nullptr) ? text : "valid";
}

std::string describe_text(const std::string& text) {
  gchar* escaped = g_strescape(text.substr(0, kShownCharacters).c_str(), nullptr);
  std::string result = std::string("\"") + escaped + '"';
  g_free(escaped);
  if (text.size() > kShownCharacters)
    result.append("... of bytes: ").append(std::to_string(text.size()));
  return result;
}

}  // namespace cltrack::test
