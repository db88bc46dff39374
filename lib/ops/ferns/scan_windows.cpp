// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/ferns/scan_windows.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace cltrack {
namespace {

constexpr int kChunk = 2000;  // windows: some 0.2 ms of work for a thread

// The contents of the arrays.
struct Tables {
  std::vector<ScanJob> jobs;
  std::vector<WindowLayout> sizes;
  std::vector<std::int32_t> edges;
  std::vector<PixelPair> pairs;
  std::vector<WindowPart> parts;
  int windows = 0;

  void add(const ScanSize& size) {
    const int columns = static_cast<int>(size.xs.size());
    const int places = columns * static_cast<int>(size.ys.size());
    const int xs = static_cast<int>(edges.size());
    const int index = static_cast<int>(sizes.size());
    sizes.push_back({.width = size.width,
                     .height = size.height,
                     .columns = columns,
                     .rows = static_cast<int>(size.ys.size()),
                     .xs = xs,
                     .ys = xs + columns,
                     .pairs = static_cast<int>(pairs.size()),
                     .first = static_cast<std::uint32_t>(windows),
                     .minimum_variance = size.minimum_variance,
                     .job = static_cast<int>(jobs.size()),
                     .unused = 0});
    edges.insert(edges.end(), size.xs.begin(), size.xs.end());
    edges.insert(edges.end(), size.ys.begin(), size.ys.end());
    pairs.insert(pairs.end(), size.pairs.begin(), size.pairs.end());
    for (int place = 0; place < places; place += CLTRACK_PART_WINDOWS) {
      const int count = std::min(CLTRACK_PART_WINDOWS, places - place);
      parts.push_back({index, place, count, static_cast<int>(parts.size())});
    }
    windows += places;
  }
};

// Appends the rows of `range` in which there is something to scan, of a size with so many columns.
void divide(WindowRange range, std::size_t size, int columns, std::vector<ScanChunk>& chunks) {
  const int end = range.last_row;
  int windows = 0;
  for (int row = range.first_row; row < end; ++row) {
    const int more = range.columns(row, columns).count();
    if (windows > 0 && windows + more > kChunk) {
      range.last_row = row;
      chunks.push_back({size, range});
      range.first_row = row;
      windows = 0;
    }
    windows += more;
  }
  range.last_row = end;
  if (windows > 0) chunks.push_back({size, range});
}

}  // namespace

void ScanWindows::assign(std::span<const ScanTarget> targets) {
  Tables all;
  for (const ScanTarget& target : targets) {
    const int first = all.windows;
    const int first_size = static_cast<int>(all.sizes.size());
    for (const ScanSize& size : target.sizes) {
      pairs = static_cast<int>(size.pairs.size());
      all.add(size);
    }
    all.jobs.push_back({.first = static_cast<std::uint32_t>(first),
                        .count = static_cast<std::uint32_t>(all.windows - first),
                        .first_size = first_size,
                        .size_count = static_cast<int>(target.sizes.size()),
                        .tables = target.tables,
                        .least_score = target.least_score,
                        .frame = 0,
                        .unused = 0});
  }
  count = static_cast<std::uint32_t>(all.windows);
  jobs.assign(all.jobs);
  sizes.assign(all.sizes);
  edges.assign(all.edges);
  all_pairs.assign(all.pairs);
  std::ranges::stable_sort(all.parts, {}, [&](const WindowPart& part) {
    const WindowLayout& size = all.sizes[static_cast<std::size_t>(part.size)];
    const int first_row = part.place / size.columns;
    return 2 * all.edges[static_cast<std::size_t>(size.ys + first_row)] + size.height;
  });
  parts.assign(all.parts);
  regions.resize(0);
  limit(std::vector<ScanRegion>(targets.size(), kWholeGrid));
}

void ScanWindows::assign(std::span<const ScanSize> sizes_of_target) {
  const ScanTarget target{.sizes = sizes_of_target};
  assign({&target, 1});
}

void ScanWindows::limit(std::span<const ScanRegion> regions_of_targets) {
  const std::span<const ScanJob> targets = jobs.host_read();
  std::vector<ScanRegion> placed(regions_of_targets.begin(), regions_of_targets.end());
  for (std::size_t j = 0; j < placed.size(); ++j) {
    const int first = std::min(placed[j].first_size, targets[j].size_count);
    placed[j].first_size = targets[j].first_size + first;
    placed[j].size_count = std::min(placed[j].size_count, targets[j].size_count - first);
  }
  // Devices keep what they have as long as it stays.
  const std::span<const ScanRegion> before = regions.host_read(), now = placed;
  if (std::ranges::equal(std::as_bytes(before), std::as_bytes(now))) return;
  regions.assign(placed);
}

std::vector<ScanChunk> ScanWindows::chunks() const {
  std::vector<ScanChunk> all;
  const ScanWindowsView view = host_view();
  for (std::size_t index = 0; index < view.sizes.size(); ++index) {
    const WindowLayout& size = view.sizes[index];
    const WindowRange near = view.near(index);
    const auto rest = [&near](int first_row, int last_row) {
      return WindowRange{first_row, last_row, 0, 0, near.row_interval, near.row_turn};
    };
    for (const WindowRange& range :
         {rest(0, near.first_row), near, rest(near.last_row, size.rows)}) {
      divide(range, index, size.columns, all);
    }
  }
  return all;
}

ScanWindowsView ScanWindows::host_view() const {
  return {jobs.host_read(),  regions.host_read(),   sizes.host_read(),
          edges.host_read(), all_pairs.host_read(), pairs};
}

ScanSize ScanWindowsView::size(std::size_t index) const {
  const WindowLayout& layout = sizes[index];
  const auto part = [](auto values, int begin, int length) {
    return values.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(length));
  };
  return {.width = layout.width,
          .height = layout.height,
          .xs = part(edges, layout.xs, layout.columns),
          .ys = part(edges, layout.ys, layout.rows),
          .first = layout.first,
          .pairs = part(all_pairs, layout.pairs, pairs),
          .minimum_variance = layout.minimum_variance};
}

std::size_t ScanWindowsView::size_of(std::uint32_t window) const {
  const auto next =
      std::upper_bound(sizes.begin(), sizes.end(), window,
                       [](std::uint32_t w, const WindowLayout& size) { return w < size.first; });
  return static_cast<std::size_t>(next - sizes.begin()) - 1;
}

WindowRange ScanWindowsView::near(std::size_t index) const {
  const ScanSize all = size(index);
  const ScanRegion& region = regions[static_cast<std::size_t>(sizes[index].job)];
  const int place = static_cast<int>(index) - region.first_size;
  if (place < 0 || place >= region.size_count) {
    return {.row_interval = region.row_interval, .row_turn = region.row_turn};
  }
  // The windows that begin and end between two edges.
  const auto between = [](std::span<const int> starts, int length, int low, int high) {
    const auto first = std::ranges::lower_bound(starts, low);
    const auto last = std::upper_bound(first, starts.end(), high - length);
    return std::pair(static_cast<int>(first - starts.begin()),
                     static_cast<int>(last - starts.begin()));
  };
  const auto [first_row, last_row] = between(all.ys, all.height, region.top, region.bottom);
  const auto [first_column, last_column] = between(all.xs, all.width, region.left, region.right);
  return {first_row, last_row, first_column, last_column, region.row_interval, region.row_turn};
}

BoundingBox ScanWindowsView::box(std::uint32_t window) const {
  return box_of(window, sizes[size_of(window)], edges.data());
}

}  // namespace cltrack
