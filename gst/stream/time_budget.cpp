// SPDX-License-Identifier: LGPL-2.1-or-later
#include "stream/time_budget.h"

#include <utility>

namespace cltrack::gst {
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

Look TimeBudget::begin(GstBaseTransform* element, const BufferTimes& times,
                       GstClockTime max_latency) {
  deadline_.reset();
  std::optional<std::int64_t> left;
  if (max_latency > 0 && is_usable(times.running_time)) {
    came_ = now(GST_ELEMENT(element));
    const auto upstream = latency_.of_live(GST_BASE_TRANSFORM_SINK_PAD(element));
    if (upstream && is_usable(*upstream) && is_usable(came_)) {
      deadline_ = static_cast<GstClockTimeDiff>(times.running_time + *upstream + max_latency);
      left = *deadline_ - static_cast<GstClockTimeDiff>(came_);
    }
  }
  return policy_.choose(left, is_late_later(element, times));
}

void TimeBudget::end(GstBaseTransform* element, const BufferTimes& times, Look look, bool counts) {
  if (!counts) return;
  LookCounts all;
  {
    const std::lock_guard lock(mutex_);
    ++counts_.of[static_cast<std::size_t>(look)];
    all = counts_;
  }
  const bool has_changed = std::exchange(before_, look) != look;
  GstClockTimeDiff late = 0;
  const GstClockTime left_at = deadline_ ? now(GST_ELEMENT(element)) : GST_CLOCK_TIME_NONE;
  if (GST_CLOCK_TIME_IS_VALID(left_at)) {
    late = static_cast<GstClockTimeDiff>(left_at) - *deadline_;
    if (look != Look::none) policy_.took(look, GST_CLOCK_DIFF(came_, left_at));
  }
  if (late > 0 || look == Look::none || has_changed) {
    messages_.post(GST_ELEMENT(element), times, late, look, all, deadline_.has_value());
  }
}

void TimeBudget::see_qos(GstEvent* event) {
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

LookCounts TimeBudget::counts() const {
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
  before_ = Look::full;
  deadline_.reset();
  forget_sink();
}

}  // namespace cltrack::gst
