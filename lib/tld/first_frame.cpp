// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/first_frame.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "ops/ferns/fern_codes.h"
#include "ops/ferns/fern_tables.h"
#include "tld/learner.h"
#include "tld/target_model.h"
#include "tld/training.h"

namespace cltrack {
namespace {

// So many far windows are enough to train the ferns and to check them; frames of 1080p have a
// million.
constexpr std::size_t kMaxFarWindows = 60000;

// All windows that do not overlap the target and are not flat, in a random order.
std::vector<std::uint32_t> far_windows(const ScanGrid& grid, const BoundingBox& box,
                                       const IntegralView& integrals, float minimum_variance,
                                       const TldConfig& config, Random& random) {
  std::vector<std::uint32_t> far;
  for (const ScanScale& scale : grid.scales()) {
    const double pixels = static_cast<double>(scale.width) * scale.height;
    const auto limit =
        static_cast<std::uint64_t>(static_cast<double>(minimum_variance) * pixels * pixels);
    std::uint32_t index = scale.first;
    for (const int y : scale.ys) {
      for (const int x : scale.xs) {
        const Window window{x, y, scale.width, scale.height};
        if (overlap(box, window.box()) < config.negative_overlap &&
            scaled_variance(integrals, x, y, scale.width, scale.height) >= limit) {
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

// The ferns of one target before it is tracked, and what they see.
class FirstTraining {
 public:
  FirstTraining(const ScanGrid& grid, const FramePlanes& planes, const FernEnsemble& ferns,
                Queue& host)
      : planes_(planes), host_(host) {
    windows_.assign(ScanSizes(grid, ferns, 0).view());
    tables_.assign(ferns.tables());
  }

  // Positives and the windows `negatives`, in a random order, several times.
  void train(const TrainingSet& positives, std::span<const std::uint32_t> negatives,
             const TldConfig& config, Random& random) {
    const std::size_t count = positives.windows.size() * positives.warps.size();
    const std::size_t all = count + negatives.size();
    const auto score = static_cast<std::uint32_t>(score_of(config.fern_threshold, tables_.ferns));
    LearnJob job = {};
    job.window_count = windows_.count;
    job.size_count = static_cast<std::int32_t>(windows_.sizes.size());
    job.positives = static_cast<std::uint32_t>(count);
    job.positive_score = score;
    job.room = static_cast<std::uint32_t>(negatives.size());
    FernSampleArrays samples;
    samples.assign(tables_.ferns, {&job, 1});
    const FixedWarp none = fixed_warp({});
    codes_of(positives.windows, positives.warps, 0, samples.codes);
    codes_of(negatives, {&none, 1}, count, samples.codes);
    samples.sample_count.host_write()[0] = static_cast<std::uint32_t>(all);

    std::vector<std::uint32_t> numbers(all);
    std::iota(numbers.begin(), numbers.end(), 0u);
    Array<std::uint32_t> order(all);
    const std::span<std::uint32_t> in_order = order.host_write();
    reference::order_samples(numbers, static_cast<std::uint32_t>(all), kTrainingBlocks, in_order);
    random.shuffle(numbers);
    for (std::uint32_t& sample : in_order) sample = numbers[sample];
    update_ferns(host_, samples, order, negative_score(tables_.ferns), config.bootstrap, tables_);
  }

  // The highest mean posterior of one of the windows as they are, 0 if there is none.
  float highest_confidence(std::span<const std::uint32_t> windows) {
    const auto each = static_cast<std::size_t>(tables_.ferns);
    Array<std::uint16_t> codes(windows.size() * each);
    const FixedWarp none = fixed_warp({});
    codes_of(windows, {&none, 1}, 0, codes);
    const std::span<const std::uint16_t> all = codes.host_read();
    const PosteriorView posteriors = tables_.host_view(0);
    std::uint32_t highest = 0;
    for (std::size_t i = 0; i < windows.size(); ++i) {
      highest = std::max(highest, posteriors.score(all.data() + i * each));
    }
    return static_cast<float>(highest) / score_of(1, tables_.ferns);
  }

  void read(FernTables& tables) const { tables_.read(0, tables); }

 private:
  // Writes those of the windows through the warps, from sample `first` on.
  void codes_of(std::span<const std::uint32_t> windows, std::span<const FixedWarp> warps,
                std::size_t first, Array<std::uint16_t>& codes) {
    CodeJob job = {};
    job.listed = static_cast<std::uint32_t>(windows.size());
    job.warps = static_cast<std::uint32_t>(warps.size());
    job.first_sample = static_cast<std::uint32_t>(first);
    job.size_count = static_cast<std::int32_t>(windows_.sizes.size());
    const Array<CodeJob> jobs(std::span<const CodeJob>(&job, 1));
    const Array<std::uint32_t> list(windows);
    const Array<FixedWarp> through(warps);
    fern_codes(host_, planes_.blurred_to_start(), windows_, list, through, jobs, tables_.ferns,
               codes);
  }

  const FramePlanes& planes_;
  Queue& host_;
  ScanWindows windows_;
  FernTableArrays tables_;
};

}  // namespace

FirstFrame learn_first_frame(const BoundingBox& box, const ScanGrid& grid,
                             const FramePlanes& planes, const TldConfig& config, std::uint64_t seed,
                             Queue& host) {
  TargetModel model(box.width, box.height, config, seed);
  Random& random = model.random;
  const ImageView luma = planes.luma.host_view();
  const auto patch_at = [&](std::uint32_t window) {
    return vector::extract_patch(luma, grid.window(window).box());
  };
  const std::vector<std::uint32_t> close =
      positive_windows(grid, box, config.first_warps.closest, config);
  const BoundingBox start = positive_box(grid, box, close);
  const Patch patch = vector::extract_patch(luma, start);
  model.minimum_variance = config.variance_ratio * patch.variance();

  // Half of what is far from the target is learnt, the other half sets the thresholds.
  const std::vector<std::uint32_t> far = far_windows(grid, box, planes.integrals_to_start(),
                                                     0.5f * model.minimum_variance, config, random);
  const std::span<const std::uint32_t> all(far);
  const auto learnt = all.first((far.size() + 1) / 2);
  const auto checked = all.subspan(learnt.size());

  TrainingSet positives{.box = box, .windows = close, .warps = {}};
  if (!close.empty()) positives.warps = random_warps(grid, close, config.first_warps, random);
  FirstTraining training(grid, planes, model.ferns, host);
  training.train(positives, learnt, config, random);

  const auto half = static_cast<std::size_t>(config.first_negatives + 1) / 2;
  std::vector<Patch> negatives;
  for (const std::uint32_t w : learnt.first(std::min(half, learnt.size()))) {
    negatives.push_back(patch_at(w));
  }
  model.patches.learn_patches(patch, negatives, model.nn_threshold, random);

  model.fern_threshold = std::max(model.fern_threshold, training.highest_confidence(checked));
  for (const std::uint32_t w : checked.first(std::min(half, checked.size()))) {
    model.nn_threshold =
        std::max(model.nn_threshold, model.patches.similarity(patch_at(w)).relative);
  }
  model.nn_valid_threshold = std::max(model.nn_valid_threshold, model.nn_threshold);
  training.read(model.ferns.tables());
  return {std::move(model), start, box};
}

}  // namespace cltrack
