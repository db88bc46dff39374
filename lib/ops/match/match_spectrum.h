// SPDX-License-Identifier: LGPL-2.1-or-later
// The sums of products of a template and a plane at all places, in frequency space and in float:
// the transforms of rows, two by two as one complex transform, and of columns, the product with the
// template's spectrum, and the inverse transforms. Planes are padded with zeros to lengths that
// fft_length() returns; no place at which the template fits is affected by wrapping around.
//
// Between rows and columns the spectrum is in tiles of 8 x 8, so that both passes work on whole
// vectors. The functions below are the steps in their order; calls of one step are independent, and
// each needs a SpectrumWork of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cltrack/image_view.h"
#include "ops/fourier/fft_plan.h"

namespace cltrack {

struct SpectrumShape {
  SpectrumShape(int width, int height);  // of the plane

  static constexpr int kBatchRows = 16;

  FftPlan rows, columns;
  int column_blocks;  // of 8 columns; the spectrum of real rows has width / 2 + 1
  int batches;        // of kBatchRows rows

  std::size_t tile_floats() const {
    return static_cast<std::size_t>(column_blocks) * static_cast<std::size_t>(batches) * 256;
  }
  std::size_t spectrum_size() const {
    return static_cast<std::size_t>(column_blocks) * static_cast<std::size_t>(columns.length);
  }
  // The error of a transform of the whole plane in one direction, see FftPlan::error.
  double error() const;
};

struct SpectrumWork {
  std::vector<Complex8> data, other;
  std::vector<std::uint8_t> blank;
  void resize(const SpectrumShape& shape, std::uint8_t offset);
};

// Transforms the rows of a batch, less `offset` everywhere. Returns the sum of their squares.
double forward_rows(const SpectrumShape& shape, const ImageView& image, std::uint8_t offset,
                    int batch, float* tiles, SpectrumWork& work);

// The template's columns: writes block `block` of its spectrum, conjugated and divided by the
// number of values, so that nothing has to be scaled later.
void spectrum_columns(const SpectrumShape& shape, int block, const float* tiles, Complex8* spectrum,
                      SpectrumWork& work);

// The plane's columns: transform, product, and inverse transform of the first `rows` rows. Returns
// the sum of squares of the product's block, and of the columns that are symmetric to it.
double correlate_columns(const SpectrumShape& shape, int block, const Complex8* spectrum, int rows,
                         float* tiles, SpectrumWork& work);

// The result's rows of a batch, `stride` floats apart. Each has shape.rows.length values; up to 7
// more are written.
void inverse_rows(const SpectrumShape& shape, int batch, const float* tiles, float* result,
                  std::ptrdiff_t stride, SpectrumWork& work);

}  // namespace cltrack
