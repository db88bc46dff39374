// SPDX-License-Identifier: LGPL-2.1-or-later
#include "stream/effort_policy.h"

#include <algorithm>
#include <utility>

namespace cltrack::gst {
namespace {

constexpr auto kMotion = static_cast<std::size_t>(FrameEffort::motion);
constexpr std::int64_t kFading = 64;  // of an estimate, this part with each picture
constexpr std::int64_t kRoom = 80;    // percent of the time left that more work may take
constexpr std::int64_t kFalling = 8;  // estimates fall by this part of what they are too high
constexpr std::int64_t kRising = 2;   // and rise by this one

}  // namespace

Effort effort_of(FrameEffort effort) {
  switch (effort) {
    case FrameEffort::near:
      return Effort::near;
    case FrameEffort::motion:
      return Effort::motion;
    case FrameEffort::full:
    case FrameEffort::none:
      break;
  }
  return Effort::full;
}

bool EffortPolicy::fits(std::size_t level, const std::optional<std::int64_t>& left,
                        std::int64_t percent) const {
  return !left || (*left >= 0 && costs_[level] <= *left / 100 * percent);
}

FrameEffort EffortPolicy::choose(std::optional<std::int64_t> left, bool is_late_later) {
  for (std::size_t level = 0; level < level_; ++level) costs_[level] -= costs_[level] / kFading;
  std::size_t most = level_;
  while (most < kMotion && !fits(most, left, 100)) ++most;
  if (is_late_later && most == level_) most = std::min(level_ + 1, kMotion);

  if (most > level_) {
    level_ = most;
    calm_ = 0;
  } else if (level_ == 0 || is_late_later || !fits(level_ - 1, left, kRoom)) {
    calm_ = 0;
  } else if (++calm_ >= kCalm) {
    --level_;
    calm_ = 0;
  }
  if (fits(level_, left, 100) || skipped_ >= kMostSkipped) {
    skipped_ = 0;
    return static_cast<FrameEffort>(level_);
  }
  ++skipped_;
  return FrameEffort::none;
}

void EffortPolicy::took(FrameEffort effort, std::int64_t ns) {
  std::int64_t& cost = costs_[static_cast<std::size_t>(effort)];
  if (cost == 0) {
    cost = ns;
  } else {
    cost += (ns - cost) / (ns > cost ? kRising : kFalling);
  }
}

std::optional<GstClockTime> UpstreamLatency::of_live(GstPad* sink_pad) {
  if (is_known_.exchange(true)) return latency_;
  latency_.reset();
  GstQuery* query = gst_query_new_latency();
  gboolean is_live = FALSE;
  GstClockTime least = 0;
  if (gst_pad_peer_query(sink_pad, query)) {
    gst_query_parse_latency(query, &is_live, &least, nullptr);
  }
  gst_query_unref(query);
  if (is_live && GST_CLOCK_TIME_IS_VALID(least)) latency_ = least;
  return latency_;
}

void add_latency(GstQuery* query, GstClockTime more) {
  gboolean is_live = FALSE;
  GstClockTime least = 0;
  GstClockTime most = 0;
  gst_query_parse_latency(query, &is_live, &least, &most);
  if (!is_live || !GST_CLOCK_TIME_IS_VALID(least)) return;
  if (GST_CLOCK_TIME_IS_VALID(most)) most += more;
  gst_query_set_latency(query, is_live, least + more, most);
}

namespace {

// Streams may have any times: sums of three of these can be counted.
bool is_usable(GstClockTime time) { return time < GstClockTime{G_MAXINT64} / 4; }

}  // namespace

GstClockTime TimeBudget::now(GstElement* element) {
  GstClock* clock = gst_element_get_clock(element);
  if (clock == nullptr) return GST_CLOCK_TIME_NONE;
  const GstClockTime time = gst_clock_get_time(clock);
  gst_object_unref(clock);
  const GstClockTime base = gst_element_get_base_time(element);
  // Only while the pipeline starts, or is set to another time.
  if (!GST_CLOCK_TIME_IS_VALID(base) || time < base) return GST_CLOCK_TIME_NONE;
  return time - base;
}

bool TimeBudget::is_late_later(GstBaseTransform* element, const BufferTimes& times) const {
  if (!gst_base_transform_is_qos_enabled(element)) return false;
  const std::lock_guard lock(mutex_);
  return GST_CLOCK_TIME_IS_VALID(late_until_) && times.running_time <= late_until_;
}

void TimeBudget::push_begins(GstElement* element) { push_began_ = now(element); }

void TimeBudget::push_ends(GstElement* element) {
  if (!GST_CLOCK_TIME_IS_VALID(push_began_)) return;
  const GstClockTime time = now(element);
  if (GST_CLOCK_TIME_IS_VALID(time)) waited_ += GST_CLOCK_DIFF(push_began_, time);
  push_began_ = GST_CLOCK_TIME_NONE;
}

FrameEffort TimeBudget::begin(GstBaseTransform* element, const BufferTimes& times,
                              const StreamInstant& stream, GstClockTime max_latency) {
  deadline_.reset();
  if (!stream.follows()) {
    forget_sink();
    has_jumped_ = stream.continuity == Continuity::time_jump;
    shift_ = has_jumped_ ? G_MAXINT64 : 0;
  }
  std::optional<std::int64_t> left;
  if (max_latency > 0 && stream.is_dated && is_usable(times.running_time)) {
    came_ = now(GST_ELEMENT(element));
    const auto upstream = latency_.of_live(GST_BASE_TRANSFORM_SINK_PAD(element));
    if (upstream && is_usable(*upstream) && is_usable(came_)) {
      auto due = static_cast<GstClockTimeDiff>(times.running_time + *upstream);
      const auto came = static_cast<GstClockTimeDiff>(came_);
      if (has_jumped_) shift_ = std::min(shift_, came - waited_ - due);
      due += shift_;
      // Had nobody waited, it could have come so much earlier, but not before it was due.
      waited_ = std::min(waited_, std::max(came - due, GstClockTimeDiff{0}));
      deadline_ = due + waited_ + static_cast<GstClockTimeDiff>(max_latency);
      left = *deadline_ - came;
    }
  }
  return policy_.choose(left, is_late_later(element, times));
}

void TimeBudget::end(GstBaseTransform* element, const BufferTimes& times, FrameEffort effort,
                     bool counts) {
  if (!counts) return;
  EffortCounts all;
  {
    const std::lock_guard lock(mutex_);
    ++counts_.of[static_cast<std::size_t>(effort)];
    all = counts_;
  }
  const bool has_changed = std::exchange(before_, effort) != effort;
  GstClockTimeDiff late = 0;
  const GstClockTime left_at = deadline_ ? now(GST_ELEMENT(element)) : GST_CLOCK_TIME_NONE;
  if (GST_CLOCK_TIME_IS_VALID(left_at)) {
    late = static_cast<GstClockTimeDiff>(left_at) - *deadline_;
    if (effort != FrameEffort::none) policy_.took(effort, GST_CLOCK_DIFF(came_, left_at));
  }
  if (late > 0 || effort == FrameEffort::none || has_changed) {
    messages_.post(GST_ELEMENT(element), times, late, effort, all, deadline_.has_value());
  }
}

void TimeBudget::observe_qos(GstEvent* event) {
  GstClockTimeDiff late = 0;
  GstClockTime time = GST_CLOCK_TIME_NONE;
  gst_event_parse_qos(event, nullptr, nullptr, &late, &time);
  const std::lock_guard lock(mutex_);
  late_until_ = GST_CLOCK_TIME_NONE;
  // As GstBaseTransform has it: what was late by so much will be for as long again.
  if (late > 0 && GST_CLOCK_TIME_IS_VALID(time)) {
    late_until_ = time + 2 * static_cast<GstClockTime>(late);
  }
}

void TimeBudget::forget_sink() {
  const std::lock_guard lock(mutex_);
  late_until_ = GST_CLOCK_TIME_NONE;
}

EffortCounts TimeBudget::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

void TimeBudget::forget_counts() {
  const std::lock_guard lock(mutex_);
  counts_ = {};
}

void TimeBudget::reset() {
  latency_.ask_again();
  policy_.reset();
  messages_.reset();
  before_ = FrameEffort::full;
  deadline_.reset();
  push_began_ = GST_CLOCK_TIME_NONE;
  waited_ = shift_ = 0;
  has_jumped_ = false;
  forget_sink();
}

}  // namespace cltrack::gst
