// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/ferns/fern_codes.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "cltrack/error.h"
#include "compute/launch.h"
#include "ops/ferns/scan_windows.h"

namespace cltrack {

namespace {

constexpr int kFractionBits = CLTRACK_WARP_FRACTION_BITS;
constexpr int kMatrixBits = CLTRACK_WARP_MATRIX_BITS;

// A well-mixed number from a seed and a pixel (the finaliser of MurmurHash3).
std::uint32_t hash(std::uint32_t seed, int x, int y) {
  std::uint32_t h = seed ^ (static_cast<std::uint32_t>(x) * 0x9E3779B1u) ^
                    (static_cast<std::uint32_t>(y) * 0x85EBCA77u);
  h ^= h >> 16;
  h *= 0x85EBCA6Bu;
  h ^= h >> 13;
  h *= 0xC2B2AE35u;
  return h ^ (h >> 16);
}

std::int64_t fixed(float v, int bits) { return std::lround(std::ldexp(v, bits)); }

class WarpedImage {
 public:
  WarpedImage(const ImageView& image, const FixedWarp& warp) : image_(image), warp_(warp) {}

  int at(int x, int y) const {
    const std::int64_t dx = (std::int64_t{x} << kFractionBits) - warp_.center_x;
    const std::int64_t dy = (std::int64_t{y} << kFractionBits) - warp_.center_y;
    const std::int64_t* m = warp_.matrix;
    const std::int64_t sx =
        warp_.center_x + warp_.shift_x + ((m[0] * dx + m[1] * dy) >> kMatrixBits);
    const std::int64_t sy =
        warp_.center_y + warp_.shift_y + ((m[2] * dx + m[3] * dy) >> kMatrixBits);
    return std::clamp(interpolated(sx, sy) + noise(x, y), 0, 255);
  }

 private:
  int interpolated(std::int64_t sx, std::int64_t sy) const {
    constexpr int one = 1 << kFractionBits;
    sx = std::clamp<std::int64_t>(sx, 0, std::int64_t{image_.width - 1} << kFractionBits);
    sy = std::clamp<std::int64_t>(sy, 0, std::int64_t{image_.height - 1} << kFractionBits);
    const int x = static_cast<int>(sx >> kFractionBits);
    const int y = static_cast<int>(sy >> kFractionBits);
    const int fx = static_cast<int>(sx) & (one - 1);
    const int fy = static_cast<int>(sy) & (one - 1);
    const int x1 = std::min(x + 1, image_.width - 1);
    const std::uint8_t* top = image_.row(y);
    const std::uint8_t* bottom = image_.row(std::min(y + 1, image_.height - 1));
    const int sum = (one - fy) * ((one - fx) * top[x] + fx * top[x1]) +
                    fy * ((one - fx) * bottom[x] + fx * bottom[x1]);
    return (sum + (one * one / 2)) >> (2 * kFractionBits);
  }

  int noise(int x, int y) const {
    if (warp_.noise == 0) return 0;
    const std::uint32_t h = hash(warp_.seed, x, y);
    const int sum = static_cast<int>((h & 255) + ((h >> 8) & 255) + ((h >> 16) & 255) + (h >> 24));
    return static_cast<int>(((sum - 510) * warp_.noise + (1 << (kMatrixBits - 1))) >> kMatrixBits);
  }

