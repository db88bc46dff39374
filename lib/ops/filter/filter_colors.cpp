// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/filter/filter_colors.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "compute/launch.h"
#include "core/processor.h"
#include "ops/filter/sample_windows.h"
#include "ops/job_parts.h"

namespace cltrack {
namespace {

// Arithmetic of learn_colors(). kernels/filter/learn_colors.cl has the same.

// A rectangle of samples, cut off at the window's borders.
struct SampleBox {
  int left, top, right, bottom;

  int area() const { return (right - left) * (bottom - top); }
};

[[gnu::always_inline]] inline SampleBox inside_window(int left, int top, int right, int bottom,
                                                      int side) {
  left = std::clamp(left, 0, side);
  top = std::clamp(top, 0, side);
  return {left, top, std::clamp(right, left, side), std::clamp(bottom, top, side)};
}

[[gnu::always_inline]] inline SampleBox inner_box(const ColorLearnJob& job, int side) {
  return inside_window(job.inner_left, job.inner_top, job.inner_right, job.inner_bottom, side);
}

[[gnu::always_inline]] inline SampleBox outer_box(const ColorLearnJob& job, int side) {
  return inside_window(job.outer_left, job.outer_top, job.outer_right, job.outer_bottom, side);
}

// The share of one sample of a region of so many.
[[gnu::always_inline]] inline float share_of_sample(float rate, int samples) {
  return samples > 0 ? rate / static_cast<float>(samples) : 0;
}

// `kept`: the former share times 1 - rate.
[[gnu::always_inline]] inline float new_share(float kept, std::int32_t count, float of_sample) {
  const float share = kept + static_cast<float>(count) * of_sample;
  return share >= CLTRACK_LEAST_SHARE ? share : 0;
}

// Both shares are 0 or CLTRACK_LEAST_SHARE and more.
[[gnu::always_inline]] inline std::uint16_t color_likelihood(float target, float background) {
  const float share = target / std::max(target + background, CLTRACK_LEAST_SHARE);
  return static_cast<std::uint16_t>(static_cast<std::int32_t>(share * 65535.0f + 0.5f));
}

}  // namespace

// The one body of sample_colors(): its time is that of three reads per sample from places that no
// vector can load.
namespace reference {
namespace {

constexpr int kDrop = 8 - CLTRACK_COLOR_BIN_BITS;
constexpr int kMostBin = (1 << CLTRACK_COLOR_BIN_BITS) - 1;

int upper_bits(std::uint8_t value) { return value >> kDrop; }

int chroma_bin(std::uint8_t value) {
  return std::clamp((value - CLTRACK_LEAST_CHROMA) >> CLTRACK_CHROMA_BIN_BITS, 0, kMostBin);
}

int color_bin(int c0, int c1, int c2) {
  return c0 << 2 * CLTRACK_COLOR_BIN_BITS | c1 << CLTRACK_COLOR_BIN_BITS | c2;
}

// The pixel of [0, count) that has the middle of a sample.
int middle_pixel(std::int32_t start, std::int32_t step, int sample, int count) {
  return std::clamp((start + sample * step + step / 2) >> CLTRACK_WINDOW_PIXEL_BITS, 0, count - 1);
}

// Calls bin_of(values) with the components of each sample.
template <std::size_t kComponents, typename BinOf>
void sample(const ColorPicture& picture, const WindowJob& job, int side, const BinOf& bin_of,
            std::span<std::uint16_t> bins) {
  const auto& components = picture.components;
  std::array<std::array<std::ptrdiff_t, kMostSampleSide>, kComponents> columns;
  const auto width = static_cast<std::size_t>(side);
  for (std::size_t i = 0; i < width; ++i) {
    const int x = middle_pixel(job.x, job.step_x, static_cast<int>(i), picture.width);
    for (std::size_t c = 0; c < kComponents; ++c) {
      columns[c][i] = std::ptrdiff_t{x >> components[c].shift_x} * components[c].step;
    }
  }
  for (int j = 0; j < side; ++j) {
    const int y = middle_pixel(job.y, job.step_y, j, picture.height);
    std::array<const std::uint8_t*, kComponents> rows;
    for (std::size_t c = 0; c < kComponents; ++c) {
      rows[c] = components[c].data + (y >> components[c].shift_y) * components[c].stride;
    }
    std::uint16_t* to = bins.data() + static_cast<std::size_t>(j) * width;
    for (std::size_t i = 0; i < width; ++i) {
      std::array<std::uint8_t, kComponents> values;
      for (std::size_t c = 0; c < kComponents; ++c) values[c] = rows[c][columns[c][i]];
      to[i] = static_cast<std::uint16_t>(bin_of(values));
    }
  }
}

}  // namespace

void sample_colors(const ColorPicture& picture, const WindowJob& job, int side,
                   std::span<std::uint16_t> bins) {
  switch (picture.space) {
    case ColorSpace::none:
      return sample<1>(
          picture, job, side, [](const auto& c) { return color_bin(upper_bits(c[0]), 0, 0); },
          bins);
    case ColorSpace::rgb:
      return sample<3>(
          picture, job, side,
          [](const auto& c) {
            return color_bin(upper_bits(c[0]), upper_bits(c[1]), upper_bits(c[2]));
          },
          bins);
    case ColorSpace::yuv:
      return sample<3>(
          picture, job, side,
          [](const auto& c) {
            return color_bin(upper_bits(c[0]), chroma_bin(c[1]), chroma_bin(c[2]));
          },
          bins);
  }
}

}  // namespace reference

namespace {

constexpr int kSampleItems = 64;  // of a work-group
constexpr const char* kSampleColors = "sample_colors";

}  // namespace

void sample_colors(Queue& queue, const PictureSource& source, const Array<WindowJob>& jobs,
                   int side, Array<std::uint16_t>& bins) {
  const std::size_t each = window_samples(kSampleColors, side);
  if (source.width() < 1 || source.height() < 1) reject_windows(kSampleColors, "no picture");
  bins.resize(jobs.size() * each);
  if (jobs.size() == 0) return;
  if (queue.is_host()) {
    const ColorPicture picture = source.picture();
    const auto to = bins.host_write();
    for_each_job(queue, jobs.host_read(), [&](const WindowJob& job, std::size_t i) {
      reference::sample_colors(picture, job, side, entry_at(to, i, each));
    });
    return;
  }
  const int kind = source.space() == ColorSpace::none  ? CLTRACK_LUMA_ALONE
                   : source.space() == ColorSpace::rgb ? CLTRACK_RGB
                                                       : CLTRACK_YUV;
  launch(queue, {"sample_colors", "sample_colors"}, global(each, jobs.size()),
         local(kSampleItems, 1), in(source.plane(0)), in(source.plane(1)), in(source.plane(2)),
         source.layout(), kind, in(jobs), side, out(bins));
}

namespace reference {

void learn_colors(std::span<const std::uint16_t> bins, int side, const ColorLearnJob& job,
                  std::span<float> histograms, std::span<std::uint16_t> likelihoods) {
  const SampleBox inner = inner_box(job, side);
  const SampleBox outer = outer_box(job, side);
  const auto contains = [](const SampleBox& box, int x, int y) {
    return x >= box.left && x < box.right && y >= box.top && y < box.bottom;
  };
  std::vector<std::int32_t> target(kColorBins), background(kColorBins);
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      const std::size_t bin = bins[static_cast<std::size_t>(y * side + x)];
      if (contains(inner, x, y)) ++target[bin];
      if (!contains(outer, x, y)) ++background[bin];
    }
  }
  const float of_target = share_of_sample(job.rate, inner.area());
  const float of_background = share_of_sample(job.rate, side * side - outer.area());
  const float keep = 1 - job.rate;
  const auto kept = [keep](float share) { return keep > 0 ? keep * share : 0; };
  for (std::size_t i = 0; i < kColorBins; ++i) {
    float& own = histograms[i];
    float& other = histograms[kColorBins + i];
    own = new_share(kept(own), target[i], of_target);
    other = new_share(kept(other), background[i], of_background);
    likelihoods[i] = color_likelihood(own, other);
  }
}

}  // namespace reference

