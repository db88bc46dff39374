// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/ferns/scan_windows.h"

#include <algorithm>
#include <vector>

namespace cltrack {

void ScanWindows::assign(std::span<const ScanSize> all) {
  std::vector<WindowLayout> layouts;
  std::vector<std::int32_t> all_edges;
  std::vector<PixelPair> every_pair;
  std::vector<WindowPart> row_parts, group_parts;
  first = all.empty() ? 0 : all.front().first;
  int slot = 0;
  for (const ScanSize& size : all) {
    const int columns = static_cast<int>(size.xs.size());
    const int places = columns * static_cast<int>(size.ys.size());
    const int index = static_cast<int>(layouts.size());
    const int xs = static_cast<int>(all_edges.size());
    layouts.push_back({.width = size.width,
                       .height = size.height,
                       .columns = columns,
                       .rows = static_cast<int>(size.ys.size()),
                       .xs = xs,
                       .ys = xs + columns,
                       .pairs = static_cast<int>(every_pair.size()),
                       .first = size.first,
                       .minimum_variance = size.minimum_variance});
    all_edges.insert(all_edges.end(), size.xs.begin(), size.xs.end());
    all_edges.insert(all_edges.end(), size.ys.begin(), size.ys.end());
    every_pair.insert(every_pair.end(), size.pairs.begin(), size.pairs.end());
    pairs = static_cast<int>(size.pairs.size());
    for (int place = 0; place < places; place += columns) {
      row_parts.push_back({index, place, columns, slot + place});
    }
    for (int place = 0; place < places; place += kScanGroup) {
      group_parts.push_back({index, place, std::min(kScanGroup, places - place), slot + place});
    }
    slot += places;
  }
  count = static_cast<std::uint32_t>(slot);
  sizes.assign(layouts);
  edges.assign(all_edges);
  all_pairs.assign(every_pair);
  rows.assign(row_parts);
  groups.assign(group_parts);
}

void ScanWindows::set_minimum_variance(std::span<const std::uint64_t> values) {
  const std::span<WindowLayout> layouts = sizes.host_update();
  for (std::size_t i = 0; i < layouts.size(); ++i) layouts[i].minimum_variance = values[i];
}

ScanSize ScanWindows::size(std::size_t index) {
  const WindowLayout& layout = sizes.host_read()[index];
  const auto part = [](auto values, int begin, int length) {
    return values.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(length));
  };
  return {.width = layout.width,
          .height = layout.height,
          .xs = part(edges.host_read(), layout.xs, layout.columns),
          .ys = part(edges.host_read(), layout.ys, layout.rows),
          .first = layout.first,
          .pairs = part(all_pairs.host_read(), layout.pairs, pairs),
          .minimum_variance = layout.minimum_variance};
}

std::size_t ScanWindows::size_of(std::uint32_t window) {
  const std::span<const WindowLayout> layouts = sizes.host_read();
  const auto next = std::upper_bound(
      layouts.begin(), layouts.end(), window,
      [](std::uint32_t w, const WindowLayout& layout) { return w < layout.first; });
  return static_cast<std::size_t>(next - layouts.begin()) - 1;
}

BoundingBox ScanWindows::box(std::uint32_t window) {
  return box_of(window, sizes.host_read()[size_of(window)], edges.host_read().data());
}

}  // namespace cltrack
