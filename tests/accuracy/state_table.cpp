// SPDX-License-Identifier: LGPL-2.1-or-later
#include "state_table.h"

#include <algorithm>
#include <cstdio>

#include "row_choice.h"

namespace cltrack::accuracy {
namespace {

struct TrackerCounts {
  std::string tracker;
  std::size_t runs = 0;
  StateCounts counts;
};

std::vector<TrackerCounts> sum(std::span<const Row> rows,
                               const std::vector<std::string>& trackers) {
  std::vector<TrackerCounts> sums;
  for (const std::string& tracker : trackers) {
    TrackerCounts all{tracker, 0, {}};
    for (const Row& row : rows) {
      if (!row.error.empty() || row.tracker != tracker) continue;
      ++all.runs;
      all.counts += row.states;
    }
    if (all.runs > 0) sums.push_back(all);
  }
  return sums;
}

// The first cell to the left, the others to the right.
void print_line(std::ostream& out, const std::string& head, const std::vector<std::string>& cells,
                int width) {
  char buffer[64];
  std::snprintf(buffer, sizeof(buffer), "  %-14s", head.c_str());
  out << buffer;
  for (const std::string& cell : cells) {
    std::snprintf(buffer, sizeof(buffer), " %*s", width, cell.c_str());
    out << buffer;
  }
  out << '\n';
}

void print_presence(std::ostream& out, const std::vector<TrackerCounts>& sums) {
  print_line(
      out, "tracker",
      {"runs", "frames", "P25 trk", "P25 unc", "trk share", "calib err", "TPR50", "TNR", "GM50"},
      9);
  for (const auto& [tracker, runs, counts] : sums) {
    print_line(out, tracker,
               {std::to_string(runs), std::to_string(counts.visible + counts.absent),
                text("%.3f", counts.tracking.precision()),
                text("%.3f", counts.uncertain.precision()), text("%.3f", counts.tracking_share()),
                text("%.3f", counts.calibration_error()), text("%.3f", counts.true_positive_rate()),
                text("%.3f", counts.true_negative_rate()), text("%.3f", counts.geometric_mean())},
               9);
  }
}

void print_reliability(std::ostream& out, const std::vector<TrackerCounts>& sums) {
  std::vector<std::string> titles;
  for (std::size_t bin = 0; bin < kConfidenceBins; ++bin) {
    titles.push_back(text("%.1f", static_cast<double>(bin) / kConfidenceBins) + "-" +
                     text("%.1f", static_cast<double>(bin + 1) / kConfidenceBins));
  }
  print_line(out, "confidence", titles, 12);
  for (const auto& [tracker, runs, counts] : sums) {
    std::vector<std::string> cells;
    for (const ConfidenceBin& bin : counts.bins) {
      std::string cell = text("%.2f", bin.right_share());
      if (bin.boxes > 0) cell.append("/").append(std::to_string(bin.boxes));
      cells.push_back(cell);
    }
    print_line(out, tracker, cells, 12);
  }
}

}  // namespace

void print_states(std::ostream& out, std::span<const Row> rows,
                  const std::vector<std::string>& trackers) {
  const auto sums = sum(rows, trackers);
  if (sums.empty()) return;
  out << "States and presence, over all frames of all runs:\n";
  print_presence(out, sums);
  out << "Share of right boxes (overlap of at least 0.25) / boxes, by confidence:\n";
  print_reliability(out, sums);
}

}  // namespace cltrack::accuracy
