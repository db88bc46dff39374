// SPDX-License-Identifier: LGPL-2.1-or-later
#include "state_table.h"

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

Table presence(const std::vector<TrackerCounts>& sums) {
  Table table{"States and presence, over all frames of all runs:", {{"tracker", -14}}, {}};
  for (const char* title :
       {"runs", "frames", "P25 trk", "P25 unc", "trk share", "calib err", "TPR50", "TNR", "GM50"}) {
    table.columns.push_back({title, 9});
  }
  for (const auto& [tracker, runs, counts] : sums) {
    table.lines.push_back(
        {tracker, std::to_string(runs), std::to_string(counts.visible + counts.absent),
         text("%.3f", counts.tracking.precision()), text("%.3f", counts.uncertain.precision()),
         text("%.3f", counts.tracking_share()), text("%.3f", counts.calibration_error()),
         text("%.3f", counts.true_positive_rate()), text("%.3f", counts.true_negative_rate()),
         text("%.3f", counts.geometric_mean())});
  }
  return table;
}

Table reliability(const std::vector<TrackerCounts>& sums) {
  Table table{"Share of right boxes (overlap of at least 0.25) / boxes, by confidence:",
              {{"confidence", -14}},
              {}};
  for (std::size_t bin = 0; bin < kConfidenceBins; ++bin) {
    table.columns.push_back({text("%.1f", static_cast<double>(bin) / kConfidenceBins) + "-" +
                                 text("%.1f", static_cast<double>(bin + 1) / kConfidenceBins),
                             12});
  }
  for (const auto& [tracker, runs, counts] : sums) {
    std::vector<std::string> line{tracker};
    for (const ConfidenceBin& bin : counts.bins) {
      std::string cell = text("%.2f", bin.right_share());
      if (bin.boxes > 0) cell.append("/").append(std::to_string(bin.boxes));
      line.push_back(cell);
    }
    table.lines.push_back(line);
  }
  return table;
}

}  // namespace

std::vector<Table> state_tables(std::span<const Row> rows,
                                const std::vector<std::string>& trackers) {
  const auto sums = sum(rows, trackers);
  if (sums.empty()) return {};
  return {presence(sums), reliability(sums)};
}

}  // namespace cltrack::accuracy
