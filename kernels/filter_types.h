// SPDX-License-Identifier: LGPL-2.1-or-later
// What host and kernels of the correlation filter agree on, beside kernel_types.h.
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

#ifndef __OPENCL_C_VERSION__
static_assert(sizeof(WindowJob) == 20);
}  // namespace cltrack
#endif
