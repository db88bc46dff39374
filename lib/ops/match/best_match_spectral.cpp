// SPDX-License-Identifier: LGPL-2.1-or-later
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>

#include "core/processor.h"
#include "ops/match/best_match_methods.h"
#include "ops/match/match_spectrum.h"
#include "ops/vector_lanes.h"

namespace cltrack {

namespace {

// Tile (block, eighth): columns from 8 * block on, rows from 8 * eighth on; 64 real parts, column
// by column, then 64 imaginary ones.
constexpr int kTile = 128;
[[gnu::always_inline]] inline std::ptrdiff_t tile_at(const SpectrumShape& shape, int block,
                                                     int eighth) {
  return (static_cast<std::ptrdiff_t>(block) * 2 * shape.batches + eighth) * kTile;
}

[[gnu::always_inline]] inline void load(Floats8& v, const float* from) {
  std::memcpy(&v, from, sizeof(v));
}
[[gnu::always_inline]] inline void store(const Floats8& v, float* to) {
  std::memcpy(to, &v, sizeof(v));
}
[[gnu::always_inline]] inline double sum_of(const Floats8& v) {
  double sum = 0;
  for (int i = 0; i < 8; ++i) sum += static_cast<double>(v[i]);
  return sum;
}

// Eight rows of bytes, less `offset`, into one part of `width` complex vectors.
template <Floats8 Complex8::*part>
[[gnu::always_inline]] inline void load_rows(const std::uint8_t* const* rows, int width,
                                             float offset, Complex8* to, Floats8& squares) {
  int x = 0;
  for (; x + 8 <= width; x += 8) {
    Floats8 v[8];
    for (int i = 0; i < 8; ++i) {
      Bytes8 bytes;
      std::memcpy(&bytes, rows[i] + x, sizeof(bytes));
      v[i] = __builtin_convertvector(bytes, Floats8) - offset;
      squares += v[i] * v[i];
    }
    fft::transpose(v);
    for (int i = 0; i < 8; ++i) to[x + i].*part = v[i];
  }
  for (; x < width; ++x) {
    Floats8 v;
    for (int i = 0; i < 8; ++i) v[i] = static_cast<float>(rows[i][x]) - offset;
    squares += v * v;
    to[x].*part = v;
  }
}

[[gnu::always_inline]] inline double forward_rows_body(const SpectrumShape& shape,
                                                       const ImageView& image, std::uint8_t offset,
                                                       int batch, float* tiles,
                                                       SpectrumWork& work) {
  const std::uint8_t* rows[SpectrumShape::kBatchRows];
  for (int i = 0; i < SpectrumShape::kBatchRows; ++i) {
    const int y = batch * SpectrumShape::kBatchRows + i;
    rows[i] = y < image.height ? image.row(y) : work.blank.data();
  }
  Complex8* data = work.data.data();
  Floats8 squares = {};
  load_rows<&Complex8::re>(rows, image.width, offset, data, squares);
  load_rows<&Complex8::im>(rows + 8, image.width, offset, data, squares);
  const int width = shape.rows.length;
  std::fill(data + image.width, data + width, Complex8{});
  const Complex8* z = fft::transform(shape.rows, data, work.other.data());
  for (int k = 0; k < 8 * shape.column_blocks; ++k) {
    // The columns beyond width / 2 follow from the others; the last block repeats column width / 2.
    const int own = std::min(k, width / 2);
    const Complex8 a = z[own], b = z[own == 0 ? 0 : width - own];
    float* first = tiles + tile_at(shape, k / 8, 2 * batch) + k % 8 * 8;
    store(0.5f * (a.re + b.re), first);
    store(0.5f * (a.im - b.im), first + 64);
    store(0.5f * (a.im + b.im), first + kTile);
    store(0.5f * (b.re - a.re), first + kTile + 64);
  }
  return sum_of(squares);
}

// Columns out of their tiles, transformed.
[[gnu::always_inline]] inline Complex8* forward_columns(const SpectrumShape& shape, int block,
                                                        const float* tiles, SpectrumWork& work) {
  const int height = shape.columns.length;
  for (int y = 0; y < height; y += 8) {
    const float* tile = tiles + tile_at(shape, block, y / 8);
    Floats8 re[8], im[8];
    for (int i = 0; i < 8; ++i) load(re[i], tile + 8 * i);
    for (int i = 0; i < 8; ++i) load(im[i], tile + 64 + 8 * i);
    fft::transpose(re);
    fft::transpose(im);
    const int count = std::min(8, height - y);
    for (int i = 0; i < count; ++i) work.data[static_cast<std::size_t>(y + i)] = {re[i], im[i]};
  }
  return fft::transform(shape.columns, work.data.data(), work.other.data());
}

[[gnu::always_inline]] inline void spectrum_columns_body(const SpectrumShape& shape, int block,
                                                         const float* tiles, Complex8* spectrum,
                                                         SpectrumWork& work) {
  const int height = shape.columns.length;
  const float scale = 1 / (static_cast<float>(height) * static_cast<float>(shape.rows.length));
  const Complex8* values = forward_columns(shape, block, tiles, work);
  Complex8* to = spectrum + static_cast<std::ptrdiff_t>(block) * height;
  for (int i = 0; i < height; ++i) to[i] = {scale * values[i].re, -scale * values[i].im};
}

[[gnu::always_inline]] inline double correlate_columns_body(const SpectrumShape& shape, int block,
                                                            const Complex8* spectrum, int rows,
                                                            float* tiles, SpectrumWork& work) {
  const int height = shape.columns.length;
  Complex8* values = forward_columns(shape, block, tiles, work);
  Complex8* other = values == work.data.data() ? work.other.data() : work.data.data();
  const Complex8* t = spectrum + static_cast<std::ptrdiff_t>(block) * height;
  Floats8 squares = {};
  for (int i = 0; i < height; ++i) {
    const Complex8 f = values[i];
    const Floats8 re = f.re * t[i].re - f.im * t[i].im;
    const Floats8 im = f.re * t[i].im + f.im * t[i].re;
    squares += re * re + im * im;
    values[i] = {im, re};  // exchanged, for the inverse
  }
  const Complex8* result = fft::transform(shape.columns, values, other);
  const int batch_rows = SpectrumShape::kBatchRows;
  const int end = (rows + batch_rows - 1) / batch_rows * batch_rows;
  for (int y = 0; y < end; y += 8) {
    Floats8 re[8], im[8];
    for (int i = 0; i < 8; ++i) {
      // Zeros behind the last row: they share transforms with other rows.
      const Complex8 value = y + i < height ? result[y + i] : Complex8{};
      re[i] = value.im;
      im[i] = value.re;
    }
    fft::transpose(re);
    fft::transpose(im);
    float* tile = tiles + tile_at(shape, block, y / 8);
    for (int i = 0; i < 8; ++i) store(re[i], tile + 8 * i);
    for (int i = 0; i < 8; ++i) store(im[i], tile + 64 + 8 * i);
  }
  return 2 * sum_of(squares);
}

[[gnu::always_inline]] inline void inverse_rows_body(const SpectrumShape& shape, int batch,
                                                     const float* tiles, float* result,
                                                     std::ptrdiff_t stride, SpectrumWork& work) {
  const int width = shape.rows.length;
  Complex8* data = work.data.data();
  for (int k = 0; k <= width / 2; ++k) {
    const float* first = tiles + tile_at(shape, k / 8, 2 * batch) + k % 8 * 8;
    Complex8 a, b;
    load(a.re, first);
    load(a.im, first + 64);
    load(b.re, first + kTile);
    load(b.im, first + kTile + 64);
    // a + i b, and of the conjugates; exchanged.
    if (k > 0) data[width - k] = {b.re - a.im, a.re + b.im};
    data[k] = {a.im + b.re, a.re - b.im};
  }
  const Complex8* z = fft::transform(shape.rows, data, work.other.data());
  for (int x = 0; x < width; x += 8) {
    Floats8 a[8], b[8];
    for (int i = 0; i < 8; ++i) {
      const Complex8 value = z[std::min(x + i, width - 1)];
      a[i] = value.im;
      b[i] = value.re;
    }
    fft::transpose(a);
    fft::transpose(b);
    for (int i = 0; i < 8; ++i) store(a[i], result + i * stride + x);
    for (int i = 0; i < 8; ++i) store(b[i], result + (8 + i) * stride + x);
  }
}

}  // namespace

SpectrumShape::SpectrumShape(int width, int height)
    : rows(fft_length(width)),
      columns(fft_length(height)),
      column_blocks((rows.length / 2 + 8) / 8),
      batches((columns.length + kBatchRows - 1) / kBatchRows) {}

double SpectrumShape::error() const {
  return rows.error + columns.error +
         4 * kFloatUnit;  // two rows share a transform, in both directions
}

void SpectrumWork::resize(const SpectrumShape& shape, std::uint8_t offset) {
  const auto length = static_cast<std::size_t>(std::max(shape.rows.length, shape.columns.length));
  data.resize(length);
  other.resize(length);
  blank.assign(length, offset);
}

double forward_rows(const SpectrumShape& shape, const ImageView& image, std::uint8_t offset,
                    int batch, float* tiles, SpectrumWork& work) {
  return kFastest<forward_rows_body>(shape, image, offset, batch, tiles, work);
}

void spectrum_columns(const SpectrumShape& shape, int block, const float* tiles, Complex8* spectrum,
                      SpectrumWork& work) {
  kFastest<spectrum_columns_body>(shape, block, tiles, spectrum, work);
}

double correlate_columns(const SpectrumShape& shape, int block, const Complex8* spectrum, int rows,
                         float* tiles, SpectrumWork& work) {
  return kFastest<correlate_columns_body>(shape, block, spectrum, rows, tiles, work);
}

void inverse_rows(const SpectrumShape& shape, int batch, const float* tiles, float* result,
                  std::ptrdiff_t stride, SpectrumWork& work) {
  kFastest<inverse_rows_body>(shape, batch, tiles, result, stride, work);
}

// The exact best place by a correlation in float with a bounded error: places whose upper bound is
// below another place's lower bound are left out, the others are scored exactly.
//
// The bound. With u = 2^-24 and transforms whose relative errors are e(forward) and e(inverse), the
// spectra F and T of plane and template (each less a grey level near its mean, an integer, so that
// the input is exact) have errors of at most e(forward) |F| and e(forward) |T|. The sum of the
// moduli of their product P bounds each value of the result; its error is at most
// 2 e(forward) |F| |T|, and 3 u |F| |T| more for the rounding of products and the scale of T. The
// inverse adds e(inverse) |P|. |T| and |F| are known from pixels, |P| is measured. Actual errors
// are about a thousand times smaller.

namespace {

// The mean of every fourth row, rounded.
std::uint8_t level_of(const ImageView& plane) {
  std::uint64_t sum = 0, count = 0;
  for (int y = 0; y < plane.height; y += 4) {
    std::uint32_t own = 0;
    for (int x = 0; x < plane.width; ++x) own += plane.row(y)[x];
    sum += own;
    count += static_cast<std::uint64_t>(plane.width);
  }
  return static_cast<std::uint8_t>((sum + count / 2) / count);
}

constexpr int kBandBatches = 3;  // of rows, in a part: the first row of patches costs more

void raise(std::atomic<double>& value, double to) {
  double old = value.load(std::memory_order_relaxed);
  while (old < to && !value.compare_exchange_weak(old, to, std::memory_order_relaxed)) {
  }
}

class SpectralSearch {
 public:
  SpectralSearch(const ImageView& plane, MatchTemplate& pattern, HostMatchScratch& scratch,
                 Queue& host)
      : plane_(plane), pattern_(pattern), scratch_(scratch), host_(host), shape_(*scratch.shape) {
    const auto pixels = static_cast<double>(pattern.pixels());
    const auto sum = static_cast<double>(pattern.sum());
    const double mean = sum / pixels;
    const double level = std::round(mean);
    template_level_ = static_cast<std::uint8_t>(level);
    plane_level_ = level_of(plane);
    template_norm_ = std::sqrt(static_cast<double>(pattern.squares()) - 2 * level * sum +
                               pixels * level * level);
    // sum((t - a) (f - b)) = sum(t f) - a sum(f) - b sum(t) + n a b
    if (pattern.similarity() == Similarity::ncc) {
      sum_factor_ = level - mean;
      sum_offset_ = -sum_factor_ * pixels * plane_level_;
      energy_factor_ = 1 / pixels;
    } else {
      sum_factor_ = level;
      sum_offset_ = plane_level_ * (sum - pixels * level);
      energy_factor_ = 1;
    }
    template_energy_ = static_cast<double>(pattern.energy()) * energy_factor_;
  }

