// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/saved_target.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

#include "cltrack/error.h"

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
          .negatives = model.patches.negatives()};
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
  return model;
}

}  // namespace cltrack