namespace vector {

namespace {

[[gnu::always_inline]] inline void count(const std::uint16_t* bins, int side, const SampleBox& box,
                                         std::int32_t* counts) {
  for (int y = box.top; y < box.bottom; ++y) {
    const std::uint16_t* row = bins + y * side;
    for (int x = box.left; x < box.right; ++x) ++counts[row[x]];
  }
}

// At a rate of 1, nothing is kept. Leaves counts of 0.
template <bool kKeeps>
[[gnu::always_inline]] inline void follow(std::int32_t* counts, float keep, float of_sample,
                                          float* shares) {
  for (int i = 0; i < kColorBins; ++i) {
    shares[i] = new_share(kKeeps ? keep * shares[i] : 0, counts[i], of_sample);
    counts[i] = 0;
  }
}

[[gnu::always_inline]] inline void follow(std::int32_t* counts, float rate, float of_sample,
                                          float* shares) {
  const float keep = 1 - rate;
  if (keep > 0) {
    follow<true>(counts, keep, of_sample, shares);
  } else {
    follow<false>(counts, keep, of_sample, shares);
  }
}

[[gnu::always_inline]] inline void learn(const std::uint16_t* bins, int side,
                                         const ColorLearnJob& job, float* histograms,
                                         std::uint16_t* likelihoods) {
  const SampleBox inner = inner_box(job, side);
  const SampleBox outer = outer_box(job, side);
  std::vector<std::int32_t> counts(kColorBins);
  count(bins, side, inner, counts.data());
  follow(counts.data(), job.rate, share_of_sample(job.rate, inner.area()), histograms);

  count(bins, side, {0, 0, side, outer.top}, counts.data());
  count(bins, side, {0, outer.top, outer.left, outer.bottom}, counts.data());
  count(bins, side, {outer.right, outer.top, side, outer.bottom}, counts.data());
  count(bins, side, {0, outer.bottom, side, side}, counts.data());
  float* background = histograms + kColorBins;
  follow(counts.data(), job.rate, share_of_sample(job.rate, side * side - outer.area()),
         background);
  for (int i = 0; i < kColorBins; ++i) {
    likelihoods[i] = color_likelihood(histograms[i], background[i]);
  }
}

}  // namespace

void learn_colors(std::span<const std::uint16_t> bins, int side, const ColorLearnJob& job,
                  std::span<float> histograms, std::span<std::uint16_t> likelihoods) {
  kFastest<learn>(bins.data(), side, job, histograms.data(), likelihoods.data());
}

}  // namespace vector