  MatchFound run() {
    make_spectrum();
    correlate();
    bound_places();
    return score_candidates();
  }

 private:
  float* tiles() { return reinterpret_cast<float*>(scratch_.tiles.data()); }
  int places_x() const { return plane_.width - pattern_.width() + 1; }
  int places_y() const { return plane_.height - pattern_.height() + 1; }

  void transform_rows(const ImageView& image, std::uint8_t level) {
    scratch_.energies.assign(static_cast<std::size_t>(shape_.batches), 0);
    host_.run(shape_.batches, [&](int batch) {
      HostMatchScratch::Loan work(scratch_);
      work->spectrum.resize(shape_, level);
      scratch_.energies[static_cast<std::size_t>(batch)] =
          forward_rows(shape_, image, level, batch, tiles(), work->spectrum);
    });
  }

  void make_spectrum() {
    auto& kept = pattern_.kept().host;
    if (kept.width == shape_.rows.length && kept.height == shape_.columns.length) return;
    kept.width = kept.height = 0;  // none, if a stop ends this
    kept.spectrum.resize(shape_.spectrum_size());
    transform_rows(pattern_.view(), template_level_);
    host_.run(shape_.column_blocks, [&](int block) {
      HostMatchScratch::Loan work(scratch_);
      work->spectrum.resize(shape_, 0);
      spectrum_columns(shape_, block, tiles(), kept.spectrum.data(), work->spectrum);
    });
    kept.width = shape_.rows.length;
    kept.height = shape_.columns.length;
  }

