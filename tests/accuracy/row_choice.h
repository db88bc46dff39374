// SPDX-License-Identifier: LGPL-2.1-or-later
// What the tables are made of: some of the rows, and the mean of a figure over them.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "run.h"

namespace cltrack::accuracy {

using Rows = std::vector<const Row*>;
using Getter = std::function<double(const Row&)>;

// Mean and range of the values that are defined.
struct Spread {
  double mean = kUndefined;
  double low = kUndefined;
  double high = kUndefined;
};

Spread spread(const std::vector<double>& values);
Spread spread(const Rows& rows, const Getter& get);

// Those of given first boxes, not of shifted ones.
std::vector<Row> given_rows(std::span<const Row> rows);

// The rows of a tracker on a sequence that have figures.
Rows select(std::span<const Row> rows, const std::string& tracker, const std::string& sequence);

// The different values of a field, in the order of the rows.
std::vector<std::string> names(std::span<const Row> rows, std::string Row::*field);

// As printf() does; "-" for what is not defined.
std::string text(const char* format, double value);

}  // namespace cltrack::accuracy
