// SPDX-License-Identifier: LGPL-2.1-or-later
// A correlation filter as motion estimator: STRCF on histograms of gradients (ops/filter/
// translation_filter.h), joined by colour histograms as in Staple (filter_colors.h) and a scale
// filter as in DSST (scale_filter.h). Learns the look of boxes that its caller says are right, all
// targets in one call.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "motion/filter_bank.h"
#include "motion/motion_estimator.h"
#include "motion/scale_filter.h"
#include "ops/color/color_sums.h"
#include "ops/filter/filter_colors.h"
#include "ops/filter/hog.h"
#include "ops/filter/translation_filter.h"

namespace cltrack {

struct CorrelationFilterConfig {
  float temporal = 15;        // how much the filter before counts, mu of filter_learn()
  float color_rate = 0.04f;   // at which the colour histograms follow
  float scale_rate = 0.025f;  // and the scale filter
};

// Those that it launches, to be built before the first frame. Not for the host.
std::vector<ProgramName> correlation_filter_programs();

class CorrelationFilter final : public MotionEstimator {
 public:
  CorrelationFilter(const CorrelationFilterConfig& config, std::shared_ptr<Queue> queue);

  void begin(const Frame& frame, const Plane& luma, std::span<const MotionTarget> targets) override;
  PictureSource picture() const override;
  void estimate(std::span<const MotionTarget> targets) override;
  std::vector<std::optional<Motion>> collect(Queue& host) override;
  void learn(std::span<const MotionTarget> targets) override;
  void end() override;
  void start(const MotionTarget& target) override;
  void remove(std::uint64_t id) override;
  void place(std::shared_ptr<Queue> queue, bool follows_on) override;
  void abandon() noexcept override;
  void reset() noexcept override { abandon(), learnt_ = {}, bank_.clear(); }

 private:
  struct Work {  // on windows around boxes; nothing that the next frame needs
    // Those of learn() are still being read when the next frame is estimated: assigning does not
    // wait.
    Array<WindowJob> queried_windows, learnt_windows;
    Array<WindowJob>* windows = nullptr;  // one of them
    Array<std::uint16_t> samples{kScratch};
    HogScratch hog;
    Array<float> features{kScratch}, spectra{kScratch};
    Array<std::uint16_t> bins{kScratch};
    Array<FilterJob> respond_jobs, learn_jobs, learnt_jobs;
    Array<ColorResponseJob> color_jobs, learnt_color_jobs;
    Array<ColorLearnJob> color_learn_jobs;
    Array<float> responses, color_responses;
    FilterScratch scratch;
  };

  // Responses to what learn() has learnt last, on their way to the host: FilterBank keeps them. A
  // frame that is let go of does not change them.
  struct Learnt {
    std::vector<std::uint64_t> ids;
    Array<float> responses, colors;
  };

  ColorSpace colors() const;
  void run_parts(std::size_t targets, std::initializer_list<std::function<void()>> parts);
  void place_windows(std::span<const MotionTarget> targets, Array<WindowJob>& windows);
  // At these windows: features, and bins of colours.
  void extract_features();
  void look_at_colors();
  void learn_filters(std::span<const MotionTarget> targets);
  void learn_colors_of(std::span<const MotionTarget> targets);
  void learn_scales(std::span<const MotionTarget> targets);
  void keep_learnt_responses();
  // Jobs of a target's filters for each window, and of its colours for one.
  std::vector<FilterJob> respond_jobs(std::span<const MotionTarget> targets);
  ColorResponseJob color_job(std::size_t window, const MotionTarget& target);
  void respond_colors(std::span<const MotionTarget> targets);
  Motion moved(std::size_t index, std::span<const float> all, std::span<const float> all_colors,
               const std::optional<LearntResponse>& learnt) const;

  CorrelationFilterConfig config_;
  std::shared_ptr<Queue> queue_;
  FilterTables tables_;
  FilterBank bank_;
  ScaleFilter scales_;

  const Plane* luma_ = nullptr;  // of the frame that has begun
  ColorPlanes color_;            // its colours, if it has some
  Work work_;
  Learnt learnt_;

  // The targets that estimate() had on this frame, and which response of colours each has.
  std::vector<MotionTarget> queried_;
  std::vector<std::optional<std::size_t>> color_responses_;  // by target
};

}  // namespace cltrack