  void correlate() {
    transform_rows(plane_, plane_level_);
    double plane_energy = 0;
    for (const double energy : scratch_.energies) plane_energy += energy;
    scratch_.products.assign(static_cast<std::size_t>(shape_.column_blocks), 0);
    host_.run(shape_.column_blocks, [&](int block) {
      HostMatchScratch::Loan work(scratch_);
      work->spectrum.resize(shape_, 0);
      scratch_.products[static_cast<std::size_t>(block)] = correlate_columns(
          shape_, block, pattern_.kept().host.spectrum.data(), places_y(), tiles(), work->spectrum);
    });
    double product_energy = 0;
    for (const double energy : scratch_.products) product_energy += energy;
    const double values =
        static_cast<double>(shape_.rows.length) * static_cast<double>(shape_.columns.length);
    const double forward =
        (2 * shape_.error() + 3 * kFloatUnit) * template_norm_ * std::sqrt(plane_energy);
    const double inverse = shape_.error() * std::sqrt(product_energy * values);
    // A tenth is more than all second-order terms and the rounding of the norms; the last term is
    // the rounding of sums of bytes in double.
    error_ = 1.1 * (forward + inverse) + 1e-10 * static_cast<double>(pattern_.pixels());
  }

  void bound_places() {
    constexpr int kRows = SpectrumShape::kBatchRows;
    const int batches = (places_y() + kRows - 1) / kRows;
    const int bands = (batches + kBandBatches - 1) / kBandBatches;
    scratch_.found.resize(static_cast<std::size_t>(bands));
    const std::size_t stride = (static_cast<std::size_t>(shape_.rows.length) + 15) / 16 * 16;
    host_.run(bands, [&](int band) {
      HostMatchScratch::Loan work(scratch_);
      work->spectrum.resize(shape_, 0);
      work->rows.resize(stride * kRows / 16);
      auto* rows = reinterpret_cast<float*>(work->rows.data());
      std::vector<MatchCandidate>& found = scratch_.found[static_cast<std::size_t>(band)];
      found.clear();
      const int begin = band * kBandBatches * kRows;
      const int end = std::min(begin + kBandBatches * kRows, places_y());
      for (int y = begin; y < end; ++y) {
        if (y == begin) {
          work->patches.begin(plane_, pattern_.width(), pattern_.height(), y);
        } else {
          work->patches.next();
        }
        if (y % kRows == 0) {
          inverse_rows(shape_, y / kRows, tiles(), rows, static_cast<std::ptrdiff_t>(stride),
                       work->spectrum);
        }
        bound_row(rows + static_cast<std::size_t>(y % kRows) * stride, y, work->patches, found);
      }
    });
  }

