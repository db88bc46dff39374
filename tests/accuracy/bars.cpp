// SPDX-License-Identifier: LGPL-2.1-or-later
#include "bars.h"

#include <cmath>
#include <vector>

#include "markup.h"

namespace cltrack::accuracy {
namespace {

constexpr int kWidth = 720;
constexpr double kLeft = 190;   // of the bars; names are to their left
constexpr double kRight = 650;  // 1; figures are to their right
constexpr double kTop = 62;     // title and legend are above
constexpr double kBar = 14;
constexpr double kGap = 10;  // between sequences
constexpr int kNameLength = 22;
constexpr double kLetter = 7.5;  // about as wide as one is

using Names = std::vector<std::string>;

double x_of(double value) { return kLeft + value * (kRight - kLeft); }

std::string style_of(std::size_t tracker) {
  std::string style = "fill=\"";
  style += markup_color(tracker);
  style += '"';
  // Paler where colours begin anew.
  const auto round = static_cast<double>(tracker / kMarkupColors);
  return round > 0 ? style + " fill-opacity=\"" + text("%.2f", 1 / (1 + round)) + "\"" : style;
}

std::string bar(double y, std::size_t tracker, const Spread& values) {
  if (!std::isfinite(values.mean)) return svg_text(kLeft + 4, y + kBar - 3, "start", "-");
  std::string svg = svg_rect(kLeft, y, x_of(values.mean) - kLeft, kBar - 2, style_of(tracker));
  const double middle = y + (kBar - 2) / 2;
  if (values.high > values.low) {
    svg += svg_line(x_of(values.low), middle, x_of(values.high), middle, "stroke=\"black\"");
  }
  return svg + svg_text(kRight + 6, y + kBar - 3, "start", text("%.3f", values.mean));
}

// Of one sequence, or of the means.
std::string group(double top, const std::string& name, const std::vector<Spread>& values) {
  const double height = kBar * static_cast<double>(values.size());
  std::string svg = "<g><title>" + escaped(name) + "</title>\n";
  svg += svg_text(kLeft - 8, top + height / 2 + 4, "end", shortened(name, kNameLength));
  for (std::size_t i = 0; i < values.size(); ++i) {
    svg += bar(top + kBar * static_cast<double>(i), i, values[i]);
  }
  return svg + "</g>\n";
}

// Lines of names, each as many as fit.
std::string legend(const Names& trackers, double& y) {
  std::string svg;
  double x = kLeft;
  for (std::size_t i = 0; i < trackers.size(); ++i) {
    const std::string name = shortened(trackers[i], kNameLength);
    const double width = 30 + kLetter * static_cast<double>(name.size());
    if (x > kLeft && x + width > kWidth) {
      x = kLeft;
      y += 18;
    }
    svg += svg_rect(x, y - 10, 11, 11, style_of(i)) + svg_text(x + 16, y, "start", name);
    x += width;
  }
  y += 14;
  return svg;
}

}  // namespace

std::string bars_svg(std::span<const Row> all_rows, const std::string& title,
                     const Getter& figure) {
  const std::vector<Row> rows = given_rows(all_rows);
  const Names sequences = names(rows, &Row::sequence);
  const Names trackers = names(rows, &Row::tracker);
  std::vector<std::pair<std::string, std::vector<Spread>>> groups;
  for (const std::string& sequence : sequences) {
    groups.emplace_back(sequence, std::vector<Spread>());
    for (const std::string& tracker : trackers) {
      groups.back().second.push_back(spread(select(rows, tracker, sequence), figure));
    }
  }
  if (sequences.size() > 1) {
    std::vector<Spread> means;
    for (std::size_t i = 0; i < trackers.size(); ++i) {
      std::vector<double> values;
      for (const auto& [name, spreads] : groups) values.push_back(spreads[i].mean);
      const double mean = spread(values).mean;
      means.push_back({mean, mean, mean});
    }
    groups.emplace_back("mean", means);
  }

  double y = kTop - 14;
  const std::string names_of_colors = legend(trackers, y);
  const double step = kBar * static_cast<double>(trackers.size()) + kGap;
  const double bottom = y + step * static_cast<double>(groups.size());
  std::string svg = svg_head(kWidth, static_cast<int>(bottom) + 30, title);
  svg += svg_text((kLeft + kRight) / 2, 24, "middle", title) + names_of_colors;
  for (int tick = 0; tick <= 5; ++tick) {
    svg += svg_line(x_of(tick / 5.0), y, x_of(tick / 5.0), bottom, "stroke=\"#dddddd\"");
    svg += svg_text(x_of(tick / 5.0), bottom + 18, "middle", text("%.1f", tick / 5.0));
  }
  for (const auto& [name, values] : groups) {
    svg += group(y + kGap / 2, name, values);
    y += step;
  }
  return svg + "</svg>\n";
}

}  // namespace cltrack::accuracy
