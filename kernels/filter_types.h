// SPDX-License-Identifier: LGPL-2.1-or-later
// Types and constants that host and kernels of the correlation filter share, beside kernel_types.h.
#pragma once

#include "kernel_types.h"

#ifndef __OPENCL_C_VERSION__
namespace cltrack {
#endif

#define CLTRACK_WINDOW_PIXEL 4096     // units of WindowJob in a pixel
#define CLTRACK_WINDOW_PIXEL_BITS 12  // 2 to the power of this
#define CLTRACK_GREY_SAMPLES 64       // values of a sample in a grey level

// A window of a picture, see lib/ops/filter/sample_windows.h: its upper left corner and the
// distance between samples, in 1/4096 pixel.
struct WindowJob {
  int x;
  int y;
  int step_x;
  int step_y;
  int frame;  // index of the picture
};

#define CLTRACK_CELL_SIDE 4  // samples
#define CLTRACK_HOG_TILE 8   // cells along a side of what a work-group takes
#define CLTRACK_HOG_DIRECTIONS 18
#define CLTRACK_HOG_CHANNELS 32
#define CLTRACK_HOG_CUT 0.2f
#define CLTRACK_HOG_TEXTURE 0.2357f
#define CLTRACK_HOG_FLOOR 0.01f  // added to the energy of a block, in grey levels squared

// Cosines and sines, times 2^14, of the angles halfway between the directions 0 to 9: 10 degrees,
// 30 degrees and so on.
#define CLTRACK_HALFWAY_ANGLES 9
#define CLTRACK_HALFWAY_COS \
  { 16135, 14189, 10531, 5604, 0, -5604, -10531, -14189, -16135 }
#define CLTRACK_HALFWAY_SIN \
  { 2845, 8192, 12551, 15396, 16384, 15396, 12551, 8192, 2845 }

// The grid of the correlation filter, and its spectrum, see lib/ops/filter/translation_filter.h.
#define CLTRACK_FILTER_CELLS 32
#define CLTRACK_FILTER_ROWS 17  // half of the spectrum
#define CLTRACK_FILTER_BINS (CLTRACK_FILTER_ROWS * CLTRACK_FILTER_CELLS)
#define CLTRACK_FILTER_PAIRS (CLTRACK_HOG_CHANNELS / 2)  // of channels
#define CLTRACK_FILTER_PENALTY 0.3f                      // gamma of both steps

// See lib/ops/filter/translation_filter.h.
struct FilterJob {
  int window;        // index of the spectrum
  int slot;          // index of the filter
  float half_width;  // cells around the middle in which the filter may differ from 0
  float half_height;
  float temporal;  // mu: how much the filter before counts, 0 for the first frame
};

// The scale filter, see lib/ops/filter/scale_filter.h.
#define CLTRACK_SCALES 33
#define CLTRACK_SCALE_BINS 17  // of the transform over the scales; the others follow from them
#define CLTRACK_SCALE_CELLS 6  // along a side of a window
#define CLTRACK_SCALE_VALUES (CLTRACK_SCALE_CELLS * CLTRACK_SCALE_CELLS * CLTRACK_HOG_CHANNELS)
#define CLTRACK_SCALE_LANES 32     // partial sums over the values
#define CLTRACK_SCALE_FLOOR 0.01f  // added to the denominators

// 0.5 * (1 - cos(2 pi (s + 1) / 34)) for each scale s.
#define CLTRACK_SCALE_HANN                                                                        \
  {                                                                                               \
    0.00851345062f, 0.0337638855f, 0.0748914331f, 0.130495548f, 0.198682681f, 0.277130812f,       \
        0.363168508f, 0.453865826f, 0.546134174f, 0.636831522f, 0.722869158f, 0.801317334f,       \
        0.869504452f, 0.925108552f, 0.966236115f, 0.991486549f, 1.0f, 0.991486549f, 0.966236115f, \
        0.925108552f, 0.869504452f, 0.801317334f, 0.722869158f, 0.636831522f, 0.546134174f,       \
        0.453865826f, 0.363168508f, 0.277130812f, 0.198682681f, 0.130495548f, 0.0748914331f,      \
        0.0337638855f, 0.00851345062f                                                             \
  }

// cos(2 pi i / 33) and sin(2 pi i / 33).
#define CLTRACK_SCALE_COS                                                                        \
  {                                                                                              \
    1.0f, 0.981928706f, 0.928367913f, 0.841253519f, 0.723734021f, 0.580056906f, 0.415415019f,    \
        0.23575893f, 0.0475819148f, -0.142314836f, -0.327067971f, -0.5f, -0.654860735f,          \
        -0.786053121f, -0.88883543f, -0.959492981f, -0.995471895f, -0.995471895f, -0.959492981f, \
        -0.88883543f, -0.786053121f, -0.654860735f, -0.5f, -0.327067971f, -0.142314836f,         \
        0.0475819148f, 0.23575893f, 0.415415019f, 0.580056906f, 0.723734021f, 0.841253519f,      \
        0.928367913f, 0.981928706f                                                               \
  }
#define CLTRACK_SCALE_SIN                                                                         \
  {                                                                                               \
    0.0f, 0.189251244f, 0.371662468f, 0.540640831f, 0.690079033f, 0.81457597f, 0.909631968f,      \
        0.971811593f, 0.998867333f, 0.989821434f, 0.945000827f, 0.866025388f, 0.755749583f,       \
        0.618158996f, 0.458226532f, 0.281732559f, 0.0950560421f, -0.0950560421f, -0.281732559f,   \
        -0.458226532f, -0.618158996f, -0.755749583f, -0.866025388f, -0.945000827f, -0.989821434f, \
        -0.998867333f, -0.971811593f, -0.909631968f, -0.81457597f, -0.690079033f, -0.540640831f,  \
        -0.371662468f, -0.189251244f                                                              \
  }

// The transform of the response that the filter shall have: exp(-0.5 * (s - 16)^2 / sigma^2), sigma
// = sqrt(33) / 4.
#define CLTRACK_SCALE_LABEL_RE                                                                     \
  {                                                                                                \
    3.59987068f, -3.45207238f, 3.04384613f, -2.46720004f, 1.83751285f, -1.25662959f, 0.788345039f, \
        -0.453077823f, 0.238099948f, -0.114108123f, 0.0496767871f, -0.019529745f, 0.00686729653f,  \
        -0.002123788f, 0.000558984466f, -0.000116687173f, 1.54276677e-05f                          \
  }
#define CLTRACK_SCALE_LABEL_IM                                                                    \
  {                                                                                               \
    0.0f, -0.329632938f, 0.586653292f, -0.72443527f, 0.735629201f, -0.647837579f, 0.506638587f,   \
        -0.356304348f, 0.227027848f, -0.131687805f, 0.0697612837f, -0.0338265076f, 0.0150372814f, \
        -0.00613628281f, 0.00230416539f, -0.000811577134f, 0.00032386661f                         \
  }

// A target whose filter learns: values `window` of the spectra go into place `slot`.
struct ScaleLearnJob {
  int window;
  int slot;    // no two jobs of a call have the same
  float rate;  // 0 to 1
};

// A target whose filter is to respond.
struct ScaleRespondJob {
  int window;
  int slot;
};

// Colours of samples, see lib/ops/filter/filter_colors.h: a bin has 5 bits of each component.
#define CLTRACK_COLOR_BIN_BITS 5
#define CLTRACK_COLOR_BINS (1 << 3 * CLTRACK_COLOR_BIN_BITS)
#define CLTRACK_LEAST_CHROMA 64    // of the bins of Cb and Cr,
#define CLTRACK_CHROMA_BIN_BITS 2  // and 2 to the power of this values in each
#define CLTRACK_LUMA_ALONE 0       // kinds of pictures
#define CLTRACK_RGB 1
#define CLTRACK_YUV 2

// Learning of the colours of a window, see lib/ops/filter/filter_colors.h. Rectangles are in
// samples, right and bottom exclusive.
struct ColorLearnJob {
  int window;
  int slot;        // of the target's histograms
  int inner_left;  // the target is inside
  int inner_top;
  int inner_right;
  int inner_bottom;
  int outer_left;  // the background is outside
  int outer_top;
  int outer_right;
  int outer_bottom;
  float rate;  // 0 to 1
};
#define CLTRACK_LEAST_SHARE 1e-20f  // of a histogram's entries; less is 0

// Where a target is looked for by its colours, see lib/ops/filter/filter_colors.h.
struct ColorResponseJob {
  int window;
  int slot;
  int width;  // of the box, in samples
  int height;
  float scale;  // 1 / (65535 * width * height)
};
#define CLTRACK_COLOR_PLACES 32  // along each axis

#ifndef __OPENCL_C_VERSION__
static_assert(sizeof(WindowJob) == 20);
static_assert(sizeof(FilterJob) == 20);
static_assert(sizeof(ScaleLearnJob) == 12);
static_assert(sizeof(ScaleRespondJob) == 8);
static_assert(sizeof(ColorLearnJob) == 44);
static_assert(sizeof(ColorResponseJob) == 20);
}  // namespace cltrack
#endif