  void bound_row(const float* products, int y, const PatchRows& patches,
                 std::vector<MatchCandidate>& found) {
    const std::uint32_t* sums = patches.sums();
    const std::uint64_t* squares = patches.squares();
    double limit = limit_.load(std::memory_order_relaxed);
    double least = limit > 0 ? limit * limit * template_energy_ * (1 - 1e-9) : -1;
    for (int x = 0; x < places_x(); ++x) {
      const std::uint64_t exact =
          match_energy(pattern_.similarity(), pattern_.pixels(), sums[x], squares[x]);
      const double energy = energy_factor_ * static_cast<double>(static_cast<std::int64_t>(exact));
      const double middle = static_cast<double>(products[x]) +
                            sum_factor_ * static_cast<double>(sums[x]) + sum_offset_;
      const double upper = middle + error_;
      // Squares with their signs: one comparison, and no root.
      if (least > 0 && upper * std::abs(upper) < least * energy) continue;
      MatchCandidate candidate = {x, y, 0, sums[x], squares[x]};
      double lower = 0;  // of a flat patch
      if (exact != 0) {
        const double scale = 1 / std::sqrt(template_energy_ * energy);
        candidate.upper = upper * scale;
        candidate.upper += 1e-9 * std::abs(candidate.upper);
        lower = (middle - error_) * scale;
        lower -= 1e-9 * std::abs(lower);
      }
      if (candidate.upper < limit) continue;
      // The first one of flat patches is enough.
      if (exact == 0 && limit == 0 && !found.empty() && found.back().upper == 0) continue;
      found.push_back(candidate);
      if (lower <= limit) continue;
      limit = lower;
      if (limit > 0) least = limit * limit * template_energy_ * (1 - 1e-9);
    }
    raise(limit_, limit);
  }

