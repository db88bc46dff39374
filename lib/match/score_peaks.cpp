// SPDX-License-Identifier: LGPL-2.1-or-later
#include "match/score_peaks.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace cltrack {

std::vector<Peak> find_peaks(const ScoreMap& map, int count, int apart_x, int apart_y) {
  std::vector<Peak> peaks;
  const auto is_near = [&](int x, int y) {
    return std::any_of(peaks.begin(), peaks.end(), [&](const Peak& peak) {
      return std::abs(static_cast<int>(peak.x) - x) <= apart_x &&
             std::abs(static_cast<int>(peak.y) - y) <= apart_y;
    });
  };
  while (std::ssize(peaks) < count) {
    int best_x = -1, best_y = 0;
    float best = 0;
    for (int y = 0; y < map.height; ++y) {
      const float* row = map.row(y);
      for (int x = 0; x < map.width; ++x) {
        if ((best_x >= 0 && row[x] <= best) || is_near(x, y)) continue;
        best = row[x];
        best_x = x;
        best_y = y;
      }
    }
    if (best_x < 0) break;
    peaks.push_back({static_cast<float>(best_x), static_cast<float>(best_y), best});
  }
  return peaks;
}

float top_of_parabola(float before, float here, float after) {
  const float bend = before - 2 * here + after;
  if (!(bend < 0)) return 0;
  return std::clamp(0.5f * (before - after) / bend, -0.5f, 0.5f);
}

Peak refined_peak(const ScoreMap& map) {
  Peak peak = find_peaks(map, 1, 0, 0).front();
  const int x = static_cast<int>(peak.x), y = static_cast<int>(peak.y);
  if (x == 0 || y == 0 || x + 1 == map.width || y + 1 == map.height) return peak;
  // s = a + b dx + c dy + d dx dy + e dx^2 + f dy^2 by least squares over the nine.
  float left = 0, right = 0, up = 0, down = 0, column = 0, line = 0;
  for (int i = -1; i <= 1; ++i) {
    left += map.at(x - 1, y + i);
    right += map.at(x + 1, y + i);
    up += map.at(x + i, y - 1);
    down += map.at(x + i, y + 1);
    column += map.at(x, y + i);
    line += map.at(x + i, y);
  }
  const float b = (right - left) / 6, c = (down - up) / 6;
  const float d =
      (map.at(x - 1, y - 1) + map.at(x + 1, y + 1) - map.at(x + 1, y - 1) - map.at(x - 1, y + 1)) /
      4;
  const float e = (left + right - 2 * column) / 6, f = (up + down - 2 * line) / 6;
  const float determinant = 4 * e * f - d * d;
  if (!(e < 0) || !(determinant > 0)) return peak;  // a ridge, or no top
  const float dx = (c * d - 2 * b * f) / determinant, dy = (b * d - 2 * c * e) / determinant;
  peak.x += std::clamp(dx, -0.5f, 0.5f);
  peak.y += std::clamp(dy, -0.5f, 0.5f);
  return peak;
}

}  // namespace cltrack