namespace {

constexpr std::uint64_t kLearnItems = 256;  // of a work-group, at most
// Bins of a work-group, which counts in local memory. Each group reads the whole window.
constexpr int kChunk = 2048;

constexpr const char* kLearnColors = "learn_colors";

}  // namespace

void learn_colors(Queue& queue, const Array<std::uint16_t>& bins, int side,
                  const Array<ColorLearnJob>& jobs, Array<float>& histograms,
                  Array<std::uint16_t>& likelihoods) {
  const std::size_t each = window_samples(kLearnColors, side);
  constexpr std::size_t kShares = 2 * kColorBins;
  const std::span<const ColorLearnJob> all = jobs.host_read();
  check_jobs(kLearnColors, all, bins.size() / each,
             std::min(histograms.size() / kShares, likelihoods.size() / kColorBins));
  for (const ColorLearnJob& job : all) {
    if (!(job.rate >= 0 && job.rate <= 1)) {
      reject_windows(kLearnColors, "a rate of " + std::to_string(job.rate) + "; allowed: 0 to 1");
    }
  }
  if (all.empty()) return;
  if (queue.is_host()) {
    const auto from = bins.host_read();
    const auto shares = histograms.host_update();
    const auto to = likelihoods.host_update();
    for_each_job(queue, all, [&](const ColorLearnJob& job, std::size_t) {
      vector::learn_colors(entry_at(from, job.window, each), side, job,
                           entry_at(shares, job.slot, kShares), entry_at(to, job.slot, kColorBins));
    });
    return;
  }
  const KernelName name = {"learn_colors", "learn_colors"};
  const std::uint64_t items = items_of_group(queue, name, 1, kLearnItems);
  launch(queue, name, global(kColorBins / kChunk * items, all.size()), local(items, 1), in(bins),
         side, in(jobs), kChunk, inout(histograms), inout(likelihoods),
         local_memory<cl_uint>(std::size_t{2} * kChunk));
}

namespace reference {

void color_response(std::span<const std::uint16_t> bins, int side, const ColorResponseJob& job,
                    std::span<const std::uint16_t> likelihoods, std::span<float> responses) {
  for (int dx = -kColorPlaces / 2; dx < kColorPlaces / 2; ++dx) {
    const int left = side / 2 + dx * (side / kColorPlaces) - job.width / 2;
    for (int dy = -kColorPlaces / 2; dy < kColorPlaces / 2; ++dy) {
      const int top = side / 2 + dy * (side / kColorPlaces) - job.height / 2;
      std::uint32_t sum = 0;
      for (int y = std::max(top, 0); y < std::min(top + job.height, side); ++y) {
        for (int x = std::max(left, 0); x < std::min(left + job.width, side); ++x) {
          sum += likelihoods[bins[static_cast<std::size_t>(y * side + x)]];
        }
      }
      responses[static_cast<std::size_t>(color_place(dx) * kColorPlaces + color_place(dy))] =
          static_cast<float>(sum) * job.scale;
    }
  }
}

}  // namespace reference

