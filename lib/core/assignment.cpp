// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/assignment.h"

#include <algorithm>
#include <limits>

namespace cltrack {
namespace {

// Each row may also have a column of its own, for nothing: then there is a column for every row,
// and no row has to take one that loses.
class Paths {
 public:
  Paths(std::span<const float> gains, int rows, int columns)
      : gains_(gains),
        rows_(rows),
        columns_(columns),
        all_(columns + rows),
        row_price_(static_cast<std::size_t>(rows)),
        column_price_(static_cast<std::size_t>(all_)),
        row_of_(static_cast<std::size_t>(all_), -1) {}

  // Gives `row` a column; others may have to change theirs.
  void add(int row) {
    const auto all = static_cast<std::size_t>(all_);
    std::vector<double> distance(all, std::numeric_limits<double>::infinity());
    std::vector<int> before(all, -1);  // the column from which the path comes
    std::vector<bool> is_done(all, false);
    int column = -1;  // the end of the path; its row is the one to leave from
    double length = 0;
    int from = row;
    do {
      for (int c = 0; c < all_; ++c) {
        const auto i = static_cast<std::size_t>(c);
        if (is_done[i]) continue;
        const double through =
            length + cost(from, c) - row_price_[static_cast<std::size_t>(from)] - column_price_[i];
        if (through < distance[i]) {
          distance[i] = through;
          before[i] = column;
        }
      }
      column = nearest(distance, is_done);
      is_done[static_cast<std::size_t>(column)] = true;
      length = distance[static_cast<std::size_t>(column)];
      from = row_of_[static_cast<std::size_t>(column)];
    } while (from >= 0);

    row_price_[static_cast<std::size_t>(row)] += length;
    for (int c = 0; c < all_; ++c) {
      const auto i = static_cast<std::size_t>(c);
      if (!is_done[i]) continue;
      column_price_[i] += distance[i] - length;
      if (row_of_[i] >= 0) row_price_[static_cast<std::size_t>(row_of_[i])] += length - distance[i];
    }
    while (column >= 0) {
      const int previous = before[static_cast<std::size_t>(column)];
      row_of_[static_cast<std::size_t>(column)] =
          previous < 0 ? row : row_of_[static_cast<std::size_t>(previous)];
      column = previous;
    }
  }

  std::vector<std::optional<int>> result() const {
    std::vector<std::optional<int>> columns(static_cast<std::size_t>(rows_));
    for (int c = 0; c < columns_; ++c) {
      const int row = row_of_[static_cast<std::size_t>(c)];
      if (row >= 0 && cost(row, c) < 0) columns[static_cast<std::size_t>(row)] = c;
    }
    return columns;
  }

 private:
  double cost(int row, int column) const {
    if (column >= columns_) return column - columns_ == row ? 0 : kNever;
    const float gain = gains_[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
                              static_cast<std::size_t>(column)];
    return gain > 0 ? -static_cast<double>(gain) : kNever;
  }
  static int nearest(const std::vector<double>& distance, const std::vector<bool>& is_done) {
    int best = -1;
    for (std::size_t i = 0; i < distance.size(); ++i) {
      if (is_done[i]) continue;
      if (best < 0 || distance[i] < distance[static_cast<std::size_t>(best)]) {
        best = static_cast<int>(i);
      }
    }
    return best;
  }

  static constexpr double kNever = 1e30;

  std::span<const float> gains_;
  int rows_;
  int columns_;
  int all_;
  std::vector<double> row_price_;
  std::vector<double> column_price_;
  std::vector<int> row_of_;  // by column
};

}  // namespace

std::vector<std::optional<int>> assign(std::span<const float> gains, int rows, int columns) {
  Paths paths(gains, rows, columns);
  for (int row = 0; row < rows; ++row) paths.add(row);
  return paths.result();
}

}  // namespace cltrack
