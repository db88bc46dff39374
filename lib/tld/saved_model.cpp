// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/saved_model.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <span>
#include <string>

#include "cltrack/error.h"
#include "cltrack/saved_model.h"
#include "cltrack/tracker.h"
#include "core/json_fields.h"
#include "ops/network/sample_pictures.h"

namespace cltrack {
namespace {

std::string describe(int ferns, int pairs) {
  return std::to_string(ferns) + " ferns of " + std::to_string(pairs) + " pairs";
}

}  // namespace

SavedTarget save_target(const TargetModel& model, const FernTables& tables, int frame_width,
                        int frame_height) {
  return {.frame_width = frame_width,
          .frame_height = frame_height,
          .width = model.width,
          .height = model.height,
          .minimum_variance = model.minimum_variance,
          .fern_threshold = model.fern_threshold,
          .nn_threshold = model.nn_threshold,
          .nn_valid_threshold = model.nn_valid_threshold,
          .points = model.ferns.points(),
          .tables = tables,
          .positives = model.patches.positives(),
          .negatives = model.patches.negatives(),
          .shown = model.shown};
}

void check_ferns(const SavedTarget& saved, const TldConfig& config) {
  const FernTables& tables = saved.tables;
  if (tables.ferns == config.ferns && tables.pairs == config.pairs) return;
  throw Error(ErrorCode::invalid_argument,
              "the saved model has " + describe(tables.ferns, tables.pairs) +
                  " and this tracker has " + describe(config.ferns, config.pairs) +
                  ": they must be the same");
}

TargetModel restore_model(const SavedTarget& saved, const TldConfig& config, std::uint64_t seed,
                          int frame_width, int frame_height) {
  const auto area = [](int width, int height) {
    return static_cast<float>(width) * static_cast<float>(height);
  };
  const float scale =
      std::sqrt(area(frame_width, frame_height) / area(saved.frame_width, saved.frame_height));
  TargetModel model(saved.width, saved.height, config, seed);
  model.resize(saved.width * scale, saved.height * scale, frame_width, frame_height);
  model.ferns = FernEnsemble(saved.points, saved.tables);
  const std::span<const Patch> positives(saved.positives), negatives(saved.negatives);
  const std::size_t most_positives = static_cast<std::size_t>(config.max_positive_patches);
  const std::size_t most_negatives = static_cast<std::size_t>(config.max_negative_patches);
  model.patches.restore(positives.first(std::min(positives.size(), most_positives)),
                        negatives.last(std::min(negatives.size(), most_negatives)));
  model.minimum_variance = saved.minimum_variance;
  model.fern_threshold = saved.fern_threshold;
  model.nn_threshold = saved.nn_threshold;
  model.nn_valid_threshold = saved.nn_valid_threshold;
  model.shown = saved.shown;
  return model;
}

// The text of a saved model: JSON, so that any language can read it.

namespace {

using Json = nlohmann::json;
using namespace json;

constexpr const char* kFormat = "cltrack TLD model";
constexpr int kVersion = 1;
constexpr int kDeepest = 3;                     // lists within lists within the object
constexpr double kLargestSide = 1 << 16;        // of a frame, pixels
constexpr double kMostCounted = 1'000'000'000;  // observations of a code
constexpr double kMostPatches = 10'000;         // as max_positive_patches and max_negative_patches
constexpr int kLargestPixel = 255 * kPatchUnit;

int integer(const Json& json, const char* name, double lowest, double highest) {
  if (!json.is_number_integer()) refuse(std::string(name) + " is not a whole number");
  return static_cast<int>(number(json, name, lowest, highest));
}

float real_field(const Json& json, const char* name, double lowest, double highest) {
  return static_cast<float>(number(field(json, name), name, lowest, highest));
}

int integer_field(const Json& json, const char* name, double lowest, double highest) {
  return integer(field(json, name), name, lowest, highest);
}

const Json& list_of(const Json& json, const char* name, std::size_t count) {
  const Json& values = list(json, name, count);
  if (values.size() != count) {
    refuse(std::string(name) + " has " + std::to_string(values.size()) + " entries instead of " +
           std::to_string(count));
  }
  return values;
}

std::vector<UnitPair> parse_points(const Json& json, std::size_t count) {
  const Json& values = list_of(json, "points", 4 * count);
  std::vector<UnitPair> points;
  points.reserve(count);
  const auto at = [&](std::size_t i) {
    return static_cast<float>(number(values[i], "a coordinate of points", 0, 1));
  };
  for (std::size_t i = 0; i < values.size(); i += 4) {
    points.push_back({at(i), at(i + 1), at(i + 2), at(i + 3)});
  }
  return points;
}

// Entry, positives, negatives; and so on, by rising entries, without those never observed.
FernTables parse_tables(const Json& json, int ferns, int pairs) {
  FernTables tables(ferns, pairs);
  const std::size_t entries = tables.counts.size();
  const Json& values = list(json, "observations", 3 * entries);
  if (values.size() % 3 != 0) refuse("observations has no multiple of 3 entries");
  double lowest = 0;
  for (std::size_t i = 0; i < values.size(); i += 3) {
    const auto entry = static_cast<std::size_t>(
        integer(values[i], "a code of observations", lowest, static_cast<double>(entries) - 1));
    lowest = static_cast<double>(entry) + 1;
    const int positives = integer(values[i + 1], "a count of observations", 0, kMostCounted);
    const int negatives = integer(values[i + 2], "a count of observations", 0, kMostCounted);
    tables.counts[entry] =
        leaf_count(static_cast<std::uint32_t>(positives), static_cast<std::uint32_t>(negatives));
    tables.posteriors[entry] = posterior(tables.counts[entry]);
  }
  return tables;
}

std::vector<Patch> parse_patches(const Json& json, const char* name) {
  const Json& values = list(json, name, static_cast<std::size_t>(kMostPatches));
  std::vector<Patch> patches;
  patches.reserve(values.size());
  for (const Json& pixels : values) {
    if (!pixels.is_array() || pixels.size() != kPatchPixels) {
      refuse(std::string(name) + " has a patch without " + std::to_string(kPatchPixels) +
             " pixels");
    }
    Patch& patch = patches.emplace_back();
    for (std::size_t i = 0; i < kPatchPixels; ++i) {
      patch.pixels[i] =
          static_cast<std::int16_t>(integer(pixels[i], "a pixel", -kLargestPixel, kLargestPixel));
    }
    // Sums of their products would not fit otherwise.
    const auto used = std::span(patch.pixels).first<kPatchPixels>();
    const auto [lowest, highest] = std::ranges::minmax(used);
    const int sum = std::accumulate(used.begin(), used.end(), 0);
    if (highest - lowest > kLargestPixel || std::abs(sum) > kPatchPixels) {
      refuse(std::string(name) + " has a patch whose pixels are not relative to their mean");
    }
    patch.set_norm();
  }
  return patches;
}

TemplatePixels parse_shown(const Json& json) {
  constexpr std::size_t kMost = std::size_t{3} * kMostPictureSide * kMostPictureSide;
  TemplatePixels shown;
  if (!json.contains("template")) return shown;
  for (const Json& value : list(json, "template", kMost)) {
    shown.push_back(static_cast<std::uint8_t>(integer(value, "a pixel of template", 0, 255)));
  }
  return shown;
}

SavedTarget parse_target(const Json& json) {
  if (!json.is_object()) refuse("it is no JSON object");
  if (field(json, "format") != kFormat) refuse("its format is another");
  const int version = integer_field(json, "version", 1, kMostCounted);
  if (version != kVersion) {
    refuse("its version is " + std::to_string(version) + ", and " + std::to_string(kVersion) +
           " is what this program reads");
  }
  SavedTarget saved;
  saved.frame_width = integer_field(json, "frame-width", 1, kLargestSide);
  saved.frame_height = integer_field(json, "frame-height", 1, kLargestSide);
  constexpr double smallest = static_cast<double>(kMinimumBoxSide);
  saved.width = real_field(json, "width", smallest, kLargestSide);
  saved.height = real_field(json, "height", smallest, kLargestSide);
  saved.minimum_variance = real_field(json, "minimum-variance", 0, 255.0 * 255.0);
  saved.fern_threshold = real_field(json, "fern-threshold", 0, 1);
  saved.nn_threshold = real_field(json, "nn-threshold", 0, 1);
  saved.nn_valid_threshold = real_field(json, "nn-valid-threshold", 0, 1);
  const int ferns = integer_field(json, "ferns", 1, kMaxFerns);
  const int pairs = integer_field(json, "pairs", 1, kMaxPairs);
  saved.points = parse_points(json, static_cast<std::size_t>(ferns * pairs));
  saved.tables = parse_tables(json, ferns, pairs);
  saved.positives = parse_patches(json, "positives");
  saved.negatives = parse_patches(json, "negatives");
  saved.shown = parse_shown(json);
  if (saved.positives.empty()) refuse("it has no positives: nothing says what the target is like");
  return saved;
}

Json patches_json(const std::vector<Patch>& patches) {
  Json list = Json::array();
  for (const Patch& patch : patches) {
    list.push_back(std::vector<int>(patch.pixels.begin(), patch.pixels.begin() + kPatchPixels));
  }
  return list;
}

SavedTarget parse_text(std::string_view text) {
  if (text.size() > SavedModel::kLargest) {
    refuse("it has " + std::to_string(text.size()) + " bytes; at most " +
           std::to_string(SavedModel::kLargest) + " are allowed");
  }
  try {
    return parse_target(Json::parse(text, [](int depth, Json::parse_event_t, const Json&) {
      if (depth > kDeepest) refuse("it is nested more deeply than any model");
      return true;
    }));
  } catch (const Json::exception& error) {
    refuse(std::string("it is not JSON, or not all of it: ") + error.what());
  }
}

}  // namespace

SavedModel SavedModel::parse(std::string_view text) {
  try {
    return SavedModel(std::make_shared<const SavedTarget>(parse_text(text)));
  } catch (const Error& error) {
    throw Error(error.code(), std::string("not a saved model: ") + error.what());
  }
}

std::string SavedModel::text() const {
  const SavedTarget& saved = *target_;
  Json json = {{"format", kFormat},
               {"version", kVersion},
               {"frame-width", saved.frame_width},
               {"frame-height", saved.frame_height},
               {"width", saved.width},
               {"height", saved.height},
               {"minimum-variance", saved.minimum_variance},
               {"fern-threshold", saved.fern_threshold},
               {"nn-threshold", saved.nn_threshold},
               {"nn-valid-threshold", saved.nn_valid_threshold},
               {"ferns", saved.tables.ferns},
               {"pairs", saved.tables.pairs}};
  Json& points = json["points"] = Json::array();
  for (const UnitPair& pair : saved.points) {
    for (const float coordinate : {pair.x1, pair.y1, pair.x2, pair.y2})
      points.push_back(coordinate);
  }
  Json& observations = json["observations"] = Json::array();
  for (std::size_t i = 0; i < saved.tables.counts.size(); ++i) {
    const LeafCount count = saved.tables.counts[i];
    if (count == LeafCount{}) continue;
    for (const std::size_t value : {i, std::size_t{count.positives}, std::size_t{count.negatives}})
      observations.push_back(value);
  }
  json["positives"] = patches_json(saved.positives);
  json["negatives"] = patches_json(saved.negatives);
  if (!saved.shown.empty()) json["template"] = saved.shown;
  std::string text = json.dump();
  if (text.size() > kLargest) {
    throw Error(ErrorCode::failed, "the model of this target is too large to be saved: " +
                                       std::to_string(text.size()) + " bytes, and at most " +
                                       std::to_string(kLargest) + " are allowed");
  }
  return text;
}

}  // namespace cltrack
