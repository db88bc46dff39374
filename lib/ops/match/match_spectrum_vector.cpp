// SPDX-License-Identifier: LGPL-2.1-or-later
#include <algorithm>
#include <cstring>

#include "core/processor.h"
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

}  // namespace cltrack
