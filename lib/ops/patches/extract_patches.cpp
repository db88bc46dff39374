// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/patches/extract_patches.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <vector>

#include "compute/launch.h"
#include "compute/lent_picture.h"
#include "core/processor.h"
#include "ops/job_parts.h"

#if CLTRACK_X86
#include <immintrin.h>
#endif

namespace cltrack {

namespace {

// Keys' cubic convolution kernel, a = -0.5.
float cubic(float x) {
  x = std::abs(x);
  const float inner = (1.5f * x - 2.5f) * x * x + 1;
  const float outer = ((-0.5f * x + 2.5f) * x - 4) * x + 2;
  return x < 1 ? inner : x < 2 ? outer : 0.0f;
}

// To the nearest integer, halves away from zero.
std::int16_t rounded(float x) { return static_cast<std::int16_t>(x + std::copysign(0.5f, x)); }

}  // namespace

PatchAxis bare_patch_axis(float start, float length, int image_size) {
  PatchAxis axis;
  axis.taps = static_cast<int>(std::ceil(4 * std::max(1.0f, length / kPatchSide))) + 1;
  axis.stride = (axis.taps + 7) / 8 * 8;
  axis.low = std::clamp(static_cast<int>(std::floor(start)), 0, image_size - 1);
  axis.high = std::clamp(static_cast<int>(std::ceil(start + length)) - 1, axis.low, image_size - 1);
  axis.weights.resize(static_cast<std::size_t>(axis.stride) * kPatchSide);
  return axis;
}

PatchAxis reference::make_patch_axis(float start, float length, int image_size) {
  const float step = length / kPatchSide;
  const float widening = std::max(1.0f, step);
  PatchAxis axis = bare_patch_axis(start, length, image_size);
  std::vector<float> exact(static_cast<std::size_t>(axis.taps));
  for (int i = 0; i < kPatchSide; ++i) {
    const float center = start + (static_cast<float>(i) + 0.5f) * step - 0.5f;
    const int first = static_cast<int>(std::ceil(center - 2 * widening));
    axis.first[static_cast<std::size_t>(i)] = first;
    for (int t = 0; t < axis.taps; ++t) {
      exact[static_cast<std::size_t>(t)] =
          cubic((static_cast<float>(first + t) - center) / widening);
    }
    float sum = 0;
    for (const float weight : exact) sum += weight;
    std::int16_t* weights = axis.weights.data() + i * axis.stride;
    int rest = 1 << kWeightBits;
    for (int t = 0; t < axis.taps; ++t) {
      weights[t] = rounded(exact[static_cast<std::size_t>(t)] / sum * (1 << kWeightBits));
      rest -= weights[t];
    }
    std::int16_t& largest = *std::max_element(weights, weights + axis.taps);
    largest = static_cast<std::int16_t>(largest + rest);
  }
  return axis;
}

void center_patch(Patch& patch) {
  std::int32_t sum = 0;
  for (int i = 0; i < kPatchPixels; ++i) sum += patch.pixels[static_cast<std::size_t>(i)];
  const std::int32_t mean = (sum + kPatchPixels / 2) / kPatchPixels;
  for (int i = 0; i < kPatchPixels; ++i) {
    std::int16_t& v = patch.pixels[static_cast<std::size_t>(i)];
    v = static_cast<std::int16_t>(v - mean);
  }
  patch.set_norm();
}

void Patch::set_norm() {
  std::int32_t squares = 0;
  for (int i = 0; i < kPatchPixels; ++i) {
    const std::int32_t v = pixels[static_cast<std::size_t>(i)];
    squares += v * v;
  }
  norm = std::sqrt(static_cast<float>(squares));
}

// The weights of a patch's axis on vectors: several output pixels side by side, tap by tap, so that
// the sum of each is added up in the same order as in the reference.

namespace {

struct Four {
  using Floats [[gnu::vector_size(16)]] = float;
  using Ints [[gnu::vector_size(16)]] = std::int32_t;
  static constexpr Floats kNumbers = {0, 1, 2, 3};
};
struct Eight {
  using Floats [[gnu::vector_size(32)]] = float;
  using Ints [[gnu::vector_size(32)]] = std::int32_t;
  static constexpr Floats kNumbers = {0, 1, 2, 3, 4, 5, 6, 7};
};

// Fills a vector of outputs from `output` on, up to the last one. In one function, because vectors
// of AVX2 cannot be parameters of functions. Comparisons that hold are -1.
template <typename Vectors>
[[gnu::always_inline]] inline void fill_outputs(float start, float step, float widening, int output,
                                                float* exact, PatchAxis& axis) {
  using Floats = typename Vectors::Floats;
  using Ints = typename Vectors::Ints;
  constexpr int lanes = sizeof(Floats) / sizeof(float);
  const Floats none = {};
  const Floats place = Vectors::kNumbers + static_cast<float>(output);
  const Floats center = start + (place + 0.5f) * step - 0.5f;
  const Floats left = center - 2 * widening;
  Ints first = __builtin_convertvector(left, Ints);
  first -= __builtin_convertvector(first, Floats) < left;  // upwards

  Floats sum = {};
  for (int t = 0; t < axis.taps; ++t) {
    // cubic() of the plain body.
    Floats x = (__builtin_convertvector(first + t, Floats) - center) / widening;
    x = x < 0.0f ? -x : x;
    const Floats inner = (1.5f * x - 2.5f) * x * x + 1.0f;
    const Floats outer = ((-0.5f * x + 2.5f) * x - 4.0f) * x + 2.0f;
    const Floats beyond = x < 2.0f ? outer : none;
    const Floats weight = x < 1.0f ? inner : beyond;
    std::memcpy(exact + t * lanes, &weight, sizeof(weight));
    sum += weight;
  }

  const int count = std::min(lanes, kPatchSide - output);
  std::int16_t* const weights = axis.weights.data() + output * axis.stride;
  const Ints full = Ints{} + (1 << kWeightBits);
  Ints rest = full;
  Ints largest = -full;
  Ints largest_tap = {};  // the first of the largest
  for (int t = 0; t < axis.taps; ++t) {
    Floats weight;
    std::memcpy(&weight, exact + t * lanes, sizeof(weight));
    weight = weight / sum * static_cast<float>(1 << kWeightBits);
    const Floats half = none + 0.5f;
    // To the nearest integer, halves away from zero.
    const Ints whole = __builtin_convertvector(weight + (weight < 0.0f ? -half : half), Ints);
    rest -= whole;
    const Ints here = Ints{} + t;
    largest_tap = whole > largest ? here : largest_tap;
    largest = whole > largest ? whole : largest;
    for (int i = 0; i < count; ++i) {
      weights[i * axis.stride + t] = static_cast<std::int16_t>(whole[i]);
    }
  }
  for (int i = 0; i < count; ++i) {
    weights[i * axis.stride + largest_tap[i]] = static_cast<std::int16_t>(largest[i] + rest[i]);
    axis.first[static_cast<std::size_t>(output + i)] = first[i];
  }
}

template <typename Vectors>
[[gnu::always_inline]] inline void fill(float start, float length, PatchAxis& axis) {
  constexpr int lanes = sizeof(typename Vectors::Floats) / sizeof(float);
  const float step = length / kPatchSide;
  const float widening = std::max(1.0f, step);
  std::vector<float> exact(static_cast<std::size_t>(axis.taps * lanes));
  for (int output = 0; output < kPatchSide; output += lanes) {
    fill_outputs<Vectors>(start, step, widening, output, exact.data(), axis);
  }
}

void fill_narrow(float start, float length, PatchAxis& axis) { fill<Four>(start, length, axis); }
CLTRACK_AVX2 void fill_wide(float start, float length, PatchAxis& axis) {
  fill<Eight>(start, length, axis);
}

}  // namespace

PatchAxis vector::make_patch_axis(float start, float length, int image_size) {
  static const auto body = fastest_body(fill_narrow, fill_wide);
  PatchAxis axis = bare_patch_axis(start, length, image_size);
  body(start, length, axis);
  return axis;
}

Patch reference::extract_patch(const ImageView& image, const BoundingBox& box) {
  const PatchAxis xs = reference::make_patch_axis(box.x, box.width, image.width);
  const PatchAxis ys = reference::make_patch_axis(box.y, box.height, image.height);
  const auto width = static_cast<std::size_t>(xs.high - xs.low + 1);
  std::vector<std::int32_t> row(width);
  Patch patch;
  for (int j = 0; j < kPatchSide; ++j) {
    // Columns first: the inner loop is over contiguous pixels.
    std::fill(row.begin(), row.end(), 1 << (kWeightBits - kRowBits - 1));
    for (int t = 0; t < ys.taps; ++t) {
      const std::uint8_t* source = image.row(ys.clamped(j, t)) + xs.low;
      for (std::size_t x = 0; x < width; ++x) row[x] += ys.weights_of(j)[t] * source[x];
    }
    for (std::int32_t& v : row) v >>= kWeightBits - kRowBits;
    for (int i = 0; i < kPatchSide; ++i) {
      int sum = 1 << (kWeightBits - 1);
      for (int t = 0; t < xs.taps; ++t) {
        sum += xs.weights_of(i)[t] * row[static_cast<std::size_t>(xs.clamped(i, t) - xs.low)];
      }
      patch.pixels[static_cast<std::size_t>(j * kPatchSide + i)] =
          static_cast<std::int16_t>(std::clamp(sum >> kWeightBits, 0, 255 * kPatchUnit));
    }
  }
  center_patch(patch);
  return patch;
}

float reference::ncc(const Patch& a, const Patch& b) {
  if (a.norm == 0 || b.norm == 0) return 0;
  std::int32_t dot = 0;
  for (std::size_t i = 0; i < kPatchStride; ++i) dot += a.pixels[i] * b.pixels[i];
  return static_cast<float>(dot) / (a.norm * b.norm);
}

// Patches on vectors: the columns of a box eight at a time with their sums kept in registers, then
// its rows as inner products of 16-bit numbers.

namespace {

using Bytes8 [[gnu::vector_size(8)]] = std::uint8_t;
using Ints8 [[gnu::vector_size(32)]] = std::int32_t;
using Shorts8 [[gnu::vector_size(16)]] = std::int16_t;
constexpr int kLanes = 8;

[[gnu::always_inline]] inline std::int32_t inner_product(const std::int16_t* a,
                                                         const std::int16_t* b, int count) {
  std::int32_t sum = 0;
  for (int i = 0; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

// sums[x] = the `taps` pixels at rows[0...][x] by their weights, in 1/kPatchUnit: at most 1.25 *
// 255 of them, which 16 bits hold. `width` is at least kLanes.
[[gnu::always_inline]] inline void weigh_columns(const std::uint8_t* const* rows,
                                                 const std::int16_t* weights, int taps, int width,
                                                 std::int16_t* sums) {
  for (int next = 0; next < width; next += kLanes) {
    const int x = std::min(next, width - kLanes);
    Ints8 sum = Ints8{} + (1 << (kWeightBits - kRowBits - 1));
    for (int t = 0; t < taps; ++t) {
      Bytes8 pixels;
      std::memcpy(&pixels, rows[t] + x, sizeof(pixels));
      sum += std::int32_t{weights[t]} * __builtin_convertvector(pixels, Ints8);
    }
    const Shorts8 rounded = __builtin_convertvector(sum >> (kWeightBits - kRowBits), Shorts8);
    std::memcpy(sums + x, &rounded, sizeof(rounded));
  }
}

using WeighColumns = void(const std::uint8_t* const* rows, const std::int16_t* weights, int taps,
                          int width, std::int16_t* sums);

template <WeighColumns weigh>
[[gnu::always_inline]] inline void sample(const ImageView& image, const PatchAxis& xs,
                                          const PatchAxis& ys, Patch& patch) {
  // The row of sums is continued on both sides, as far as weights reach, with its outermost values.
  const int width = xs.high - xs.low + 1;
  const int left = std::max(0, xs.low - xs.first.front());
  const int right = std::max(0, xs.first.back() + xs.stride - xs.high);
  std::vector<std::int16_t> row(static_cast<std::size_t>(left + width + right));
  std::vector<const std::uint8_t*> sources(static_cast<std::size_t>(ys.taps) + 1);
  std::int16_t* sums = row.data() + left;
  for (int j = 0; j < kPatchSide; ++j) {
    for (int t = 0; t < ys.taps; ++t) {
      sources[static_cast<std::size_t>(t)] = image.row(ys.clamped(j, t)) + xs.low;
    }
    sources.back() = sources.front();  // its weight is 0
    weigh(sources.data(), ys.weights_of(j), ys.taps, width, sums);
    std::fill_n(row.data(), left, sums[0]);
    std::fill_n(sums + width, right, sums[width - 1]);
    for (int i = 0; i < kPatchSide; ++i) {
      const std::int32_t sum =
          inner_product(xs.weights_of(i), sums + xs.first[static_cast<std::size_t>(i)] - xs.low,
                        xs.stride) +
          (1 << (kWeightBits - 1));
      patch.pixels[static_cast<std::size_t>(j * kPatchSide + i)] =
          static_cast<std::int16_t>(std::clamp(sum >> kWeightBits, 0, 255 * kPatchUnit));
    }
  }
}

#if CLTRACK_X86
// The same two rows at a time: their pixels alternately, times their weights alternately. If the
// number of rows is odd, a row with weight 0 follows.
CLTRACK_AVX2 inline __m256i both_weights(const std::int16_t* weights) {
  std::int32_t both;
  std::memcpy(&both, weights, sizeof(both));
  return _mm256_set1_epi32(both);
}

constexpr int kManyLanes = 32;

// kManyLanes columns.
CLTRACK_AVX2 inline void weigh_many_columns(const std::uint8_t* const* rows,
                                            const std::int16_t* weights, int taps, int x,
                                            std::int16_t* sums) {
  constexpr int shift = kWeightBits - kRowBits;
  const __m256i zero = _mm256_setzero_si256();
  // Columns 0 to 3 and 16 to 19, and so on: instructions work on halves of a vector.
  __m256i sum0 = _mm256_set1_epi32(1 << (shift - 1));
  __m256i sum4 = sum0, sum8 = sum0, sum12 = sum0;
  for (int t = 0; t < taps; t += 2) {
    const __m256i upper = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(rows[t] + x));
    const __m256i lower = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(rows[t + 1] + x));
    const __m256i both = both_weights(weights + t);
    const __m256i first = _mm256_unpacklo_epi8(upper, lower);
    const __m256i last = _mm256_unpackhi_epi8(upper, lower);
    sum0 = _mm256_add_epi32(sum0, _mm256_madd_epi16(_mm256_unpacklo_epi8(first, zero), both));
    sum4 = _mm256_add_epi32(sum4, _mm256_madd_epi16(_mm256_unpackhi_epi8(first, zero), both));
    sum8 = _mm256_add_epi32(sum8, _mm256_madd_epi16(_mm256_unpacklo_epi8(last, zero), both));
    sum12 = _mm256_add_epi32(sum12, _mm256_madd_epi16(_mm256_unpackhi_epi8(last, zero), both));
  }
  const __m256i first =
      _mm256_packs_epi32(_mm256_srai_epi32(sum0, shift), _mm256_srai_epi32(sum4, shift));
  const __m256i last =
      _mm256_packs_epi32(_mm256_srai_epi32(sum8, shift), _mm256_srai_epi32(sum12, shift));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(sums + x),
                      _mm256_permute2x128_si256(first, last, 0x20));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(sums + x + kManyLanes / 2),
                      _mm256_permute2x128_si256(first, last, 0x31));
}

