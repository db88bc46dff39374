// SPDX-License-Identifier: LGPL-2.1-or-later
#include "row_choice.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace cltrack::accuracy {

Spread spread(const std::vector<double>& values) {
  std::vector<double> defined;
  std::ranges::copy_if(values, std::back_inserter(defined),
                       [](double value) { return std::isfinite(value); });
  if (defined.empty()) return {};
  double sum = 0;
  for (const double value : defined) sum += value;
  const auto [low, high] = std::ranges::minmax(defined);
  return {sum / static_cast<double>(defined.size()), low, high};
}

Spread spread(const Rows& rows, const Getter& get) {
  std::vector<double> values;
  for (const Row* row : rows) values.push_back(get(*row));
  return spread(values);
}

std::vector<Row> given_rows(std::span<const Row> rows) {
  std::vector<Row> given;
  std::ranges::copy_if(rows, std::back_inserter(given),
                       [](const Row& row) { return row.start == kGivenStart; });
  return given;
}

Rows select(std::span<const Row> rows, const std::string& tracker, const std::string& sequence) {
  Rows selected;
  for (const Row& row : rows) {
    if (row.error.empty() && row.tracker == tracker && row.sequence == sequence) {
      selected.push_back(&row);
    }
  }
  return selected;
}

std::vector<std::string> names(std::span<const Row> rows, std::string Row::*field) {
  std::vector<std::string> found;
  for (const Row& row : rows) {
    if (std::ranges::find(found, row.*field) == found.end()) found.push_back(row.*field);
  }
  return found;
}

std::string text(const char* format, double value) {
  char buffer[32] = "-";
  if (std::isfinite(value)) std::snprintf(buffer, sizeof(buffer), format, value);
  return buffer;
}

}  // namespace cltrack::accuracy
