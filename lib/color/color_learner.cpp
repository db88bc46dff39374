// SPDX-License-Identifier: LGPL-2.1-or-later
// ColorModel::learn().
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "color/color_cells.h"
#include "color/color_model.h"
#include "core/error.h"

namespace cltrack {
namespace {

constexpr float kLeastSaturation = 0.15f;  // below it hue is noise
constexpr float kLeastValue = 0.1f;
constexpr int kHueBins = 72;
constexpr float kNearHue = 40;  // degrees from the most frequent hue that still are of it
// What is allowed beyond what was seen: light changes.
constexpr float kMoreHue = 6;  // degrees
constexpr float kMore = 0.15f;
constexpr float kMoreGrey = 0.08f;

// How often each cell occurs in the ellipse inside a box, and outside of the box.
struct Histograms {
  std::vector<std::uint32_t> inside = std::vector<std::uint32_t>(kColorCells);
  std::vector<std::uint32_t> outside = std::vector<std::uint32_t>(kColorCells);
  double inside_sum = 0;
  double outside_sum = 0;
};

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

Histograms count_cells(const ColorPicture& picture, const BoundingBox& box) {
  Histograms histograms;
  for (int y = 0; y < picture.height; ++y) {
    for (int x = 0; x < picture.width; ++x) {
      const float dx = (static_cast<float>(x) + 0.5f - box.center_x()) / (0.5f * box.width);
      const float dy = (static_cast<float>(y) + 0.5f - box.center_y()) / (0.5f * box.height);
      if (std::abs(dx) > 1 || std::abs(dy) > 1) {
        ++histograms.outside[cell_at(picture, x, y)];
        ++histograms.outside_sum;
      } else if (dx * dx + dy * dy <= 1) {
        ++histograms.inside[cell_at(picture, x, y)];
        ++histograms.inside_sum;
      }
    }
  }
  return histograms;
}

std::uint32_t rgb_cell(const Rgb& color) {
  const auto byte = [](float c) { return static_cast<std::uint8_t>(std::lround(c * 255)); };
  return color_cell(byte(color.red), byte(color.green), byte(color.blue));
}

struct Weighed {
  float value;
  double weight;
};

// Between which values all but a tenth at each end lie.
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
  // Paler is another colour, stronger is not.
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

ColorModel ColorModel::learn(const ColorPicture& picture, const BoundingBox& box) {
  if (picture.empty()) {
    throw Error(ErrorCode::invalid_argument,
                "a colour cannot be learnt from a picture without colour");
  }
  const BoundingBox inside = clip_to_frame(box, picture.width, picture.height);
  const Histograms histograms = box.is_valid() && inside.width >= 1 && inside.height >= 1
                                    ? count_cells(picture, inside)
                                    : Histograms{};
  if (histograms.inside_sum < 1) {
    throw Error(ErrorCode::invalid_argument,
                "a colour cannot be learnt from a box of " + std::to_string(box.width) + "x" +
                    std::to_string(box.height) + " pixels at (" + std::to_string(box.x) + ", " +
                    std::to_string(box.y) + ") of a frame of " + std::to_string(picture.width) +
                    "x" + std::to_string(picture.height) + ": a pixel at least must lie inside");
  }
  std::vector<Sample> colored, grey;
  double colored_sum = 0;
  for (std::uint32_t cell = 0; cell < kColorCells; ++cell) {
    if (histograms.inside[cell] == 0) continue;
    const Sample sample = {to_hsv(color_of_cell(cell, picture.space, picture.encoding)),
                           static_cast<double>(histograms.inside[cell])};
    const bool has_color =
        sample.color.saturation >= kLeastSaturation && sample.color.value >= kLeastValue;
    (has_color ? colored : grey).push_back(sample);
    if (has_color) colored_sum += sample.weight;
  }
  ColorModel model;
  model.range_ =
      2 * colored_sum >= histograms.inside_sum ? colored_range(colored) : grey_range(grey);

  // What is more frequent around the box than in it does not tell the object from there. Several
  // cells of YUV may be one of RGB, which is what the model knows.
  std::vector<double> in(kColorCells), out(kColorCells);
  for (std::uint32_t cell = 0; cell < kColorCells; ++cell) {
    if (histograms.inside[cell] == 0 && histograms.outside[cell] == 0) continue;
    const std::uint32_t rgb = rgb_cell(color_of_cell(cell, picture.space, picture.encoding));
    in[rgb] += histograms.inside[cell];
    out[rgb] += histograms.outside[cell];
  }
  model.excluded_.resize(kColorCells);
  double left = 0;
  for (std::uint32_t rgb = 0; rgb < kColorCells; ++rgb) {
    model.excluded_[rgb] =
        out[rgb] > 0 && out[rgb] * histograms.inside_sum >= in[rgb] * histograms.outside_sum;
    if (in[rgb] > 0 && model.contains(color_of_cell(rgb, ColorSpace::rgb, {}))) left += in[rgb];
  }
  if (left < 0.05 * histograms.inside_sum) {
    throw Error(ErrorCode::invalid_argument,
                "no colour in the box tells it from the rest of the picture: draw the box closer, "
                "or give a range of hue, saturation and value");
  }
  return model;
}

}  // namespace cltrack
