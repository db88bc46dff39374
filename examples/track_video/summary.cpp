// SPDX-License-Identifier: LGPL-2.1-or-later
#include "summary.h"

#include <algorithm>
#include <cstdio>

namespace track_video {
namespace {

// "63.4 %"
std::string share(std::uint64_t part, std::uint64_t all) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %%",
                all == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(all));
  return text;
}

}  // namespace

void Summary::add(std::uint64_t id, const std::string& label, cltrack::TrackState state,
                  std::uint64_t frame, double seconds) {
  auto target = std::ranges::find(targets_, id, &Target::id);
  if (target == targets_.end()) {
    targets_.push_back({.id = id, .label = label, .changes = {}});
    target = targets_.end() - 1;
  }
  ++target->frames;
  if (state == cltrack::TrackState::tracking) ++target->tracking;
  if (state == cltrack::TrackState::uncertain) ++target->uncertain;
  const bool has_box = state != cltrack::TrackState::lost;
  if (has_box != target->has_box) target->changes.push_back({has_box, frame, seconds});
  target->has_box = has_box;
}

void Summary::print(std::ostream& out) const {
  for (const auto& target : targets_) {
    out << "target " << target.id << (target.label.empty() ? "" : " (" + target.label + ")")
        << ": has a box on " << target.tracking + target.uncertain << " of " << target.frames
        << " frames, " << share(target.tracking + target.uncertain, target.frames);
    if (target.uncertain > 0) {
      out << " (" << share(target.uncertain, target.frames) << " uncertain)";
    }
    out << '\n';
    for (const auto& change : target.changes) {
      char text[64];
      if (change.seconds >= 0) {
        std::snprintf(text, sizeof text, "%9.2f s", change.seconds);
      } else {
        std::snprintf(text, sizeof text, "  no time");
      }
      out << text << "  " << (change.found ? "a match was found" : "lost") << " (frame "
          << change.frame << ")\n";
    }
  }
}

}  // namespace track_video
