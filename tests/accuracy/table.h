// SPDX-License-Identifier: LGPL-2.1-or-later
// A table of texts, for a terminal and for a page of HTML.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace cltrack::accuracy {

struct TableColumn {
  std::string title;
  int width;  // in a terminal, as in printf(): below 0 to the left; 0: the last one, as it is
};

struct Table {
  std::string title;  // the line above it; empty: none
  std::vector<TableColumn> columns;
  std::vector<std::vector<std::string>> lines;
};

// Indented below its title, if it has one. Without titles of columns there is no line of them.
void print(std::ostream& out, const Table& table);

std::string to_html(const Table& table);

}  // namespace cltrack::accuracy