namespace vector {

namespace {

struct Edges {
  int begin, end;
};

// The parts of an axis that a box of `length` samples covers, by color_place().
[[gnu::always_inline]] inline std::array<Edges, kColorPlaces> edges_of(int length, int side) {
  std::array<Edges, kColorPlaces> edges;
  for (int d = -kColorPlaces / 2; d < kColorPlaces / 2; ++d) {
    const int begin = side / 2 + d * (side / kColorPlaces) - length / 2;
    edges[static_cast<std::size_t>(color_place(d))] = {std::clamp(begin, 0, side),
                                                       std::clamp(begin + length, 0, side)};
  }
  return edges;
}

// Sums of columns down to each row first, which are vectors; then along the few rows of places.
[[gnu::always_inline]] inline void respond(const std::uint16_t* bins, int side,
                                           const ColorResponseJob& job,
                                           const std::uint16_t* likelihoods, float* responses) {
  const auto width = static_cast<std::size_t>(side);
  std::vector<std::uint32_t> columns(width * (width + 1));
  for (std::size_t y = 0; y < width; ++y) {
    const std::uint32_t* above = columns.data() + y * width;
    std::uint32_t* own = columns.data() + (y + 1) * width;
    for (std::size_t x = 0; x < width; ++x) own[x] = above[x] + likelihoods[bins[y * width + x]];
  }
  const auto across = edges_of(job.width, side);
  const auto down = edges_of(job.height, side);
  std::array<std::uint32_t, kMostSampleSide + 1> sums;
  sums[0] = 0;
  for (std::size_t place_y = 0; place_y < kColorPlaces; ++place_y) {
    const std::uint32_t* top =
        columns.data() + static_cast<std::size_t>(down[place_y].begin) * width;
    const std::uint32_t* bottom =
        columns.data() + static_cast<std::size_t>(down[place_y].end) * width;
    for (std::size_t x = 0; x < width; ++x) sums[x + 1] = sums[x] + (bottom[x] - top[x]);
    for (std::size_t place_x = 0; place_x < kColorPlaces; ++place_x) {
      const auto& [left, right] = across[place_x];
      responses[place_x * kColorPlaces + place_y] =
          static_cast<float>(sums[static_cast<std::size_t>(right)] -
                             sums[static_cast<std::size_t>(left)]) *
          job.scale;
    }
  }
}

}  // namespace

void color_response(std::span<const std::uint16_t> bins, int side, const ColorResponseJob& job,
                    std::span<const std::uint16_t> likelihoods, std::span<float> responses) {
  kFastest<respond>(bins.data(), side, job, likelihoods.data(), responses.data());
}

}  // namespace vector

namespace {

constexpr std::uint64_t kResponseItems = 128;  // of a work-group, at most
// Vertical displacements of a work-group: each saves a part of the sums of the next.
constexpr int kPlaces = 4;

constexpr const char* kColorResponse = "color_response";

}  // namespace

ColorResponseJob color_response_job(int window, int slot, int width, int height, int side) {
  if (width < 1 || width > side || height < 1 || height > side) {
    reject_windows(kColorResponse, "a box of " + std::to_string(width) + " x " +
                                       std::to_string(height) + " samples; allowed: 1 to " +
                                       std::to_string(side));
  }
  return {.window = window,
          .slot = slot,
          .width = width,
          .height = height,
          .scale = 1 / (65535 * static_cast<float>(width * height))};
}

void color_response(Queue& queue, const Array<std::uint16_t>& bins, int side,
                    const Array<ColorResponseJob>& jobs, const Array<std::uint16_t>& likelihoods,
                    Array<float>& responses) {
  if (side < 1 || side > kMostSampleSide || side % kColorPlaces != 0) {
    reject_windows(kColorResponse, "windows of " + std::to_string(side) +
                                       " samples a side; allowed: multiples of 32 up to " +
                                       std::to_string(kMostSampleSide));
  }
  const auto each = static_cast<std::size_t>(side) * static_cast<std::size_t>(side);
  const std::span<const ColorResponseJob> all = jobs.host_read();
  check_jobs(kColorResponse, all, bins.size() / each, likelihoods.size() / kColorBins);
  responses.resize(all.size() * kColorResponses);
  if (all.empty()) return;
  if (queue.is_host()) {
    const auto from = bins.host_read();
    const auto tables = likelihoods.host_read();
    const auto to = responses.host_write();
    for_each_job(queue, all, [&](const ColorResponseJob& job, std::size_t i) {
      vector::color_response(entry_at(from, job.window, each), side, job,
                             entry_at(tables, job.slot, kColorBins),
                             entry_at(to, i, kColorResponses));
    });
    return;
  }
  const KernelName name = {"color_response", "color_response"};
  const std::uint64_t items = items_of_group(queue, name, 1, kResponseItems);
  const auto columns = std::size_t{kPlaces} * static_cast<std::size_t>(side + 1);
  launch(queue, name, global(kColorPlaces / kPlaces * items, all.size()), local(items, 1), in(bins),
         side, in(jobs), kPlaces, in(likelihoods), out(responses), local_memory<cl_uint>(columns));
}

}  // namespace cltrack
