// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/network_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include "core/box_sizes.h"
#include "motion/filter_bank.h"
#include "motion/filter_window.h"
#include "ops/job_parts.h"

namespace cltrack {
namespace {

BoundingBox square_around(const BoundingBox& box, float side) {
  return with_sides(box, side, side);
}

}  // namespace

float template_length(const BoundingBox& box) {
  const float context = 0.5f * (box.width + box.height);
  return std::sqrt((box.width + context) * (box.height + context));
}

std::optional<NetworkPlace> NetworkFindings::place_at(const BoundingBox& box) const {
  constexpr float kSame = 0.5f;  // overlap
  const float x = box.center_x(), y = box.center_y();
  if (x < window.x || x > window.right() || y < window.y || y > window.bottom()) {
    return std::nullopt;
  }
  NetworkPlace best;
  for (const NetworkPlace& place : places) {
    const float common = overlap(place.box, box);
    // Many scores are 1: floats have none closer to it.
    if (common > kSame && (place.score > best.score ||
                           (place.score == best.score && common > overlap(best.box, box)))) {
      best = place;
    }
  }
  return best;
}

std::vector<ProgramName> NetworkSearch::programs() {
  return {{"sample_pictures", ""},
          {"convolution", ""},
          {"depthwise", ""},
          {"pointwise", ""},
          {"gates", ""}};
}

NetworkSearch::NetworkSearch(std::shared_ptr<const NetworkModel> model,
                             std::shared_ptr<Queue> queue)
    : queue_(std::move(queue)), model_(model), network_(std::move(model)) {}

std::optional<std::size_t> NetworkSearch::slot_of(std::uint64_t id) const {
  const auto found = std::ranges::find(slots_, id, &Slot::id);
  if (found == slots_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - slots_.begin());
}

std::size_t NetworkSearch::free_slot() {
  if (const auto slot = slot_of(0)) return *slot;
  const std::size_t next = slots_.size(), count = std::max<std::size_t>(1, 2 * next);
  templates_ = larger_slots(templates_, count, network_.template_values());
  slots_.resize(count);
  return next;
}

// What stands for all that lies beyond a frame.
PictureColor NetworkSearch::mean_color() const {
  constexpr int kSide = 32;
  const ColorPicture frame = frame_->picture();
  const BoundingBox whole = {0, 0, static_cast<float>(frame.width),
                             static_cast<float>(frame.height)};
  std::vector<float> values(std::size_t{3} * kSide * kSide);
  vector::sample_picture(frame, picture_job(whole, kSide, {}),
                         picture_colors(frame.space, frame.encoding, {}), kSide, values);
  PictureColor mean = {};
  for (std::size_t i = 0; i < values.size(); ++i) mean[i % 3] += values[i];
  for (float& value : mean) value /= kSide * kSide;
  return mean;
}

TemplatePixels NetworkSearch::start(std::uint64_t id, const BoundingBox& given,
                                    const BoundingBox& box, Queue& host) {
  const PictureColor fill = mean_color();
  const int side = model_->template_side;
  const BoundingBox usable = usable_box(given);
  const Array<PictureJob> job(
      std::array{picture_job(square_around(usable, template_length(usable)), side, fill)});
  Array<float> picture;
  sample_pictures(*queue_, *frame_, job, side, model_->mean, picture);
  start(id, picture, fill, box, host);
  TemplatePixels shown;
  for (const float value : picture.host_read()) {
    const float pixel = value + model_->mean[shown.size() % 3];
    shown.push_back(static_cast<std::uint8_t>(std::lround(std::clamp(pixel, 0.0f, 255.0f))));
  }
  return shown;
}

void NetworkSearch::restart(std::uint64_t id, const TemplatePixels& shown, const BoundingBox& box,
                            Queue& host) {
  const auto side = static_cast<std::size_t>(model_->template_side);
  if (shown.size() != 3 * side * side) {
    start(id, box, box, host);
    return;
  }
  std::vector<float> values(shown.begin(), shown.end());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] -= model_->mean[i % 3];
  start(id, Array<float>(values), mean_color(), box, host);
}

