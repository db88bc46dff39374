// SPDX-License-Identifier: LGPL-2.1-or-later
#include "album.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "confidence_plot.h"
#include "contact_sheet.h"
#include "scoped.h"
#include "thumbnail.h"

namespace track_video {
namespace {

using cltrack::TrackState;

// "#2 man"; a single target needs no number.
std::string name_of(const Row& row, std::size_t targets) {
  if (targets == 1) return row.label.empty() ? "target" : row.label;
  std::string name = "#";
  name += std::to_string(row.id);
  if (!row.label.empty()) name.append(" ").append(row.label);
  return name;
}

// "tracking, 97 %", or "18 tracking, 2 lost".
std::string states_of(std::span<const Row> rows) {
  if (rows.size() == 1) {
    const Row& row = rows.front();
    std::string text = to_string(row.state);
    if (row.state == TrackState::lost) return text;
    return text + ", " + std::to_string(std::lround(100 * row.confidence)) + " %";
  }
  std::string text;
  for (const auto state : {TrackState::tracking, TrackState::uncertain, TrackState::lost}) {
    const auto count = std::ranges::count(rows, state, &Row::state);
    if (count == 0) continue;
    if (!text.empty()) text += ", ";
    text += std::to_string(count) + " " + to_string(state);
  }
  return text;
}

}  // namespace

Album::Album(std::span<const Target> targets, std::string title)
    : targets_(targets), title_(std::move(title)), seen_(targets.size()) {}

void Album::observe(std::span<const Row> rows) {
  next_ = moment_of(rows);
  timeline_.add(rows);
}

Moment Album::moment_of(std::span<const Row> rows) {
  Moment moment{rows.front().frame, rows.front().seconds, Change::none, 0, {}};
  std::string lost;
  std::string found;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool has_box = rows[i].state != TrackState::lost;
    if (has_box == seen_[i].has_box) continue;
    seen_[i].has_box = has_box;
    ++seen_[i].changes;
    moment.turn = moment.turn == 0 ? seen_[i].changes : std::min(moment.turn, seen_[i].changes);
    std::string& names = has_box ? found : lost;
    if (!names.empty()) names += ", ";
    names += name_of(rows[i], rows.size());
  }
  if (!lost.empty()) moment.text = lost + " lost";
  if (!found.empty())
    moment.text.append(lost.empty() ? "" : "; ").append("a match for " + found + " was found");
  if (moment.text.empty()) moment.text = states_of(rows);
  if (moment.turn > 0) moment.change = lost.empty() ? Change::found : Change::lost;
  return moment;
}

void Album::observe_picture(GstBuffer* buffer, const GstVideoInfo& video) {
  const auto kept = cltrack::gst::shared<gst_buffer_unref>(gst_buffer_ref(buffer));
  moments_.add(std::move(next_), [kept, video] {
    return thumbnail(kept.get(), video, kPictureWidth, kPictureHeight);
  });
}

std::vector<std::filesystem::path> Album::write(const std::filesystem::path& directory) {
  const auto chosen = moments();
  if (chosen.empty()) return {};
  const auto sheet = directory / "contact-sheet.png";
  const auto plot = directory / "confidence.png";
  draw_contact_sheet(chosen, title_).write(sheet);
  draw_confidence(timeline_, targets_, title_).write(plot);
  return {sheet, plot};
}

}  // namespace track_video
