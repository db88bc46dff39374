// SPDX-License-Identifier: LGPL-2.1-or-later
#include <algorithm>

#include "compute/launch.h"
#include "ops/planes/blur.h"

namespace cltrack {
namespace {

constexpr int kTile = CLTRACK_BLUR_TILE;
constexpr int kStripHeight = 96;  // 12 rows more are blurred at its ends

constexpr int parts(int whole, int part) { return (whole + part - 1) / part; }

// Rows of one part of the host's work; 12 rows more are blurred for each.
constexpr int kFewestRows = 96;

void blur_on_host(Queue& queue, const ImageView& src, std::uint8_t* dst) {
  const int count = std::clamp(src.height / kFewestRows, 1, queue.threads());
  queue.run(count, [&](int i) {
    vector::blur(src, src.height * i / count, src.height * (i + 1) / count, dst);
  });
}

}  // namespace

void blur(Queue& queue, const Plane& src, Plane& dst) {
  dst.resize(src.width(), src.height());
  if (queue.is_host()) {
    blur_on_host(queue, src.host_view(), dst.pixels.host_write().data());
  } else if (queue.device().is_cpu()) {
    launch(queue, {"blur_cpu", "blur_strips"},
           global(parts(dst.width(), CLTRACK_BLUR_STRIP), parts(dst.height(), kStripHeight)),
           local(1, 1), in(src.pixels), src.layout, out(dst.pixels), dst.layout, kStripHeight);
  } else {
    launch(queue, {"blur", "blur_tiles"},
           global(parts(dst.width(), kTile) * kTile,
                  parts(dst.height(), kTile) * CLTRACK_BLUR_TILE_ROWS),
           local(kTile, CLTRACK_BLUR_TILE_ROWS), in(src.pixels), src.layout, out(dst.pixels),
           dst.layout);
  }
}

}  // namespace cltrack
