// SPDX-License-Identifier: LGPL-2.1-or-later
#include "scan_stand.h"

#include <cmath>
#include <numbers>
#include <numeric>

#include "ops/ferns/fern_tables.h"

namespace cltrack::accuracy {

Scan::Scan(const Clip& clip) : frame(clip.footage.frames().front()->frame().luma) {
  const BoundingBox box = clip.box();
  grid = ScanGrid(box.width, box.height, frame.width, frame.height, config);
  tables = FernTables(config.ferns, config.pairs);
  blurred.resize(frame.width, frame.height);
  vector::blur(frame, 0, frame.height, blurred.row(0));
  reference::integrate(frame, integrals);
  const std::uint64_t variance =
      scaled_variance(integrals, static_cast<int>(box.x), static_cast<int>(box.y),
                      static_cast<int>(box.width), static_cast<int>(box.height));
  const double per_pixel_squared =
      static_cast<double>(variance) / std::pow(static_cast<double>(box.area()), 2);
  pairs.reserve(grid.scales().size());
  for (const ScanScale& scale : grid.scales()) {
    pairs.push_back(ferns.pairs_for(scale.width, scale.height));
    const double pixels = static_cast<double>(scale.width) * scale.height;
    sizes.push_back({scale.width, scale.height, scale.xs, scale.ys, scale.first, pairs.back(),
                     static_cast<std::uint64_t>(per_pixel_squared * pixels * pixels *
                                                static_cast<double>(config.variance_ratio))});
  }
  learn(box);
}

void Scan::run(decltype(&reference::scan_rows) body, std::uint32_t minimum_score,
               CandidateList& candidates) const {
  candidates.clear();
  for (const ScanSize& size : sizes) {
    const auto rows = static_cast<int>(size.ys.size()), columns = static_cast<int>(size.xs.size());
    body(blurred.view(), integrals, size, tables, minimum_score, {0, rows, 0, columns}, candidates);
  }
}

Warp Scan::random_warp(const BoundingBox& box) {
  const WarpConfig& ranges = config.first_warps;
  const float angle =
      ranges.angle * random.uniform(-0.5f, 0.5f) * std::numbers::pi_v<float> / 180.0f;
  const float scale = 1 - ranges.scale * random.uniform(-0.5f, 0.5f);
  const float cosine = scale * std::cos(angle);
  const float sine = scale * std::sin(angle);
  return {box.center_x(),
          box.center_y(),
          {cosine, -sine, sine, cosine},
          ranges.shift * box.width * random.uniform(-0.5f, 0.5f),
          ranges.shift * box.height * random.uniform(-0.5f, 0.5f),
          ranges.noise,
          random.bits()};
}

void Scan::learn(const BoundingBox& box) {
  for (const WindowOverlap& window : grid.overlapping(box, 0.01f)) {
    if (positives.size() == static_cast<std::size_t>(config.first_warps.closest)) break;
    positives.push_back(window.window);
  }
  const auto count = static_cast<std::size_t>(config.ferns);
  std::vector<std::uint16_t> codes;
  std::vector<std::uint8_t> positive;
  const auto add = [&](bool is_positive) {
    positive.push_back(is_positive ? 1 : 0);
    codes.resize(codes.size() + count);
    return codes.data() + codes.size() - count;
  };
  for (int i = 0; i < config.first_warps.warps; ++i) {
    const Warp warp = i == 0 ? Warp{} : random_warp(box);
    for (const std::uint32_t index : positives) {
      const Window window = grid.window(index);
      reference::warped_fern_codes(blurred.view(), window.x, window.y, pairs[grid.scale_of(index)],
                                   config.ferns, fixed_warp(warp), add(true));
    }
  }
  CandidateList every;
  run(vector::scan_rows, 0, every);
  for (std::size_t i = 0; i < every.windows.size(); ++i) {
    if (overlap(box, grid.window(every.windows[i].window).box()) >= config.negative_overlap)
      continue;
    std::copy_n(&every.codes[i * count], count, add(false));
  }
  std::vector<std::uint32_t> order(positive.size());
  std::iota(order.begin(), order.end(), 0u);
  random.shuffle(order);
  const std::uint32_t half = static_cast<std::uint32_t>(config.ferns) * kPosteriorOne / 2;
  for (int pass = 0; pass < config.bootstrap; ++pass) {
    reference::update_ferns(tables, {codes, positive}, order, half, half);
  }
}

std::vector<Patch> Scan::patches(std::size_t count) const {
  std::vector<Patch> result;
  for (std::size_t i = 0; i < count; ++i) {
    const auto window = static_cast<std::uint32_t>(i * 7919 % grid.size());
    result.push_back(vector::extract_patch(frame, grid.window(window).box()));
  }
  return result;
}

}  // namespace cltrack::accuracy