CLTRACK_AVX2 inline void weigh_columns_wide(const std::uint8_t* const* rows,
                                            const std::int16_t* weights, int taps, int width,
                                            std::int16_t* sums) {
  constexpr int shift = kWeightBits - kRowBits;
  int next = 0;
  for (; next + kManyLanes <= width; next += kManyLanes) {
    weigh_many_columns(rows, weights, taps, next, sums);
  }
  for (; next < width; next += kLanes) {
    const int x = std::min(next, width - kLanes);
    __m256i sum = _mm256_set1_epi32(1 << (shift - 1));
    for (int t = 0; t < taps; t += 2) {
      const __m128i upper = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(rows[t] + x));
      const __m128i lower = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(rows[t + 1] + x));
      const __m256i pixels = _mm256_cvtepu8_epi16(_mm_unpacklo_epi8(upper, lower));
      sum = _mm256_add_epi32(sum, _mm256_madd_epi16(pixels, both_weights(weights + t)));
    }
    sum = _mm256_srai_epi32(sum, shift);
    _mm_storeu_si128(
        reinterpret_cast<__m128i*>(sums + x),
        _mm_packs_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1)));
  }
}

#else
constexpr WeighColumns* weigh_columns_wide = weigh_columns;
#endif

void sample_narrow(const ImageView& image, const PatchAxis& xs, const PatchAxis& ys, Patch& patch) {
  sample<weigh_columns>(image, xs, ys, patch);
}
CLTRACK_AVX2 void sample_wide(const ImageView& image, const PatchAxis& xs, const PatchAxis& ys,
                              Patch& patch) {
  sample<weigh_columns_wide>(image, xs, ys, patch);
}

