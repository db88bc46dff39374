// SPDX-License-Identifier: LGPL-2.1-or-later
#include <cstddef>
#include <cstdint>
#include <string>

#include "cltrack/color_picture.h"
#include "cltrack/error.h"
#include "core/processor.h"

namespace cltrack {
namespace {

// The weights of BT.601 in units of 1/32768. They add up to 32768, so that grey stays what it is,
// and are those of OpenCV's 8-bit conversion, so that results can be compared with it.
constexpr int kRed = 9798;
constexpr int kGreen = 19235;
constexpr int kBlue = 3735;
constexpr int kShift = 15;
static_assert(kRed + kGreen + kBlue == 1 << kShift);

const std::uint8_t* row_of(const ColorComponent& component, int y) {
  return component.data + y * component.stride;
}

// The step is a constant where it is a usual one, which lets the compiler vectorise the loop; kStep
// = 0: it is `step`.
template <std::ptrdiff_t kStep>
[[gnu::always_inline]] inline void pick_row(const std::uint8_t* in, std::ptrdiff_t step, int width,
                                            std::uint8_t* out) {
  const std::ptrdiff_t by = kStep > 0 ? kStep : step;
  for (std::ptrdiff_t x = 0; x < width; ++x) out[x] = in[x * by];
}

template <std::ptrdiff_t kStep>
[[gnu::always_inline]] inline void weigh_row(const std::uint8_t* red, const std::uint8_t* green,
                                             const std::uint8_t* blue, std::ptrdiff_t step,
                                             int width, std::uint8_t* out) {
  const std::ptrdiff_t by = kStep > 0 ? kStep : step;
  for (std::ptrdiff_t x = 0; x < width; ++x) {
    const int sum = kRed * red[x * by] + kGreen * green[x * by] + kBlue * blue[x * by];
    out[x] = static_cast<std::uint8_t>((sum + (1 << (kShift - 1))) >> kShift);
  }
}

auto picker(std::ptrdiff_t step) {
  return step == 2   ? kFastest<pick_row<2>>
         : step == 4 ? kFastest<pick_row<4>>
                     : kFastest<pick_row<0>>;
}

auto weigher(std::ptrdiff_t step) {
  return step == 3   ? kFastest<weigh_row<3>>
         : step == 4 ? kFastest<weigh_row<4>>
         : step == 1 ? kFastest<weigh_row<1>>
                     : kFastest<weigh_row<0>>;
}

void check(const ColorPicture& picture) {
  const auto refuse = [](const std::string& what) {
    throw Error(ErrorCode::invalid_argument, "no luma of this picture: " + what);
  };
  if (picture.width <= 0 || picture.height <= 0) refuse("it has no pixels");
  const bool is_rgb = picture.space == ColorSpace::rgb;
  for (std::size_t c = 0; c < (is_rgb ? 3 : 1); ++c) {
    const ColorComponent& component = picture.components[c];
    const std::string which = "component " + std::to_string(c);
    if (component.data == nullptr) refuse(which + " has no memory");
    if (component.step < 1) {
      refuse(which + " has a step of " + std::to_string(component.step) + "; allowed: 1 or more");
    }
    if (component.shift_x != 0 || component.shift_y != 0) refuse(which + " is subsampled");
    // All formats that there are have one.
    if (is_rgb && component.step != picture.components[0].step) {
      refuse("red, green and blue have different steps");
    }
  }
}

}  // namespace

ImageView luma_of(const ColorPicture& picture, Image& scratch) {
  check(picture);
  const ColorComponent& red = picture.components[0];
  const ColorComponent& green = picture.components[1];
  const ColorComponent& blue = picture.components[2];
  const bool is_rgb = picture.space == ColorSpace::rgb;
  // Bottom-up pictures are copied, too: who takes a view may count on rows that follow each other.
  if (!is_rgb && red.step == 1 && red.stride >= picture.width) {
    return {red.data, picture.width, picture.height, red.stride};
  }
  scratch.resize(picture.width, picture.height);
  const auto pick = picker(red.step);
  const auto weigh = weigher(red.step);
  for (int y = 0; y < picture.height; ++y) {
    if (is_rgb) {
      weigh(row_of(red, y), row_of(green, y), row_of(blue, y), red.step, picture.width,
            scratch.row(y));
    } else {
      pick(row_of(red, y), red.step, picture.width, scratch.row(y));
    }
  }
  return scratch.view();
}

}  // namespace cltrack
