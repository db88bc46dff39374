// SPDX-License-Identifier: LGPL-2.1-or-later
#include "text_files.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fstream>
#include <sstream>
#include <string_view>

#include "cltrack/error.h"

namespace cltrack::accuracy {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSeparators = ",; \t\r";
constexpr std::string_view kBlanks = " \t\r";

using Row = std::array<float, 4>;

Row parse_row(const fs::path& file, std::size_t line_number, std::string_view line) {
  const auto complain = [&](const std::string& what) {
    refuse(file.string() + ":" + std::to_string(line_number) + ": " + what + " in \"" +
           std::string(line) + "\"; a row is four numbers, or NaN, separated by comma or blank");
  };
  Row row{};
  std::size_t count = 0;
  std::string_view rest = line;
  while (true) {
    const std::size_t start = rest.find_first_not_of(kSeparators);
    if (start == std::string_view::npos) break;
    rest.remove_prefix(start);
    const std::string_view word = rest.substr(0, rest.find_first_of(kSeparators));
    rest.remove_prefix(word.size());
    float value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc{} || end != word.data() + word.size() || std::isinf(value)) {
      complain(std::string(word) + " is not a number");
    }
    if (count == row.size()) complain("more than four numbers");
    row[count++] = value;
  }
  if (count != row.size()) complain("found " + std::to_string(count) + " numbers");
  return row;
}

std::ifstream open(const fs::path& file) {
  if (!is_file(file)) refuse("cannot read " + file.string() + ": no regular file");
  std::ifstream stream(file);
  if (!stream) refuse("cannot read " + file.string());
  return stream;
}

std::vector<Row> read_rows(const fs::path& file) {
  std::ifstream stream = open(file);
  std::vector<Row> rows;
  std::string line;
  std::size_t blank_line = 0;  // only allowed at the end: elsewhere frames would be miscounted
  for (std::size_t number = 1; std::getline(stream, line); ++number) {
    if (line.find_first_not_of(kSeparators) == std::string::npos) {
      if (blank_line == 0) blank_line = number;
      continue;
    }
    if (blank_line != 0) {
      refuse(file.string() + ":" + std::to_string(blank_line) +
             ": empty line; write NaN,NaN,NaN,NaN for a frame without the target");
    }
    rows.push_back(parse_row(file, number, line));
  }
  if (rows.empty()) refuse(file.string() + ": no rows");
  return rows;
}

std::optional<BoundingBox> visible(const BoundingBox& box) {
  return box.is_valid() ? std::optional(box) : std::nullopt;
}

}  // namespace

void refuse(const std::string& message) { throw Error(ErrorCode::invalid_argument, message); }

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

Boxes read_rectangles(const fs::path& file) {
  Boxes boxes;
  for (const auto& [x, y, width, height] : read_rows(file)) {
    boxes.push_back(visible({x - 1, y - 1, width, height}));
  }
  return boxes;
}

Boxes read_corners(const fs::path& file) {
  Boxes boxes;
  for (const auto& [x1, y1, x2, y2] : read_rows(file)) {
    boxes.push_back(visible({x1 - 1, y1 - 1, x2 - x1 + 1, y2 - y1 + 1}));
  }
  return boxes;
}

std::vector<std::string> read_names(const fs::path& file) {
  std::ifstream stream = open(file);
  std::vector<std::string> names;
  std::string line;
  while (std::getline(stream, line)) {
    std::istringstream words(line);
    std::string name;
    while (std::getline(words, name, ',')) {
      name.erase(0, name.find_first_not_of(kBlanks));
      name.erase(name.find_last_not_of(kBlanks) + 1);
      if (!name.empty() && std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
  }
  return names;
}

}  // namespace cltrack::accuracy
