// SPDX-License-Identifier: LGPL-2.1-or-later
#include "attribute_table.h"

#include <algorithm>
#include <map>

#include "row_choice.h"

namespace cltrack::accuracy {
namespace {

// The sequences that have each attribute, and ran.
std::map<std::string, std::vector<std::string>> by_attribute(
    std::span<const Row> rows, const std::vector<std::string>& sequences) {
  std::map<std::string, std::vector<std::string>> found;
  for (const std::string& sequence : sequences) {
    const auto row = std::ranges::find_if(
        rows, [&](const Row& one) { return one.error.empty() && one.sequence == sequence; });
    if (row == rows.end()) continue;
    for (const std::string& attribute : row->attributes) found[attribute].push_back(sequence);
  }
  return found;
}

}  // namespace

std::vector<Table> attribute_tables(std::span<const Row> rows,
                                    const std::vector<std::string>& trackers,
                                    const std::vector<std::string>& sequences) {
  const auto attributes = by_attribute(rows, sequences);
  if (attributes.empty()) return {};
  Table table{"AUC by attribute:", {{"attribute", -24}, {"sequences", 9}}, {}};
  for (const std::string& tracker : trackers) table.columns.push_back({tracker, 15});
  for (const auto& [attribute, having] : attributes) {
    std::vector<std::string> line{attribute, std::to_string(having.size())};
    for (const std::string& tracker : trackers) {
      std::vector<double> means;
      for (const std::string& sequence : having) {
        const Rows selected = select(rows, tracker, sequence);
        means.push_back(spread(selected, [](const Row& row) { return row.scores.auc; }).mean);
      }
      line.push_back(text("%.3f", spread(means).mean));
    }
    table.lines.push_back(line);
  }
  return {table};
}

}  // namespace cltrack::accuracy