  const ImageView& image_;
  const FixedWarp& warp_;
};

template <typename Compare>
void codes_of(std::span<const PixelPair> pairs, int ferns, std::uint16_t* codes,
              const Compare& brighter) {
  const std::size_t pairs_each = pairs.size() / static_cast<std::size_t>(ferns);
  std::size_t i = 0;
  for (int f = 0; f < ferns; ++f) {
    unsigned code = 0;
    for (std::size_t p = 0; p < pairs_each; ++p) code = 2 * code + (brighter(pairs[i++]) ? 1u : 0u);
    codes[f] = static_cast<std::uint16_t>(code);
  }
}

}  // namespace

void reference::fern_codes(const ImageView& image, int x, int y, std::span<const PixelPair> pairs,
                           int ferns, std::uint16_t* codes) {
  codes_of(pairs, ferns, codes, [&](const PixelPair& pair) {
    return image.at(x + pair.x1, y + pair.y1) > image.at(x + pair.x2, y + pair.y2);
  });
}

std::vector<std::int32_t> linear_offsets(std::span<const PixelPair> pairs, std::ptrdiff_t stride) {
  std::vector<std::int32_t> offsets;
  offsets.reserve(2 * pairs.size());
  for (const PixelPair& pair : pairs) {
    offsets.push_back(static_cast<std::int32_t>(pair.y1 * stride + pair.x1));
    offsets.push_back(static_cast<std::int32_t>(pair.y2 * stride + pair.x2));
  }
  return offsets;
}

FixedWarp fixed_warp(const Warp& warp) {
  FixedWarp result = {};
  for (int i = 0; i < 4; ++i) result.matrix[i] = fixed(warp.matrix[i], kMatrixBits);
  result.center_x = fixed(warp.center_x, kFractionBits);
  result.center_y = fixed(warp.center_y, kFractionBits);
  result.shift_x = fixed(warp.shift_x, kFractionBits);
  result.shift_y = fixed(warp.shift_y, kFractionBits);
  // The sum of four bytes has a standard deviation of 147.8.
  result.noise = fixed(warp.noise / 147.8f, kMatrixBits);
  result.seed = warp.seed;
  constexpr std::int64_t one = std::int64_t{1} << kMatrixBits;
  const bool turns = result.matrix[0] != one || result.matrix[1] != 0 || result.matrix[2] != 0 ||
                     result.matrix[3] != one;
  result.plain = !turns && result.shift_x == 0 && result.shift_y == 0 && result.noise == 0;
  return result;
}

void reference::warped_fern_codes(const ImageView& image, int x, int y,
                                  std::span<const PixelPair> pairs, int ferns,
                                  const FixedWarp& warp, std::uint16_t* codes) {
  const WarpedImage warped(image, warp);
  codes_of(pairs, ferns, codes, [&](const PixelPair& pair) {
    return warped.at(x + pair.x1, y + pair.y1) > warped.at(x + pair.x2, y + pair.y2);
  });
}

namespace {

// As kernels/ferns/fern_codes.cl reads them.
static_assert(sizeof(PixelPair) == 8);

// Windows of a job through one of its warps, this many of them at most.
constexpr std::uint32_t kWindowsAtATime = 4096;
struct Part {
  const CodeJob* job;
  std::uint32_t warp;
  std::uint32_t first, count;
};

// The codes of windows as they are, those of window i at codes + i * ferns. Takes the windows by
// rising index: those of a size have the same pairs, and near ones read the same pixels.
void plain_codes(const ImageView& image, const ScanWindowsView& windows,
                 std::span<const std::uint32_t> list, int ferns, std::uint16_t* codes) {
  std::vector<std::uint64_t> order;  // windows, and below them their places in the list
  order.reserve(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) order.push_back(std::uint64_t{list[i]} << 32 | i);
  std::ranges::sort(order);

  const auto each = static_cast<std::size_t>(ferns);
  ScanSize size;
  std::vector<std::int32_t> offsets;
  std::uint64_t end = 0;  // of the windows of `size`
  for (const std::uint64_t next : order) {
    const std::uint64_t window = next >> 32;
    if (window >= end) {
      size = windows.size(windows.size_of(static_cast<std::uint32_t>(window)));
      end = size.first + size.xs.size() * size.ys.size();
      offsets = linear_offsets(size.pairs, image.stride);
    }
    const std::size_t place = window - size.first;
    const std::uint8_t* pixels =
        image.row(size.ys[place / size.xs.size()]) + size.xs[place % size.xs.size()];
    std::uint16_t* own = codes + (next & UINT32_MAX) * each;
    const std::int32_t* offset = offsets.data();
    const std::size_t pairs = size.pairs.size() / each;
    for (std::size_t f = 0; f < each; ++f) {
      unsigned code = 0;
      for (std::size_t p = 0; p < pairs; ++p, offset += 2) {
        code = 2 * code + (pixels[offset[0]] > pixels[offset[1]] ? 1u : 0u);
      }
      own[f] = static_cast<std::uint16_t>(code);
    }
  }
}

void warped_codes(const ImageView& image, const ScanWindowsView& windows,
                  std::span<const std::uint32_t> list, const FixedWarp& warp, int ferns,
                  std::uint16_t* codes) {
  for (const std::uint32_t window : list) {
    const ScanSize size = windows.size(windows.size_of(window));
    const std::size_t place = window - size.first;
    reference::warped_fern_codes(image, size.xs[place % size.xs.size()],
                                 size.ys[place / size.xs.size()], size.pairs, ferns, warp, codes);
    codes += ferns;
  }
}

void codes_on_host(Queue& queue, const Plane& image, const ScanWindows& windows,
                   std::span<const std::uint32_t> list, std::span<const FixedWarp> warps,
                   std::span<const CodeJob> jobs, int ferns, std::span<std::uint16_t> codes) {
  std::vector<Part> parts;
  for (const CodeJob& job : jobs) {
    for (std::uint32_t warp = 0; warp < job.warps; ++warp) {
      for (std::uint32_t first = 0; first < job.listed; first += kWindowsAtATime) {
        parts.push_back({&job, warp, first, std::min(kWindowsAtATime, job.listed - first)});
      }
    }
  }
  const ImageView picture = image.host_view();
  const ScanWindowsView view = windows.host_view();
  queue.run(static_cast<int>(parts.size()), [&](int index) {
    const auto& [job, warp_index, first, count] = parts[static_cast<std::size_t>(index)];
    const FixedWarp& warp = warps[job->first_warp + warp_index];
    const auto own = list.subspan(job->first_listed + first, count);
    const std::size_t sample = job->first_sample + std::size_t{warp_index} * job->listed + first;
    std::uint16_t* own_codes = codes.data() + sample * static_cast<std::size_t>(ferns);
    if (warp.plain) {
      plain_codes(picture, view, own, ferns, own_codes);
    } else {
      warped_codes(picture, view, own, warp, ferns, own_codes);
    }
  });
}

}  // namespace

void fern_codes(Queue& queue, const Plane& image, const ScanWindows& windows,
                const Array<std::uint32_t>& list, const Array<FixedWarp>& warps,
                const Array<CodeJob>& jobs, int ferns, Array<std::uint16_t>& codes) {
  const std::span<const CodeJob> all = jobs.host_read();
  std::size_t most = 0;  // samples of a job
  for (const CodeJob& job : all) {
    const std::size_t samples = std::size_t{job.listed} * job.warps;
    if (codes.size() < (job.first_sample + samples) * static_cast<std::size_t>(ferns)) {
      throw Error(
          ErrorCode::invalid_argument,
          "fern_codes: no room for " + std::to_string(job.first_sample + samples) + " samples");
    }
    most = std::max(most, samples);
  }
  if (queue.is_host()) {
    codes_on_host(queue, image, windows, list.host_read(), warps.host_read(), all, ferns,
                  codes.host_update());
    return;
  }
  launch(queue, {"fern_codes", "fern_codes"}, global(ferns, most, all.size()), local(16, 8, 1),
         in(image.pixels), image.layout, in(list), in(warps), in(jobs), in(windows.sizes),
         in(windows.edges), in(windows.all_pairs), ferns, windows.pairs / ferns, inout(codes));
}

}  // namespace cltrack
