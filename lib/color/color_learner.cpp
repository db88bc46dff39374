// SPDX-License-Identifier: LGPL-2.1-or-later
#include "color/color_learner.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>

#include "cltrack/error.h"
#include "color/color_model.h"

namespace cltrack {
namespace {

constexpr float kLeastSaturation = 0.15f;  // below it hue is noise
constexpr float kLeastValue = 0.1f;
constexpr int kHueBins = 72;
constexpr float kNearHue = 40;  // degrees from the most frequent hue
// Margins around the learnt range, because light changes.
constexpr float kMoreHue = 6;  // degrees
constexpr float kMore = 0.15f;
constexpr float kMoreGrey = 0.08f;

std::uint32_t cell_at(const ColorPicture& picture, int x, int y) {
  std::array<std::uint8_t, 3> values{};
  for (std::size_t c = 0; c < 3; ++c) {
    const ColorComponent& component = picture.components[c];
    values[c] =
        component.data[(y >> component.shift_y) * component.stride +
                       static_cast<std::ptrdiff_t>(x >> component.shift_x) * component.step];
  }
  return color_cell(values[0], values[1], values[2]);
}

std::uint32_t rgb_cell(const Rgb& color) {
  const auto byte = [](float c) { return static_cast<std::uint8_t>(std::lround(c * 255)); };
  return color_cell(byte(color.red), byte(color.green), byte(color.blue));
}

struct Weighed {
  float value;
  double weight;
};

// The range of values without a tenth at each end.
struct Spread {
  float low;
  float high;
};

Spread spread_of(std::vector<Weighed> values) {
  std::sort(values.begin(), values.end(),
            [](const Weighed& a, const Weighed& b) { return a.value < b.value; });
  double all = 0;
  for (const Weighed& v : values) all += v.weight;
  const auto quantile = [&](double share) {
    double sum = 0;
    for (const Weighed& v : values) {
      sum += v.weight;
      if (sum >= share * all) return v.value;
    }
    return values.empty() ? 0.0f : values.back().value;
  };
  return {quantile(0.1), quantile(0.9)};
}

struct Sample {
  Hsv color;
  double weight;
};

// From -180 to 180 degrees.
float hue_difference(float a, float b) { return std::remainder(a - b, 360.0f); }

float most_frequent_hue(const std::vector<Sample>& samples) {
  std::array<double, kHueBins> bins{};
  for (const auto& [color, weight] : samples) {
    const auto bin = static_cast<std::size_t>(color.hue * kHueBins / 360) % kHueBins;
    bins[bin] += weight * static_cast<double>(color.saturation);
  }
  std::size_t best = 0;
  double most = -1;
  for (std::size_t b = 0; b < kHueBins; ++b) {
    const double sum = bins[(b + kHueBins - 1) % kHueBins] + 2 * bins[b] + bins[(b + 1) % kHueBins];
    if (sum > most) {
      most = sum;
      best = b;
    }
  }
  return (static_cast<float>(best) + 0.5f) * 360 / kHueBins;
}

HsvRange colored_range(const std::vector<Sample>& colored) {
  const float mode = most_frequent_hue(colored);
  std::vector<Weighed> hues, saturations, values;
  for (const auto& [color, weight] : colored) {
    const float difference = hue_difference(color.hue, mode);
    if (std::abs(difference) > kNearHue) continue;
    hues.push_back({difference, weight});
    saturations.push_back({color.saturation, weight});
    values.push_back({color.value, weight});
  }
  const Spread hue = spread_of(hues);
  const Spread saturation = spread_of(saturations);
  const Spread value = spread_of(values);
  const auto turn = [](float angle) { return std::fmod(angle + 720, 360.0f); };
  const auto clip = [](float v) { return std::clamp(v, 0.0f, 1.0f); };
  HsvRange range;
  range.hue_min = turn(mode + hue.low - kMoreHue);
  range.hue_max = turn(mode + hue.high + kMoreHue);
  // No upper limit: a more saturated colour is the same one.
  range.saturation_min = std::max(clip(saturation.low - kMore), kLeastSaturation);
  range.value_min = std::max(clip(value.low - kMore), kLeastValue);
  range.value_max = clip(value.high + kMore);
  return range;
}

HsvRange grey_range(const std::vector<Sample>& grey) {
  std::vector<Weighed> saturations, values;
  for (const auto& [color, weight] : grey) {
    saturations.push_back({color.saturation, weight});
    values.push_back({color.value, weight});
  }
  const Spread saturation = spread_of(saturations);
  const Spread value = spread_of(values);
  HsvRange range;
  range.saturation_max = std::min(saturation.high + kMoreGrey, 1.0f);
  range.value_min = std::max(value.low - kMoreGrey, 0.0f);
  range.value_max = std::min(value.high + kMoreGrey, 1.0f);
  return range;
}

}  // namespace

void ColorLearner::Counts::add(std::uint32_t cell) {
  if (of_cell[cell]++ == 0) cells.push_back(cell);
  ++sum;
}

void ColorLearner::Counts::clear() {
  for (const std::uint32_t cell : cells) of_cell[cell] = 0;
  cells.clear();
  sum = 0;
}

ColorLearner::ColorLearner(const ColorPicture& picture) : picture_(picture) {
  if (picture.empty()) {
    throw Error(ErrorCode::invalid_argument,
                "a colour cannot be learnt from a picture without colour");
  }
  for (int y = 0; y < picture.height; ++y) {
    for (int x = 0; x < picture.width; ++x) whole_.add(cell_at(picture, x, y));
  }
  // Models know cells of RGB; several cells of YUV may be one of RGB.
  for (const std::uint32_t cell : whole_.cells) {
    rgb_of_cell_[cell] = rgb_cell(color_of_cell(cell, picture.space, picture.encoding));
    whole_rgb_[rgb_of_cell_[cell]] += whole_.of_cell[cell];
    seen_rgb_[rgb_of_cell_[cell]] = true;
  }
}

void ColorLearner::count_box(const BoundingBox& box) {
  inside_.clear();
  boxed_.clear();
  // Slightly larger than the box; each pixel is tested below.
  const int left = std::max(0, static_cast<int>(box.x) - 2);
  const int top = std::max(0, static_cast<int>(box.y) - 2);
  const int right = std::min(picture_.width, static_cast<int>(box.right()) + 3);
  const int bottom = std::min(picture_.height, static_cast<int>(box.bottom()) + 3);
  for (int y = top; y < bottom; ++y) {
    for (int x = left; x < right; ++x) {
      const float dx = (static_cast<float>(x) + 0.5f - box.center_x()) / (0.5f * box.width);
      const float dy = (static_cast<float>(y) + 0.5f - box.center_y()) / (0.5f * box.height);
      if (std::abs(dx) > 1 || std::abs(dy) > 1) continue;
      const std::uint32_t cell = cell_at(picture_, x, y);
      boxed_.add(cell);
      if (dx * dx + dy * dy <= 1) inside_.add(cell);
    }
  }
  // The order must not depend on the places of the colours.
  std::sort(inside_.cells.begin(), inside_.cells.end());
}

ColorModel ColorLearner::learn(const BoundingBox& box) {
  const BoundingBox inside = clip_to_frame(box, picture_.width, picture_.height);
  inside_.clear();
  if (box.is_valid() && inside.width >= 1 && inside.height >= 1) count_box(inside);
  if (inside_.sum < 1) {
    throw Error(ErrorCode::invalid_argument,
                "a colour cannot be learnt from a box of " + std::to_string(box.width) + "x" +
                    std::to_string(box.height) + " pixels at (" + std::to_string(box.x) + ", " +
                    std::to_string(box.y) + ") of a frame of " + std::to_string(picture_.width) +
                    "x" + std::to_string(picture_.height) + ": a pixel at least must lie inside");
  }
  const double inside_sum = inside_.sum;
  const double outside_sum = whole_.sum - boxed_.sum;
  std::vector<Sample> colored, grey;
  double colored_sum = 0;
  for (const std::uint32_t cell : inside_.cells) {
    const Sample sample = {to_hsv(color_of_cell(cell, picture_.space, picture_.encoding)),
                           static_cast<double>(inside_.of_cell[cell])};
    const bool has_color =
        sample.color.saturation >= kLeastSaturation && sample.color.value >= kLeastValue;
    (has_color ? colored : grey).push_back(sample);
    if (has_color) colored_sum += sample.weight;
  }
  ColorModel model;
  model.range_ = 2 * colored_sum >= inside_sum ? colored_range(colored) : grey_range(grey);

  // Colours that are at least as frequent outside the box as inside it are excluded, and so are all
  // others of the picture that the box does not have.
  model.excluded_ = seen_rgb_;
  std::vector<std::uint32_t> touched;  // of RGB
  for (const std::uint32_t cell : boxed_.cells) {
    const std::uint32_t rgb = rgb_of_cell_[cell];
    touched.push_back(rgb);
    in_rgb_[rgb] += inside_.of_cell[cell];
    boxed_rgb_[rgb] += boxed_.of_cell[cell];
  }
  double left = 0;
  for (const std::uint32_t rgb : touched) {
    if (boxed_rgb_[rgb] == 0) continue;  // done
    const double in = in_rgb_[rgb];
    const double out = whole_rgb_[rgb] - boxed_rgb_[rgb];
    in_rgb_[rgb] = boxed_rgb_[rgb] = 0;
    model.excluded_[rgb] = out > 0 && out * inside_sum >= in * outside_sum;
    if (in > 0 && model.contains(color_of_cell(rgb, ColorSpace::rgb, {}))) left += in;
  }
  if (left < 0.05 * inside_sum) {
    throw Error(ErrorCode::invalid_argument,
                "no colour in the box tells it from the rest of the picture: draw the box closer, "
                "or give a range of hue, saturation and value");
  }
  return model;
}

ColorModel ColorModel::learn(const ColorPicture& picture, const BoundingBox& box) {
  return ColorLearner(picture).learn(box);
}

}  // namespace cltrack
