// SPDX-License-Identifier: LGPL-2.1-or-later
#include "motion/correlation_filter.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cltrack/error.h"
#include "motion/filter_bank.h"
#include "motion/filter_response.h"
#include "motion/filter_window.h"
#include "ops/filter/sample_windows.h"
#include "ops/filter/translation_filter.h"

namespace cltrack {
namespace {

// Where the filters of a target are: the ops know filters alone.
int adaptive(std::size_t slot) { return static_cast<int>(kFilters * slot); }
int initial(std::size_t slot) { return adaptive(slot) + 1; }

std::vector<MotionTarget> usable(std::span<const MotionTarget> targets) {
  std::vector<MotionTarget> result(targets.begin(), targets.end());
  for (MotionTarget& target : result) target.box = usable_box(target.box);
  return result;
}

}  // namespace

std::vector<ProgramName> correlation_filter_programs() {
  std::vector<ProgramName> programs;
  for (const char* name : {"sample_windows", "hog", "filter_spectra", "filter_respond",
                           "filter_learn", "sample_colors", "color_response", "learn_colors",
                           "resample_windows", "scale_spectra", "scale_respond", "scale_learn"})
    programs.push_back({name, ""});
  return programs;
}

CorrelationFilter::CorrelationFilter(const CorrelationFilterConfig& config,
                                     std::shared_ptr<Queue> queue)
    : config_(config), queue_(std::move(queue)) {}

ColorSpace CorrelationFilter::colors() const { return color_.picture().space; }

PictureSource CorrelationFilter::picture() const {
  return colors() == ColorSpace::none ? PictureSource(*luma_) : PictureSource(color_);
}

void CorrelationFilter::begin(const Frame& frame, const Plane& luma,
                              std::span<const MotionTarget> /*targets*/) {
  luma_ = &luma;
  color_.release();
  if (!frame.color.empty()) color_.borrow(frame.color, luma);
  queried_.clear();
}

// Few targets leave threads without work; then parts that do not depend on each other go to a
// thread each. They use arrays of their own, but for the frame and the windows, which they read.
void CorrelationFilter::run_parts(std::size_t targets,
                                  std::initializer_list<std::function<void()>> parts) {
  if (queue_->is_host() && static_cast<int>(targets) < queue_->threads()) {
    queue_->run(static_cast<int>(parts.size()), [&](int i) { parts.begin()[i](); });
  } else {
    for (const auto& part : parts) part();
  }
}

void CorrelationFilter::place_windows(std::span<const MotionTarget> targets,
                                      Array<WindowJob>& windows) {
  std::vector<WindowJob> jobs;
  for (const MotionTarget& target : targets) jobs.push_back(filter_window(target.box));
  windows.assign(jobs);
  work_.windows = &windows;
}

void CorrelationFilter::extract_features() {
  sample_windows(*queue_, *luma_, *work_.windows, kFilterSide, work_.samples);
  hog(*queue_, work_.samples, kFilterCells, work_.hog, work_.features);
  discard(work_.samples);
}

void CorrelationFilter::look_at_colors() {
  sample_colors(*queue_, picture(), *work_.windows, kFilterSide, work_.bins);
}

void CorrelationFilter::estimate(std::span<const MotionTarget> targets) {
  queried_ = usable(targets);
  // Those whose filters were lost with a device begin again where they were.
  std::vector<MotionTarget> lost;
  std::ranges::copy_if(queried_, std::back_inserter(lost), [this](const MotionTarget& t) {
    return !bank_.is_initialised(bank_.slot_of(t.id));
  });
  if (!lost.empty()) learn(lost);
  if (queried_.empty()) return;
  place_windows(queried_, work_.queried_windows);
  run_parts(queried_.size(),
            {[this] { extract_features(); }, [this] { respond_colors(queried_); }});
  filter_spectra(*queue_, tables_, work_.features, work_.spectra);
  discard(work_.features);
  work_.respond_jobs.assign(respond_jobs(queried_));
  filter_respond(*queue_, tables_, work_.spectra, work_.respond_jobs, bank_.arrays().filters,
                 work_.responses);
  discard(work_.spectra);
  work_.responses.fetch();
  queue_->flush();
}

std::vector<FilterJob> CorrelationFilter::respond_jobs(std::span<const MotionTarget> targets) {
  std::vector<FilterJob> jobs;
  for (int window = 0; const MotionTarget& target : targets) {
    const std::size_t slot = bank_.slot_of(target.id);
    for (const int filter : {adaptive(slot), initial(slot)}) {
      jobs.push_back(filter_job(window, filter, target.box.width, target.box.height, 0));
    }
    ++window;
  }
  return jobs;
}

ColorResponseJob CorrelationFilter::color_job(std::size_t window, const MotionTarget& target) {
  const BoundingBox& box = target.box;
  return color_response_job(static_cast<int>(window), static_cast<int>(bank_.slot_of(target.id)),
                            samples_in_window(box.width, box), samples_in_window(box.height, box),
                            kFilterSide);
}

void CorrelationFilter::respond_colors(std::span<const MotionTarget> targets) {
  look_at_colors();
  std::vector<ColorResponseJob> jobs;
  color_responses_.assign(targets.size(), std::nullopt);
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (bank_.colors(bank_.slot_of(targets[i].id)) != colors()) continue;  // other bins
    color_responses_[i] = jobs.size();
    jobs.push_back(color_job(i, targets[i]));
  }
  work_.color_jobs.assign(jobs);
  color_response(*queue_, work_.bins, kFilterSide, work_.color_jobs, bank_.arrays().likelihoods,
                 work_.color_responses);
  discard(work_.bins);
  if (!jobs.empty()) work_.color_responses.fetch();
}

