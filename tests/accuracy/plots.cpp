// SPDX-License-Identifier: LGPL-2.1-or-later
#include "plots.h"

#include <algorithm>
#include <cmath>

#include "markup.h"
#include "report.h"
#include "row_choice.h"

namespace cltrack::accuracy {
namespace {

constexpr int kWidth = 720;
constexpr int kHeight = 400;
// The axes; the legend is to their right.
constexpr double kLeft = 60;
constexpr double kRight = 420;
constexpr double kTop = 40;
constexpr double kBottom = 340;
constexpr int kTicks = 5;  // steps of both axes
constexpr double kLegendLeft = 436;
constexpr double kLegendStep = 20;

std::string number(double value) { return text("%.1f", value); }

std::string style_of(std::size_t curve) {
  std::string style = "fill=\"none\" stroke-width=\"2\" stroke=\"";
  style += markup_color(curve);
  style += '"';
  const std::size_t dash = curve / kMarkupColors;  // further curves have the same colours, dashed
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
    svg += svg_line(x, kTop, x, kBottom, grey);
    svg += svg_line(kLeft, y, kRight, y, grey);
    svg += svg_text(x, kBottom + 18, "middle",
                    text(plot.decimals > 0 ? "%.1f" : "%.0f", part * plot.x_max));
    svg += svg_text(kLeft - 6, y + 4, "end", text("%.1f", part));
  }
  svg += svg_line(kLeft, kBottom, kRight, kBottom, "stroke=\"black\"");
  svg += svg_line(kLeft, kTop, kLeft, kBottom, "stroke=\"black\"");
  svg += svg_text((kLeft + kRight) / 2, kTop - 16, "middle", plot.title);
  svg += svg_text((kLeft + kRight) / 2, kBottom + 42, "middle", plot.x_label);
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
  std::string svg = svg_head(kWidth, kHeight, plot.title);
  svg += axes(plot);
  for (std::size_t i = 0; i < plot.curves.size(); ++i) {
    const std::string style = style_of(i);
    const double y = kTop + 10 + kLegendStep * static_cast<double>(i);
    svg += drawn(plot.curves[i], style);
    svg += svg_line(kLegendLeft, y - 4, kLegendLeft + 24, y - 4, style);
    svg += svg_text(kLegendLeft + 30, y, "start", plot.curves[i].legend);
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