std::int32_t product_narrow(const std::int16_t* a, const std::int16_t* b) {
  return inner_product(a, b, kPatchStride);
}
CLTRACK_AVX2 std::int32_t product_wide(const std::int16_t* a, const std::int16_t* b) {
  return inner_product(a, b, kPatchStride);
}

}  // namespace

Patch vector::extract_patch(const ImageView& image, const BoundingBox& box) {
  const PatchAxis xs = vector::make_patch_axis(box.x, box.width, image.width);
  const PatchAxis ys = vector::make_patch_axis(box.y, box.height, image.height);
  if (xs.high - xs.low + 1 < kLanes) return reference::extract_patch(image, box);
  static const auto body = fastest_body(sample_narrow, sample_wide);
  Patch patch;
  body(image, xs, ys, patch);
  center_patch(patch);
  return patch;
}

Patch extract_patch(const Plane& image, const BoundingBox& box) {
  const auto [first, last] = rows_of(box, image.height());
  return vector::extract_patch(image.host_view(first, last), box);
}

float vector::ncc(const Patch& a, const Patch& b) {
  if (a.norm == 0 || b.norm == 0) return 0;
  static const auto product = fastest_body(product_narrow, product_wide);
  return static_cast<float>(product(a.pixels.data(), b.pixels.data())) / (a.norm * b.norm);
}

