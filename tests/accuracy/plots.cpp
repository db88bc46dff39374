// SPDX-License-Identifier: LGPL-2.1-or-later
#include "plots.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "report.h"
#include "row_choice.h"

namespace cltrack::accuracy {
namespace {

constexpr int kWidth = 660;
constexpr int kHeight = 400;
// The axes; the legend is to their right.
constexpr double kLeft = 60;
constexpr double kRight = 420;
constexpr double kTop = 40;
constexpr double kBottom = 340;
constexpr int kTicks = 5;  // steps of both axes
constexpr double kLegendLeft = 436;
constexpr double kLegendStep = 20;

// Told apart by most who do not see all colours; further curves have them again, dashed.
constexpr const char* kColors[] = {"#4477aa", "#ee6677", "#228833", "#ccbb44",
                                   "#66ccee", "#aa3377", "#555555"};

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string number(double value) { return text("%.1f", value); }

std::string line(double x1, double y1, double x2, double y2, const std::string& style) {
  return "<line x1=\"" + number(x1) + "\" y1=\"" + number(y1) + "\" x2=\"" + number(x2) +
         "\" y2=\"" + number(y2) + "\" " + style + "/>\n";
}

std::string label(double x, double y, const std::string& anchor, const std::string& words) {
  return "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" text-anchor=\"" + anchor + "\">" +
         escaped(words) + "</text>\n";
}

std::string style_of(std::size_t curve) {
  std::string style = "fill=\"none\" stroke-width=\"2\" stroke=\"";
  style += kColors[curve % std::size(kColors)];
  style += '"';
  const std::size_t dash = curve / std::size(kColors);
  if (dash > 0) style += " stroke-dasharray=\"" + std::to_string(2 + 4 * dash) + " 4\"";
  return style;
}

std::string axes(const Plot& plot) {
  const std::string grey = "stroke=\"#dddddd\"";
  std::string svg;
  for (int tick = 0; tick <= kTicks; ++tick) {
    const double part = static_cast<double>(tick) / kTicks;
    const double x = kLeft + part * (kRight - kLeft);
    const double y = kBottom - part * (kBottom - kTop);
    svg += line(x, kTop, x, kBottom, grey);
    svg += line(kLeft, y, kRight, y, grey);
    svg += label(x, kBottom + 18, "middle",
                 text(plot.decimals > 0 ? "%.1f" : "%.0f", part * plot.x_max));
    svg += label(kLeft - 6, y + 4, "end", text("%.1f", part));
  }
  svg += line(kLeft, kBottom, kRight, kBottom, "stroke=\"black\"");
  svg += line(kLeft, kTop, kLeft, kBottom, "stroke=\"black\"");
  svg += label((kLeft + kRight) / 2, kTop - 16, "middle", plot.title);
  svg += label((kLeft + kRight) / 2, kBottom + 42, "middle", plot.x_label);
  return svg;
}

std::string drawn(const Curve& curve, const std::string& style) {
  std::string points;
  for (std::size_t i = 0; i < curve.shares.size(); ++i) {
    const double part = static_cast<double>(i) / static_cast<double>(curve.shares.size() - 1);
    if (i > 0) points += ' ';
    points += number(kLeft + part * (kRight - kLeft)) + ",";
    points += number(kBottom - curve.shares[i] * (kBottom - kTop));
  }
  return "<polyline points=\"" + points + "\" " + style + "/>\n";
}

std::string sequence_count(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " sequence" : " sequences");
}

using Shares = std::function<std::vector<double>(const Scores&)>;

// `figure` is what the legend says of a tracker.
Plot plot_of(std::span<const Row> all_rows, Plot plot, const Shares& shares, const Getter& figure) {
  const std::vector<Row> rows = given_rows(all_rows);
  const auto sequences = names(rows, &Row::sequence);
  for (const std::string& tracker : names(rows, &Row::tracker)) {
    std::vector<double> figures;
    std::vector<std::vector<double>> by_step;  // one value for each sequence
    for (const std::string& sequence : sequences) {
      const Rows selected = select(rows, tracker, sequence);
      const double mean = spread(selected, figure).mean;
      if (!std::isfinite(mean)) continue;
      figures.push_back(mean);
      by_step.resize(shares({}).size());
      for (std::size_t i = 0; i < by_step.size(); ++i) {
        const auto share_at = [&](const Row& row) { return shares(row.scores)[i]; };
        by_step[i].push_back(spread(selected, share_at).mean);
      }
    }
    if (figures.empty()) continue;
    Curve curve{text("%.3f", spread(figures).mean) + " " + tracker, {}};
    if (figures.size() < sequences.size()) {
      curve.legend += " (" + sequence_count(figures.size()) + ")";
    }
    for (const auto& values : by_step) curve.shares.push_back(spread(values).mean);
    plot.curves.push_back(std::move(curve));
  }
  plot.title += ", mean of " + sequence_count(sequences.size());
  return plot;
}

}  // namespace

std::string to_svg(const Plot& plot) {
  std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + std::to_string(kWidth) +
                    "\" height=\"" + std::to_string(kHeight) +
                    "\" font-family=\"sans-serif\" font-size=\"13\">\n"
                    "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
  svg += axes(plot);
  for (std::size_t i = 0; i < plot.curves.size(); ++i) {
    const std::string style = style_of(i);
    const double y = kTop + 10 + kLegendStep * static_cast<double>(i);
    svg += drawn(plot.curves[i], style);
    svg += line(kLegendLeft, y - 4, kLegendLeft + 24, y - 4, style);
    svg += label(kLegendLeft + 30, y, "start", plot.curves[i].legend);
  }
  return svg + "</svg>\n";
}

Plot success_plot(std::span<const Row> rows) {
  return plot_of(
      rows, {"Success (AUC)", "overlap exceeds", 1, 1, {}},
      [](const Scores& scores) {
        return std::vector<double>(scores.success.begin(), scores.success.end());
      },
      [](const Row& row) { return row.scores.auc; });
}

Plot precision_plot(std::span<const Row> rows) {
  return plot_of(
      rows, {"Precision (at 20 pixels)", "centre within, pixels", kCentreLimits - 1, 0, {}},
      [](const Scores& scores) {
        return std::vector<double>(scores.near.begin(), scores.near.end());
      },
      [](const Row& row) { return row.scores.p20; });
}

void write_plots(const std::filesystem::path& folder, std::span<const Row> rows) {
  LineFile(folder / "success.svg").write(to_svg(success_plot(rows)));
  LineFile(folder / "precision.svg").write(to_svg(precision_plot(rows)));
}

}  // namespace cltrack::accuracy
