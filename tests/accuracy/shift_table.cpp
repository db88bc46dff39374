// SPDX-License-Identifier: LGPL-2.1-or-later
#include "shift_table.h"

#include <algorithm>

#include "row_choice.h"

namespace cltrack::accuracy {
namespace {

double auc(const Row& row) { return row.scores.auc; }

bool is_shifted(const Row& row) { return row.start != kGivenStart; }

// Mean AUC over seeds, and then over starts.
struct Shifted {
  double given = kUndefined;
  double mean = kUndefined;
  double lowest = kUndefined;
  std::string lowest_start;
  std::size_t starts = 0;  // that have figures
};

Shifted shifted(std::span<const Row> rows, const std::string& tracker,
                const std::string& sequence) {
  const Rows selected = select(rows, tracker, sequence);
  Shifted result;
  std::vector<double> means;
  for (const std::string& start : names(rows, &Row::start)) {
    Rows of_start;
    std::ranges::copy_if(selected, std::back_inserter(of_start),
                         [&](const Row* row) { return row->start == start; });
    if (of_start.empty()) continue;
    const double mean = spread(of_start, auc).mean;
    if (start == kGivenStart) {
      result.given = mean;
      continue;
    }
    ++result.starts;
    means.push_back(mean);
    if (!(mean >= result.lowest)) {
      result.lowest = mean;
      result.lowest_start = start;
    }
  }
  result.mean = spread(means).mean;
  return result;
}

std::vector<std::string> line_of(const std::string& sequence, const std::string& tracker,
                                 const std::string& starts, const Shifted& aucs) {
  return {sequence,
          tracker,
          starts,
          text("%.3f", aucs.given),
          text("%.3f", aucs.mean),
          text("%+.3f", aucs.mean - aucs.given),
          text("%.3f", aucs.lowest),
          aucs.lowest_start};
}

}  // namespace

std::vector<Table> shift_tables(std::span<const Row> rows, const std::vector<std::string>& trackers,
                                const std::vector<std::string>& sequences) {
  if (std::ranges::none_of(rows, is_shifted)) return {};
  Table table{"AUC from shifted first boxes (OTB's SRE), beside that from the given box:",
              {{"sequence", -14}, {"tracker", -14}},
              {}};
  for (const char* title : {"starts", "given", "shifted", "diff", "lowest"}) {
    table.columns.push_back({title, 7});
  }
  table.columns.push_back({"from", 0});
  for (const std::string& tracker : trackers) {
    std::vector<double> given;
    std::vector<double> mean;
    std::vector<double> lowest;
    for (const std::string& sequence : sequences) {
      const Shifted aucs = shifted(rows, tracker, sequence);
      if (aucs.starts == 0) continue;
      table.lines.push_back(line_of(sequence, tracker, std::to_string(aucs.starts), aucs));
      given.push_back(aucs.given);
      mean.push_back(aucs.mean);
      lowest.push_back(aucs.lowest);
    }
    if (mean.size() < 2) continue;
    const Shifted means{spread(given).mean, spread(mean).mean, spread(lowest).mean, {}, 0};
    table.lines.push_back(line_of("MEAN of " + std::to_string(mean.size()), tracker, "", means));
  }
  return {table};
}

}  // namespace cltrack::accuracy
