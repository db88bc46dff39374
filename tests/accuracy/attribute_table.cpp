// SPDX-License-Identifier: LGPL-2.1-or-later
#include "attribute_table.h"

#include <algorithm>
#include <cstdio>
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

void print_line(std::ostream& out, const std::string& attribute, const std::string& count,
                const std::vector<std::string>& cells) {
  char buffer[64];
  std::snprintf(buffer, sizeof(buffer), "  %-24s %9s", attribute.c_str(), count.c_str());
  out << buffer;
  for (const std::string& cell : cells) {
    std::snprintf(buffer, sizeof(buffer), " %15s", cell.c_str());
    out << buffer;
  }
  out << '\n';
}

}  // namespace

void print_attributes(std::ostream& out, std::span<const Row> rows,
                      const std::vector<std::string>& trackers,
                      const std::vector<std::string>& sequences) {
  const auto attributes = by_attribute(rows, sequences);
  if (attributes.empty()) return;
  out << "AUC by attribute:\n";
  print_line(out, "attribute", "sequences", trackers);
  for (const auto& [attribute, having] : attributes) {
    std::vector<std::string> cells;
    for (const std::string& tracker : trackers) {
      std::vector<double> means;
      for (const std::string& sequence : having) {
        const Rows selected = select(rows, tracker, sequence);
        means.push_back(spread(selected, [](const Row& row) { return row.scores.auc; }).mean);
      }
      cells.push_back(text("%.3f", spread(means).mean));
    }
    print_line(out, attribute, std::to_string(having.size()), cells);
  }
}

}  // namespace cltrack::accuracy
