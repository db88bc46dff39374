// SPDX-License-Identifier: LGPL-2.1-or-later
// The transforms of two real planes of 32 x 32 cells as one complex plane, and back, in vectors:
// see translation_filter.h for the layouts. kernels/parts/filter_plane.cl has the same.
#pragma once

#include <cstddef>
#include <cstring>

#include "kernels/filter_types.h"
#include "ops/fourier/fft_plan.h"

namespace cltrack::filter_plane {

inline constexpr int kSide = CLTRACK_FILTER_CELLS;
inline constexpr int kBlocks = kSide / 8;
inline constexpr int kRows = CLTRACK_FILTER_ROWS;

// Rows of 32 values, in vectors of 8.
struct Plane {
  Complex8 rows[kSide][kBlocks];
};

// Vectors are passed by reference: how values are depends on what a file is compiled for.
[[gnu::always_inline]] inline void load(Floats8& value, const float* from) {
  std::memcpy(&value, from, sizeof(value));
}
[[gnu::always_inline]] inline void store(float* to, const Floats8& value) {
  std::memcpy(to, &value, sizeof(value));
}

// Swaps rows and columns.
[[gnu::always_inline]] inline void transpose(const Plane& from, Plane& to) {
  for (int i = 0; i < kBlocks; ++i) {
    for (int j = 0; j < kBlocks; ++j) {
      Floats8 re[8], im[8];
      for (int k = 0; k < 8; ++k) {
        re[k] = from.rows[8 * i + k][j].re;
        im[k] = from.rows[8 * i + k][j].im;
      }
      fft::transpose(re);
      fft::transpose(im);
      for (int k = 0; k < 8; ++k) to.rows[8 * j + k][i] = {re[k], im[k]};
    }
  }
}

// Transforms every column: row k becomes what belongs to frequency k.
[[gnu::always_inline]] inline void transform_columns(const FftPlan& plan, Plane& plane) {
  for (int block = 0; block < kBlocks; ++block) {
    Complex8 column[kSide], other[kSide];
    for (int k = 0; k < kSide; ++k) column[k] = plane.rows[k][block];
    const Complex8* result = fft::transform(plan, column, other);
    for (int k = 0; k < kSide; ++k) plane.rows[k][block] = result[k];
  }
}

// The spectra of two planes: `plane` has one as real parts, one as imaginary parts, row x having
// the column x of cells. first, second: real parts, then imaginary parts.
[[gnu::always_inline]] inline void forward(const FftPlan& plan, Plane& plane, float* first,
                                           float* second) {
  constexpr int kBins = CLTRACK_FILTER_BINS;
  Plane turned;
  transform_columns(plan, plane);
  transpose(plane, turned);
  transform_columns(plan, turned);
  float re[kSide][kSide], im[kSide][kSide];
  for (int v = 0; v < kSide; ++v) {
    for (int block = 0; block < kBlocks; ++block) {
      store(&re[v][8 * block], turned.rows[v][block].re);
      store(&im[v][8 * block], turned.rows[v][block].im);
    }
  }
  for (int v = 0; v < kRows; ++v) {
    const float *re2 = re[(kSide - v) % kSide], *im2 = im[(kSide - v) % kSide];
    float mirrored_re[kSide], mirrored_im[kSide];
    for (int u = 0; u < kSide; ++u) {
      mirrored_re[u] = re2[(kSide - u) % kSide];
      mirrored_im[u] = im2[(kSide - u) % kSide];
    }
    for (int u = 0; u < kSide; ++u) {
      const int bin = v * kSide + u;
      first[bin] = 0.5f * (re[v][u] + mirrored_re[u]);
      first[kBins + bin] = 0.5f * (im[v][u] - mirrored_im[u]);
      second[bin] = 0.5f * (im[v][u] + mirrored_im[u]);
      second[kBins + bin] = 0.5f * (mirrored_re[u] - re[v][u]);
    }
  }
}

// Back: real parts of `plane` are the plane of `first`, imaginary parts that of `second`. Scaled by
// 32 * 32. The inverse transform is the forward one with real and imaginary parts exchanged, as
// they are in `plane` on the way.
[[gnu::always_inline]] inline void backward(const FftPlan& plan, const float* first,
                                            const float* second, Plane& plane) {
  constexpr int kBins = CLTRACK_FILTER_BINS;
  Plane turned;
  for (int v = 0; v < kSide; ++v) {
    float re[kSide], im[kSide];
    if (v < kRows) {
      for (int u = 0; u < kSide; ++u) {
        const int bin = v * kSide + u;
        re[u] = first[bin] - second[kBins + bin];
        im[u] = first[kBins + bin] + second[bin];
      }
    } else {
      for (int u = 0; u < kSide; ++u) {
        const int bin = (kSide - v) * kSide + (kSide - u) % kSide;
        re[u] = first[bin] + second[kBins + bin];
        im[u] = second[bin] - first[kBins + bin];
      }
    }
    for (int block = 0; block < kBlocks; ++block) {
      load(turned.rows[v][block].re, im + 8 * block);
      load(turned.rows[v][block].im, re + 8 * block);
    }
  }
  transform_columns(plan, turned);
  transpose(turned, plane);
  transform_columns(plan, plane);
  for (int x = 0; x < kSide; ++x) {
    for (int block = 0; block < kBlocks; ++block) {
      Complex8& value = plane.rows[x][block];
      value = {value.im, value.re};
    }
  }
}

}  // namespace cltrack::filter_plane