void NetworkSearch::start(std::uint64_t id, const Array<float>& picture, const PictureColor& fill,
                          const BoundingBox& box, Queue& host) {
  const std::vector<float> kept = network_.make_templates(*queue_, picture);
  std::optional<std::size_t> slot = slot_of(id);
  if (!slot) slot = free_slot();
  slots_[*slot] = {.id = id, .fill = fill};
  std::ranges::copy(kept, templates_.host_update(*slot * kept.size(), kept.size()).begin());
  slots_[*slot].relation = relation_of(id, box, host);
}

// By the place that the network itself finds; none that is much unlike the box.
BoundingBox NetworkSearch::relation_of(std::uint64_t id, const BoundingBox& box, Queue& host) {
  constexpr float kSure = 0.5f, kMostRatio = 1.6f;
  const MotionTarget target = {id, box};
  search({&target, 1});
  const auto found = collect(host).front()->place_at(box);
  if (!found || found->score < kSure) return {0, 0, 1, 1};
  BoundingBox relation = relative_to(found->box, box);
  relation.width = std::clamp(relation.width, 1 / kMostRatio, kMostRatio);
  relation.height = std::clamp(relation.height, 1 / kMostRatio, kMostRatio);
  return relation;
}

void NetworkSearch::remove(std::uint64_t id) {
  if (const auto slot = slot_of(id)) slots_[*slot] = {};
}

void NetworkSearch::search(std::span<const MotionTarget> targets) {
  queries_.clear();
  std::vector<PictureJob> jobs;
  std::vector<std::int32_t> slots;
  const int side = model_->search_side;
  const float reach = static_cast<float>(side) / static_cast<float>(model_->template_side);
  for (const MotionTarget& target : targets) {
    std::optional<Query>& query = queries_.emplace_back();
    const auto slot = slot_of(target.id);
    if (!slot) continue;
    query = {jobs.size(), usable_box(target.box), slots_[*slot].relation};
    const BoundingBox window = square_around(query->box, reach * template_length(query->box));
    jobs.push_back(picture_job(window, side, slots_[*slot].fill));
    slots.push_back(static_cast<std::int32_t>(*slot));
  }
  if (jobs.empty()) return;
  jobs_.assign(jobs);
  job_slots_.assign(slots);
  sample_pictures(*queue_, *frame_, jobs_, side, model_->mean, pictures_);
  network_.search(*queue_, pictures_, templates_, job_slots_, answers_);
  pictures_.discard();
  answers_.scores.fetch();
  answers_.boxes.fetch();
  queue_->flush();
}

std::vector<std::optional<NetworkFindings>> NetworkSearch::collect(Queue& host) {
  std::vector<std::optional<NetworkFindings>> all(queries_.size());
  if (std::ranges::none_of(queries_, [](const auto& query) { return query.has_value(); })) {
    return all;
  }
  queue_->finish();
  const auto scores = answers_.scores.host_read(), boxes = answers_.boxes.host_read();
  const auto side = static_cast<std::size_t>(network_.answer_side()), places = side * side;
  host.run(static_cast<int>(all.size()), [&](int target) {
    const auto i = static_cast<std::size_t>(target);
    if (!queries_[i]) return;
    const auto& [index, box, relation] = *queries_[i];
    const float scale = template_length(box) / static_cast<float>(model_->template_side);
    NetworkFindings& findings = all[i].emplace();
    findings.window = square_around(box, scale * static_cast<float>(model_->search_side));
    findings.places =
        network_.places(entry_at(scores, index, 2 * places), entry_at(boxes, index, 4 * places));
    for (NetworkPlace& place : findings.places) {
      const BoundingBox own = place.box;
      place.box = {box.center_x() + scale * (own.x + relation.x * own.width),
                   box.center_y() + scale * (own.y + relation.y * own.height),
                   scale * relation.width * own.width, scale * relation.height * own.height};
    }
  });
  return all;
}

void NetworkSearch::place(std::shared_ptr<Queue> queue) {
  abandon();
  queue_ = std::move(queue);
  network_ = SiameseNetwork(model_);
  leave_devices(templates_);
}

void NetworkSearch::abandon() noexcept {
  frame_.reset();
  queries_.clear();
  jobs_ = {};
  job_slots_ = {};
  pictures_ = Array<float>(Memory::Use::scratch);
  answers_ = {};
}

void NetworkSearch::reset() noexcept {
  abandon();
  slots_.clear();
  templates_ = {};
}

}  // namespace cltrack
