// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/assignment.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

namespace cltrack {
namespace {

// Each row also has a column of its own, for nothing: then there is a column for every row, and no
// row has to take one that loses. These columns come after the others.
class Paths {
 public:
  Paths(std::span<const AssignmentPair> pairs, int rows, int columns)
      : choices_(static_cast<std::size_t>(rows)),
        columns_(static_cast<std::size_t>(columns)),
        row_price_(choices_.size()),
        column_price_(columns_ + choices_.size()),
        row_of_(column_price_.size(), kNone),
        distance_(column_price_.size()),
        before_(column_price_.size()),
        is_done_(column_price_.size()) {
    for (const AssignmentPair& pair : pairs) {
      if (!(pair.gain > 0)) continue;
      choices_[static_cast<std::size_t>(pair.row)].push_back(
          {static_cast<std::size_t>(pair.column), -static_cast<double>(pair.gain)});
    }
    for (std::size_t row = 0; row < choices_.size(); ++row) {
      choices_[row].push_back({columns_ + row, 0});
    }
  }

  // Gives `row` a column; others may have to change theirs.
  void add(std::size_t row) {
    std::ranges::fill(distance_, std::numeric_limits<double>::infinity());
    is_done_.assign(is_done_.size(), false);
    Open open;
    std::size_t column = kNone;  // the end of the path; its row is the one to leave from
    double length = 0;
    std::size_t from = row;
    do {
      for (const auto& [next, cost] : choices_[from]) {
        if (is_done_[next]) continue;
        const double through = length + cost - row_price_[from] - column_price_[next];
        if (through >= distance_[next]) continue;
        distance_[next] = through;
        before_[next] = column;
        open.emplace(through, next);
      }
      column = nearest(open);
      is_done_[column] = true;
      length = distance_[column];
      from = row_of_[column];
    } while (from != kNone);

    row_price_[row] += length;
    for (std::size_t c = 0; c < is_done_.size(); ++c) {
      if (!is_done_[c]) continue;
      column_price_[c] += distance_[c] - length;
      if (row_of_[c] != kNone) row_price_[row_of_[c]] += length - distance_[c];
    }
    while (column != kNone) {
      const std::size_t previous = before_[column];
      row_of_[column] = previous == kNone ? row : row_of_[previous];
      column = previous;
    }
  }

  std::vector<std::optional<int>> result() const {
    std::vector<std::optional<int>> columns(choices_.size());
    for (std::size_t c = 0; c < columns_; ++c) {
      if (row_of_[c] != kNone) columns[row_of_[c]] = static_cast<int>(c);
    }
    return columns;
  }

 private:
  struct Choice {
    std::size_t column;
    double cost;
  };
  // Columns that a path leads to, the nearest one first, of these the one with the least number.
  using Open = std::priority_queue<std::pair<double, std::size_t>,
                                   std::vector<std::pair<double, std::size_t>>, std::greater<>>;

  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

  std::size_t nearest(Open& open) const {
    while (is_done_[open.top().second]) open.pop();
    return open.top().second;
  }

  std::vector<std::vector<Choice>> choices_;  // by row
  std::size_t columns_;                       // without the rows' own
  std::vector<double> row_price_;
  std::vector<double> column_price_;
  std::vector<std::size_t> row_of_;  // by column
  // The row that is added, by column:
  std::vector<double> distance_;
  std::vector<std::size_t> before_;  // the column from which the path comes
  std::vector<bool> is_done_;
};

}  // namespace

std::vector<std::optional<int>> assign(std::span<const AssignmentPair> pairs, int rows,
                                       int columns) {
  Paths paths(pairs, rows, columns);
  for (int row = 0; row < rows; ++row) paths.add(static_cast<std::size_t>(row));
  return paths.result();
}

}  // namespace cltrack