// Where a target of estimate() is; its size is as it was. On any thread.
Motion CorrelationFilter::moved(std::size_t index, std::span<const float> all,
                                std::span<const float> all_colors,
                                const std::optional<LearntResponse>& learnt) const {
  std::span<const float> color;
  if (color_responses_[index]) {
    color = all_colors.subspan(*color_responses_[index] * kColorResponses, kColorResponses);
  }
  const auto responses = all.subspan(kFilters * index * kFilterPlane, kFilters * kFilterPlane);
  BoundingBox box = queried_[index].box;
  const float cell = filter_window_side(box) / static_cast<float>(kFilterCells);
  const FilterEstimate estimate =
      filter_estimate(responses.first(kFilterPlane), responses.last(kFilterPlane), color,
                      box.width / cell, box.height / cell, learnt ? &*learnt : nullptr);
  box.x += estimate.x * cell;
  box.y += estimate.y * cell;
  return {box, estimate.quality};
}

std::vector<std::optional<Motion>> CorrelationFilter::collect(Queue& host) {
  std::vector<std::optional<Motion>> result(queried_.size());
  if (queried_.empty()) return result;
  keep_learnt_responses();
  const std::span<const float> responses = work_.responses.host_read();
  std::span<const float> colors;
  if (std::ranges::any_of(color_responses_, [](const auto& a) { return a.has_value(); })) {
    colors = work_.color_responses.host_read();
  }
  std::vector<std::size_t> slots;
  for (const MotionTarget& target : queried_) slots.push_back(bank_.slot_of(target.id));
  host.run(static_cast<int>(queried_.size()), [&](int i) {
    const auto index = static_cast<std::size_t>(i);
    result[index] = moved(index, responses, colors, bank_.learnt_response(slots[index]));
  });
  std::vector<ScaleFilter::ScaleQuery> queries;
  for (std::size_t i = 0; i < queried_.size(); ++i) {
    queries.push_back({result[i]->box, static_cast<int>(slots[i]), 0});
  }
  scales_.estimate(*queue_, *luma_, queries, bank_.arrays().scales);
  // While a device computes the scale responses; its earlier work has been waited for.
  bank_.save();
  const std::vector<ScaleFilter::ScaleEstimate> sizes = scales_.collect();
  for (std::size_t i = 0; i < queried_.size(); ++i) {
    BoundingBox& box = result[i]->box;
    box = scaled_box(box, sizes[i].factor);
    const BoundingBox inside = clip_to_frame(box, luma_->width(), luma_->height());
    if (!box.is_valid() || inside.width < 1 || inside.height < 1) result[i].reset();
  }
  return result;
}

// Waits if there are some, unless the queue has been waited for.
void CorrelationFilter::keep_learnt_responses() {
  if (learnt_.ids.empty()) return;
  const std::span<const float> all = learnt_.responses.host_read();
  const std::span<const float> colors = learnt_.colors.host_read();
  for (std::size_t i = 0; i < learnt_.ids.size(); ++i) {
    const auto responses = all.subspan(kFilters * i * kFilterPlane, kFilters * kFilterPlane);
    bank_.set_learnt_response(
        learnt_.ids[i], learnt_response(responses.first(kFilterPlane), responses.last(kFilterPlane),
                                        colors.subspan(i * kColorResponses, kColorResponses)));
  }
  learnt_.ids.clear();
}

