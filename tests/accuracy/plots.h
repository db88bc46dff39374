// SPDX-License-Identifier: LGPL-2.1-or-later
// OTB's plots as SVG: success over thresholds of overlap, precision over thresholds of the centre's
// error.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "run.h"

namespace cltrack::accuracy {

struct Curve {
  std::string legend;
  std::vector<double> shares;  // 0 to 1, at equal steps from 0 to the plot's x_max
};

struct Plot {
  std::string title;
  std::string x_label;
  double x_max = 1;
  int decimals = 1;  // of the numbers below the x axis
  std::vector<Curve> curves;
};

// A picture of 720x400. Texts are UTF-8 and may hold what XML takes for markup.
std::string to_svg(const Plot& plot);

// A curve for each tracker, the mean over its sequences of the mean over seeds, from given first
// boxes; the legend has its AUC, or its share within 20 pixels.
Plot success_plot(std::span<const Row> rows);
Plot precision_plot(std::span<const Row> rows);

// Writes success.svg and precision.svg. Throws as LineFile does.
void write_plots(const std::filesystem::path& folder, std::span<const Row> rows);

}  // namespace cltrack::accuracy
