// SPDX-License-Identifier: LGPL-2.1-or-later
#include "run.h"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <span>

namespace cltrack::accuracy {

std::vector<std::size_t> Pace::kept(std::size_t frames) const {
  std::vector<std::size_t> all;
  std::size_t turn = 0;
  for (std::size_t i = 0; i < frames; i += steps.empty() ? 1 : steps[turn++ % steps.size()]) {
    all.push_back(i);
  }
  return all;
}

Observations run_tracker(TrackerAdapter& tracker, const Footage& footage, const Start& start,
                         std::uint64_t seed, const std::function<void()>& each_frame,
                         std::size_t max_frames, const Pace& pace) {
  using Clock = std::chrono::steady_clock;
  Observations result;
  BgrConverter converter;
  BgrImage bgr;
  FrameCursor cursor(footage);
  std::size_t index = 0;
  const std::vector<std::size_t> kept =
      pace.kept(footage.size() - std::min(start.frame, footage.size()));
  while (const auto frame = cursor.next()) {
    if (result.frames.size() == kept.size()) break;
    if (index++ != start.frame + kept[result.frames.size()]) continue;
    Picture picture{frame->frame(), nullptr};
    if (!pace.efforts.empty()) {
      picture.frame.effort = pace.efforts[result.frames.size() % pace.efforts.size()];
    }
    if (tracker.needs_bgr()) {
      converter.convert(*frame, bgr);
      picture.bgr = &bgr;
    }
    const auto begin = Clock::now();
    Observation observation =
        result.frames.empty() ? tracker.init(picture, start.box, seed) : tracker.update(picture);
    const std::chrono::duration<double, std::milli> time = Clock::now() - begin;
    result.ms.push_back(time.count());
    // The first box is given, not found: all trackers are scored with it as it is.
    if (result.frames.empty() && observation.box) observation.box = start.box;
    result.frames.push_back(observation);
    if (each_frame) each_frame();
    if (result.frames.size() == max_frames) break;
  }
  result.stats = tracker.stats();
  return result;
}

Boxes kept_truth(const Sequence& sequence, std::size_t first_frame, const Pace& pace) {
  const auto rows = std::span(sequence.truth).subspan(std::min(first_frame, sequence.truth.size()));
  Boxes kept;
  for (const std::size_t index : pace.kept(rows.size())) kept.push_back(rows[index]);
  return kept;
}

std::string Row::particulars() const {
  return (variant == kGivenVariant ? "" : " " + variant) +
         (start == kGivenStart ? "" : " from " + start) +
         (first_frame == 0 ? "" : " from frame " + std::to_string(first_frame));
}

Row row_of(const std::string& tracker, const Sequence& sequence, std::uint64_t seed,
           const Start& start) {
  Row row;
  row.tracker = tracker;
  row.sequence = sequence.name;
  row.set = set_of(sequence);
  row.variant = sequence.variant.name;
  row.seed = seed;
  row.start = start.name;
  row.first_frame = start.frame;
  return row;
}

Row make_row(const std::string& tracker, const Sequence& sequence, std::uint64_t seed,
             const Observations& observations, const Pace& pace, const Start& start) {
  Row row = row_of(tracker, sequence, seed, start);
  row.attributes = sequence.attributes;
  const Boxes kept = kept_truth(sequence, start.frame, pace);
  row.frames = std::min(observations.frames.size(), kept.size());
  if (row.frames == 0) {
    row.error = "no frames";
    return row;
  }
  Boxes reported;
  for (std::size_t i = 0; i < row.frames; ++i) reported.push_back(observations.frames[i].box);
  const auto truth = std::span(kept).first(row.frames);
  row.scores = score(truth, reported);
  row.states = count_states(truth, std::span(observations.frames).first(row.frames));

  const std::vector<double>& ms = observations.ms;
  const double total = std::accumulate(ms.begin(), ms.end(), 0.0);
  const std::vector<double> updates(ms.begin() + 1, ms.end());
  row.ms_init = ms.front();
  row.ms_mean = total / static_cast<double>(ms.size());
  row.ms_median = percentile(updates, 0.5);
  row.ms_p99 = percentile(updates, 0.99);
  row.total_s = total / 1000.0;
  row.stages = observations.stats.stages;
  return row;
}

}  // namespace cltrack::accuracy