void CorrelationFilter::learn(std::span<const MotionTarget> right) {
  if (right.empty()) return;
  keep_learnt_responses();
  const std::vector<MotionTarget> targets = usable(right);
  for (const MotionTarget& target : targets) bank_.slot_of(target.id);  // room for all
  place_windows(targets, work_.learnt_windows);
  run_parts(targets.size(), {[&] { learn_filters(targets); }, [&] { learn_scales(targets); },
                             [&] { learn_colors_of(targets); }});
  for (const MotionTarget& target : targets) {
    bank_.set_taught(bank_.slot_of(target.id), colors());
    learnt_.ids.push_back(target.id);
  }
  if (!queue_->is_host()) bank_.learnt_on_device();
}

void CorrelationFilter::learn_filters(std::span<const MotionTarget> targets) {
  extract_features();
  filter_spectra(*queue_, tables_, work_.features, work_.spectra);
  discard(work_.features);
  std::vector<FilterJob> jobs;
  for (int window = 0; const MotionTarget& target : targets) {
    const std::size_t slot = bank_.slot_of(target.id);
    const bool is_new = !bank_.is_initialised(slot);
    jobs.push_back(filter_job(window, adaptive(slot), target.box.width, target.box.height,
                              is_new ? 0 : config_.temporal));
    if (is_new) {
      jobs.push_back(filter_job(window, initial(slot), target.box.width, target.box.height, 0));
    }
    ++window;
  }
  work_.learn_jobs.assign(jobs);
  filter_learn(*queue_, tables_, work_.spectra, work_.learn_jobs, work_.scratch,
               bank_.arrays().filters);
  work_.learnt_jobs.assign(respond_jobs(targets));
  filter_respond(*queue_, tables_, work_.spectra, work_.learnt_jobs, bank_.arrays().filters,
                 learnt_.responses);
  learnt_.responses.fetch();
  discard(work_.spectra);
}

void CorrelationFilter::learn_colors_of(std::span<const MotionTarget> targets) {
  look_at_colors();
  std::vector<ColorLearnJob> jobs;
  for (const MotionTarget& target : targets) {
    const std::size_t slot = bank_.slot_of(target.id);
    const bool is_new = !bank_.is_initialised(slot) || bank_.colors(slot) != colors();
    jobs.push_back(color_learn_job(static_cast<int>(jobs.size()), static_cast<int>(slot),
                                   target.box, is_new ? 1 : config_.color_rate));
  }
  work_.color_learn_jobs.assign(jobs);
  learn_colors(*queue_, work_.bins, kFilterSide, work_.color_learn_jobs, bank_.arrays().histograms,
               bank_.arrays().likelihoods);
  std::vector<ColorResponseJob> learnt_jobs;
  for (const MotionTarget& target : targets) {
    learnt_jobs.push_back(color_job(learnt_jobs.size(), target));
  }
  work_.learnt_color_jobs.assign(learnt_jobs);
  color_response(*queue_, work_.bins, kFilterSide, work_.learnt_color_jobs,
                 bank_.arrays().likelihoods, learnt_.colors);
  learnt_.colors.fetch();
  discard(work_.bins);
}

void CorrelationFilter::learn_scales(std::span<const MotionTarget> targets) {
  std::vector<ScaleFilter::ScaleQuery> queries;
  for (const MotionTarget& target : targets) {
    const std::size_t slot = bank_.slot_of(target.id);
    queries.push_back(
        {target.box, static_cast<int>(slot), bank_.is_initialised(slot) ? config_.scale_rate : 1});
  }
  scales_.learn(*queue_, *luma_, queries, bank_.arrays().scales);
}

void CorrelationFilter::start(const MotionTarget& target) {
  remove(target.id);
  learn({&target, 1});
}

void CorrelationFilter::remove(std::uint64_t id) { bank_.remove(id); }

void CorrelationFilter::end() {
  luma_ = nullptr;
  queried_.clear();
  color_.release();  // keeps buffers for the next frame
}

void CorrelationFilter::place(std::shared_ptr<Queue> queue, bool /*follows_on*/) {
  abandon();
  try {
    keep_learnt_responses();
  } catch (const Error&) {  // the bank goes back to what it has saved, and says so
  }
  learnt_ = {};
  leave_devices(tables_.twiddles);
  leave_devices(tables_.weights);
  leave_devices(tables_.label);
  bank_.leave_devices(*queue_);
  queue_ = std::move(queue);
}

void CorrelationFilter::abandon() noexcept {
  luma_ = nullptr;
  queried_.clear();
  color_ = {};
  work_ = {};
  scales_.release();
}

}  // namespace cltrack
