// SPDX-License-Identifier: LGPL-2.1-or-later
#include "table.h"

#include <algorithm>

#include "markup.h"

namespace cltrack::accuracy {
namespace {

bool has_head(const Table& table) {
  return std::ranges::any_of(table.columns,
                             [](const TableColumn& column) { return !column.title.empty(); });
}

void print_line(std::ostream& out, const Table& table, const std::vector<std::string>& cells) {
  if (!table.title.empty()) out << "  ";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string cell = printable(cells[i]);
    const int width = table.columns[i].width;
    const auto least = static_cast<std::size_t>(std::abs(width));
    const std::string gap(least > cell.size() ? least - cell.size() : 0, ' ');
    if (i > 0) out << (width == 0 ? "  " : " ");
    out << (width > 0 ? gap : "") << cell << (width < 0 ? gap : "");
  }
  out << '\n';
}

std::string html_line(const Table& table, const std::vector<std::string>& cells,
                      const std::string& element) {
  std::string html = "<tr>";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    html += '<' + element + (table.columns[i].width > 0 ? " class=\"number\">" : ">") +
            escaped(cells[i]) + "</" + element + '>';
  }
  return html + "</tr>\n";
}

std::vector<std::string> titles(const Table& table) {
  std::vector<std::string> texts;
  for (const TableColumn& column : table.columns) texts.push_back(column.title);
  return texts;
}

}  // namespace

void print(std::ostream& out, const Table& table) {
  if (!table.title.empty()) out << table.title << '\n';
  if (has_head(table)) print_line(out, table, titles(table));
  for (const auto& cells : table.lines) print_line(out, table, cells);
}

std::string to_html(const Table& table) {
  std::string html = "<div class=\"wide\"><table>\n";
  if (!table.title.empty()) html += "<caption>" + escaped(table.title) + "</caption>\n";
  if (has_head(table)) html += html_line(table, titles(table), "th");
  for (const auto& cells : table.lines) html += html_line(table, cells, "td");
  return html + "</table></div>\n";
}

}  // namespace cltrack::accuracy
