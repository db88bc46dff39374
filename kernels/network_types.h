// SPDX-License-Identifier: LGPL-2.1-or-later
// What host and kernels of networks agree on, beside kernel_types.h.
#pragma once

#include "kernel_types.h"

#ifndef __OPENCL_C_VERSION__
namespace cltrack {
#endif

// What a layer does to its sums, see lib/ops/network/activation.h.
#define CLTRACK_ACTIVATION_NONE 0
#define CLTRACK_ACTIVATION_RELU 1
#define CLTRACK_ACTIVATION_RELU6 2
#define CLTRACK_ACTIVATION_HARD_SWISH 3
#define CLTRACK_ACTIVATION_HARD_SIGMOID 4
#define CLTRACK_ACTIVATION_SIGMOID 5
#define CLTRACK_ACTIVATION_EXP 6

// e^x between these, as 2^n * e^r: log2(e), log(2) in two parts, and a polynomial in r, highest
// power first.
#define CLTRACK_EXP_LOWEST -87.0f
#define CLTRACK_EXP_HIGHEST 88.0f
#define CLTRACK_EXP_LOG2_E 1.44269504f
#define CLTRACK_EXP_LOG_2_HIGH 0.693359375f
#define CLTRACK_EXP_LOG_2_LOW -2.12194440e-4f
#define CLTRACK_EXP_TERMS 6
#define CLTRACK_EXP_POLYNOMIAL \
  { 1.9875691e-4f, 1.3981999e-3f, 8.3334519e-3f, 4.1665796e-2f, 0.16666666f, 0.5f }

#define CLTRACK_WEIGHT_LANES 8  // rows of weights have a multiple of so many

// Items of a work-group of pointwise.cl in both directions, and places that an item makes.
#define CLTRACK_PRODUCT_ACROSS 8
#define CLTRACK_PRODUCT_PLACES 2

#define CLTRACK_PICTURE_BITS 8  // of how much a pixel counts

// A layer, see lib/ops/network/convolutions.h. Maps are square.
struct LayerShape {
  int side;    // of the input, places
  int made;    // of the output
  int inputs;  // channels
  int outputs;
  int pitch;  // values between places of the output, its other channels included
  int first;  // channel of the output that the layer begins with
  int kernel_side;
  int stride;
  int pad;
  int activation;
  int adds;         // 1: to what is there
  int transposed;   // 1: a row of places for each channel
  int slot_values;  // between the kernels of two slots; 0: the weights are those of the model
  int hidden;       // of gates
  int weights;      // where they begin
  int bias;         // -1: none
  int second_weights;
  int second_bias;
  int scaled;   // 1: the input's channels are multiplied by gates first,
  int scaling;  // and this is done to them, an activation
};

// A picture of a frame's window, see lib/ops/network/sample_pictures.h.
struct PictureJob {
  int x;  // of the window, 1/4096 pixel
  int y;
  int step_x;
  int step_y;
  float fill[3];
  int unused;
};

// How values of a frame become blue, green and red.
struct PictureColors {
  float matrix[9];  // of the components less the offsets, row by row
  float offset[3];
  float mean[3];
  int components;  // 1: luma alone
};

#ifndef __OPENCL_C_VERSION__
static_assert(sizeof(LayerShape) == 80);
static_assert(sizeof(PictureJob) == 32);
static_assert(sizeof(PictureColors) == 64);
}  // namespace cltrack
#endif