  MatchFound exact(const MatchCandidate& candidate) const {
    if (match_energy(pattern_.similarity(), pattern_.pixels(), candidate.sum, candidate.squares) ==
        0) {
      return {0, 0, candidate.x, candidate.y};
    }
    const PatchSums sums = {candidate.sum, candidate.squares,
                            match_product(plane_, pattern_.view(), candidate.x, candidate.y)};
    return match_fraction(pattern_.similarity(), pattern_.pixels(), pattern_.sum(), sums,
                          candidate.x, candidate.y);
  }

  // A little below the score, because of rounding.
  void limit_by(const MatchFound& found) {
    const double score = static_cast<double>(match_score(found, pattern_.energy()));
    raise(limit_, score - 1e-6);
  }

  MatchFound score_candidates() {
    std::vector<MatchCandidate>& list = scratch_.candidates;
    list.clear();
    const double limit = limit_;
    for (const auto& part : scratch_.found) {
      for (const MatchCandidate& candidate : part) {
        if (candidate.upper >= limit) list.push_back(candidate);
      }
    }
    const auto first = std::max_element(
        list.begin(), list.end(), [](const auto& a, const auto& b) { return a.upper < b.upper; });
    MatchFound best = exact(*first);
    limit_by(best);
    if (list.size() == 1) return best;

    // In reading order: no place behind a perfect one can be better.
    constexpr std::size_t kChunk = 8;
    const auto chunks = static_cast<int>((list.size() + kChunk - 1) / kChunk);
    std::atomic<int> last_chunk = chunks;
    scratch_.best.assign(static_cast<std::size_t>(chunks) + 1, kNoMatch);
    scratch_.best.back() = best;
    host_.run(chunks, [&](int chunk) {
      if (chunk > last_chunk) return;
      MatchFound own = kNoMatch;
      const std::size_t begin = static_cast<std::size_t>(chunk) * kChunk;
      for (std::size_t i = begin; i < std::min(begin + kChunk, list.size()); ++i) {
        if (list[i].upper < limit_) continue;
        const MatchFound found = exact(list[i]);
        if (own.x >= 0 && !scores_more(found, own)) continue;
        own = found;
        limit_by(own);
        if (!is_perfect_match(own, pattern_.energy())) continue;
        int old = last_chunk;
        while (old > chunk && !last_chunk.compare_exchange_weak(old, chunk)) {
        }
        break;
      }
      scratch_.best[static_cast<std::size_t>(chunk)] = own;
    });
    return best_of(scratch_.best);
  }

  const ImageView plane_;
  MatchTemplate& pattern_;
  HostMatchScratch& scratch_;
  Queue& host_;
  const SpectrumShape& shape_;
  std::uint8_t template_level_, plane_level_;  // subtracted from pixels
  double template_norm_;
  // score = (product + sum_factor sum + sum_offset) / sqrt(energies times energy_factor)
  double sum_factor_, sum_offset_, energy_factor_, template_energy_;
  double error_ = 0;                  // bound for the products
  std::atomic<double> limit_ = -2.0;  // lower bound of the best score
};

}  // namespace

MatchFound best_match_spectral(const ImageView& plane, MatchTemplate& pattern,
                               HostMatchScratch& scratch, Queue& host) {
  if (!scratch.shape || scratch.width != plane.width || scratch.height != plane.height) {
    scratch.shape = std::make_unique<SpectrumShape>(plane.width, plane.height);
    scratch.width = plane.width;
    scratch.height = plane.height;
  }
  scratch.tiles.resize(scratch.shape->tile_floats() / 16);
  return SpectralSearch(plane, pattern, scratch, host).run();
}

}  // namespace cltrack