namespace {

// As in kernels/parts/patch.cl.
static_assert(sizeof(Patch) == 512 && offsetof(Patch, norm) == 2 * kPatchStride);
static_assert(sizeof(BoundingBox) == 16);

constexpr std::uint64_t kItems = 512;                            // of a group, at most,
constexpr std::uint64_t kItemsOfAnOutput = CLTRACK_PATCH_LANES;  // and a multiple of these
// In all, for most devices can run no more at a time: each has room for the weights of a box.
constexpr std::size_t kMostGroups = 256;

}  // namespace

void extract_patches(Queue& queue, const Plane& image, const Array<BoundingBox>& boxes,
                     const Array<std::uint32_t>& counts, float longest_side, PatchScratch& scratch,
                     Array<Patch>& patches) {
  patches.resize(boxes.size());
  if (boxes.size() == 0) return;
  const std::size_t boxes_of_job = boxes.size() / counts.size();
  if (queue.is_host()) {
    const ImageView view = image.host_view();
    const auto from = boxes.host_read();
    const auto to = patches.host_write();
    run_job_parts(queue, counts.host_read(), kBoxesOfAPart,
                  [&](std::size_t job, std::size_t first, std::size_t end) {
                    for (std::size_t i = first; i < end; ++i) {
                      const std::size_t box = job * boxes_of_job + i;
                      to[box] = vector::extract_patch(view, from[box]);
                    }
                  });
    return;
  }
  // Two more than a box of that size has: its last side may be rounded up.
  const int max_taps =
      static_cast<int>(std::ceil(4 * std::max(1.0f, longest_side / kPatchSide))) + 3;
  const std::size_t groups = std::clamp(kMostGroups / counts.size(), std::size_t{1}, boxes_of_job);
  scratch.resize(groups * counts.size() * 2 * kPatchSide * static_cast<std::size_t>(max_taps));
  const KernelName name = {"extract_patches", "extract_patches"};
  const std::uint64_t allowed = items_of_group(queue, name, 2 * kItemsOfAnOutput, kItems);
  const std::uint64_t items = allowed / kItemsOfAnOutput * kItemsOfAnOutput;
  launch(queue, name, global(groups * items, counts.size()), local(items, 1), in(image.pixels),
         image.layout, in(boxes), static_cast<int>(boxes_of_job), in(counts), max_taps,
         out(scratch), out(patches));
  discard(scratch);
}

}  // namespace cltrack
