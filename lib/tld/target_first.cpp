// SPDX-License-Identifier: LGPL-2.1-or-later
// Target's first frame: one box has to do for all that is known about the target.
#include <algorithm>

#include "tld/learner.h"
#include "tld/target.h"

namespace cltrack {
namespace {

// So many far windows are enough to teach the ferns and to check them; frames of 1080p have a
// million.
constexpr std::size_t kMaxFarWindows = 60000;

// All windows that do not overlap the target and are not flat, in a random order.
std::vector<std::uint32_t> far_windows(const Detector& detector, const BoundingBox& box,
                                       const FramePlanes& planes, float minimum_variance,
                                       const TldConfig& config, Random& random) {
  std::vector<std::uint32_t> far;
  for (const ScanScale& scale : detector.grid().scales()) {
    const double pixels = static_cast<double>(scale.width) * scale.height;
    const auto limit =
        static_cast<std::uint64_t>(static_cast<double>(minimum_variance) * pixels * pixels);
    std::uint32_t index = scale.first;
    for (const int y : scale.ys) {
      for (const int x : scale.xs) {
        const Window window{x, y, scale.width, scale.height};
        if (overlap(box, window.box()) < config.negative_overlap &&
            scaled_variance(planes.integrals, x, y, scale.width, scale.height) >= limit) {
          far.push_back(index);
        }
        ++index;
      }
    }
  }
  random.shuffle(far);
  if (far.size() > kMaxFarWindows) far.resize(kMaxFarWindows);
  return far;
}

std::vector<Patch> patches_of(const ScanGrid& grid, std::span<const std::uint32_t> windows,
                              const FramePlanes& planes) {
  std::vector<Patch> patches;
  for (const std::uint32_t w : windows) {
    patches.push_back(extract_patch_vector(planes.luma, grid.window(w).box()));
  }
  return patches;
}

}  // namespace

void Target::learn_first(const BoundingBox& box, FramePlanes& planes) {
  const ScanGrid& grid = detector_.grid();
  const std::vector<std::uint32_t> close =
      positive_windows(grid, box, config_.first_warps.closest, config_);
  // The grid's best window takes the place of the given box: it is what the detector can find
  // again.
  const BoundingBox start = close.empty() ? box : grid.window(close[0]).box();
  estimate_ = Estimate{start, 1, true};

  const Patch patch = extract_patch_vector(planes.luma, start);
  minimum_variance_ = config_.variance_ratio * patch.variance();
  detector_.set_minimum_variance(minimum_variance_);

  // Half of what is far from the target teaches, the other half sets the thresholds.
  const std::vector<std::uint32_t> far =
      far_windows(detector_, box, planes, 0.5f * minimum_variance_, config_, random_);
  const std::span<const std::uint32_t> all(far);
  const auto teaching = all.first((far.size() + 1) / 2);
  const auto checking = all.subspan(teaching.size());

  Lesson positives{.box = box, .windows = close, .warps = {}};
  if (!close.empty()) positives.warps = random_warps(grid, close, config_.first_warps, random_);
  Learner learner(nullptr);
  learner.teach_first(positives, teaching, planes, detector_, config_, random_, ferns_);

  const auto half = static_cast<std::size_t>(config_.first_negatives + 1) / 2;
  model_.learn_patches(patch,
                       patches_of(grid, teaching.first(std::min(half, teaching.size())), planes),
                       nn_threshold_, random_);

  fern_threshold_ =
      std::max(fern_threshold_, learner.highest_confidence(checking, planes, detector_, ferns_));
  detector_.set_fern_threshold(fern_threshold_);
  for (const Patch& check :
       patches_of(grid, checking.first(std::min(half, checking.size())), planes)) {
    nn_threshold_ = std::max(nn_threshold_, model_.similarity(check).relative);
  }
  nn_valid_threshold_ = std::max(nn_valid_threshold_, nn_threshold_);
}

}  // namespace cltrack
