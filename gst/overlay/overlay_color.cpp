// SPDX-License-Identifier: LGPL-2.1-or-later
#include "overlay/overlay_color.h"

#include <cmath>

namespace cltrack::gst {
namespace {

constexpr double kGoldenRatio = 0.61803398874989485;
constexpr double kSaturation = 0.85;
// Between the ids of one tracker and the next: few have more.
constexpr double kIdsApart = 16;

// The colour wheel at full value; `hue` from 0 to 1 (not included).
Color color_of_hue(double hue) {
  const double position = hue * 6;
  const int sector = static_cast<int>(position);
  const double rising = 1 - kSaturation * (1 - (position - sector));
  const double falling = 1 - kSaturation * (position - sector);
  const double least = 1 - kSaturation;
  switch (sector) {
    case 0:
      return {1, rising, least};
    case 1:
      return {falling, 1, least};
    case 2:
      return {least, 1, rising};
    case 3:
      return {least, falling, 1};
    case 4:
      return {rising, least, 1};
    default:
      return {1, least, falling};
  }
}

}  // namespace

Color color_from_argb(std::uint32_t argb) {
  const auto component = [argb](int shift) { return ((argb >> shift) & 0xff) / 255.0; };
  const double alpha = component(24);
  return {component(16), component(8), component(0), alpha > 0 ? alpha : 1};
}

Color color_of_id(int id, std::size_t tracker) {
  // Steps of the golden ratio never come back and leave no two of any few neighbours close
  // together. The first id, 1, is to be green, which stands out from most scenes.
  const double number = static_cast<double>(id) - 1 + kIdsApart * static_cast<double>(tracker);
  const double turns = number * kGoldenRatio + 1.0 / 3;
  return color_of_hue(turns - std::floor(turns));
}

Color lost_color() { return {0.7, 0.7, 0.7}; }

Color text_color_on(const Color& background) {
  // Luma as BT.601 weighs it; the limit lies below the middle because white on a saturated colour
  // reads worse than black does.
  const double luma = 0.299 * background.red + 0.587 * background.green + 0.114 * background.blue;
  return luma > 0.45 ? Color{0, 0, 0} : Color{1, 1, 1};
}

}  // namespace cltrack::gst
