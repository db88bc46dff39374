// SPDX-License-Identifier: LGPL-2.1-or-later
// What host and kernels agree on: plain structures of fixed-width numbers, passed by value. Every
// kernel includes it first, also for the rules of arithmetic that it sets.
#pragma once

#ifdef __OPENCL_C_VERSION__

// Fusing a multiplication with an addition rounds once where the host rounds twice.
#pragma OPENCL FP_CONTRACT OFF

#define CLTRACK_SHARED_INT int
#define CLTRACK_SHARED_UINT uint
#define CLTRACK_SHARED_LONG long
#define CLTRACK_SHARED_ULONG ulong

#else

#include <cstdint>

#define CLTRACK_SHARED_INT std::int32_t
#define CLTRACK_SHARED_UINT std::uint32_t
#define CLTRACK_SHARED_LONG std::int64_t
#define CLTRACK_SHARED_ULONG std::uint64_t

namespace cltrack {
#endif

// Where the pixels of a plane lie in its buffer: pixel (x, y) is byte offset + y * stride + x.
// Buffers are passed whole, with an offset: sub-buffers have to be aligned, planes are not.
struct PlaneLayout {
  CLTRACK_SHARED_INT width;
  CLTRACK_SHARED_INT height;
  CLTRACK_SHARED_INT stride;
  CLTRACK_SHARED_INT offset;
};

// One target's part of a scan, see lib/ops/ferns/scan_windows.h. The windows of all jobs are
// numbered one job after the other, and so are their sizes.
struct ScanJob {
  CLTRACK_SHARED_UINT first;  // index of its first window
  CLTRACK_SHARED_UINT count;
  CLTRACK_SHARED_INT first_size;
  CLTRACK_SHARED_INT size_count;
  CLTRACK_SHARED_INT tables;        // slot of its fern tables
  CLTRACK_SHARED_UINT least_score;  // of its best windows
  CLTRACK_SHARED_INT frame;         // index of the frame that it looks at
  CLTRACK_SHARED_INT unused;
};

// Windows of one size of a job: columns x rows of them, row by row.
struct WindowLayout {
  CLTRACK_SHARED_INT width;
  CLTRACK_SHARED_INT height;
  CLTRACK_SHARED_INT columns;
  CLTRACK_SHARED_INT rows;
  CLTRACK_SHARED_INT xs;      // where its left edges begin in the array of all edges
  CLTRACK_SHARED_INT ys;      // and its top edges
  CLTRACK_SHARED_INT pairs;   // where its pixel pairs begin in the array of all pairs
  CLTRACK_SHARED_UINT first;  // index of the first window
  CLTRACK_SHARED_ULONG minimum_variance;
  CLTRACK_SHARED_INT job;
  CLTRACK_SHARED_INT unused;
};

// Neighbouring windows of one size that one work-group scans: places [place, place + count) of it.
struct WindowPart {
  CLTRACK_SHARED_INT size;
  CLTRACK_SHARED_INT place;
  CLTRACK_SHARED_INT count;
  CLTRACK_SHARED_INT slot;  // windows in all parts before it
};

// A warp in integers, see lib/ops/ferns/fern_codes.h: positions in 1/256 pixel.
struct FixedWarp {
  CLTRACK_SHARED_LONG matrix[4];  // in 1/65536
  CLTRACK_SHARED_LONG center_x;
  CLTRACK_SHARED_LONG center_y;
  CLTRACK_SHARED_LONG shift_x;
  CLTRACK_SHARED_LONG shift_y;
  CLTRACK_SHARED_LONG noise;  // of the sum of four bytes, in 1/65536 grey level
  CLTRACK_SHARED_UINT seed;
  CLTRACK_SHARED_INT plain;  // 1 if it changes nothing
};

// Windows of one target that are seen through its warps, see lib/ops/ferns/fern_codes.h: ranges of
// the list of windows, of the warps and of the sizes of all targets.
struct CodeJob {
  CLTRACK_SHARED_UINT first_listed;
  CLTRACK_SHARED_UINT listed;
  CLTRACK_SHARED_UINT first_warp;
  CLTRACK_SHARED_UINT warps;
  CLTRACK_SHARED_UINT first_sample;  // listed * warps of them
  CLTRACK_SHARED_INT first_size;
  CLTRACK_SHARED_INT size_count;
  CLTRACK_SHARED_INT frame;  // index of the picture
};

// What the ferns of one target learn from a frame, see lib/ops/ferns/fern_update.h. Its samples lie
// from first_sample on among those of all targets: first the positives, then the others.
struct LearnJob {
  CLTRACK_SHARED_UINT first_window;  // windows and sizes of the target among those of all
  CLTRACK_SHARED_UINT window_count;
  CLTRACK_SHARED_INT first_size;
  CLTRACK_SHARED_INT size_count;
  CLTRACK_SHARED_UINT first_sample;
  CLTRACK_SHARED_UINT positives;
  CLTRACK_SHARED_INT tables;           // slot of its tables
  CLTRACK_SHARED_UINT positive_score;  // up to which positives are learnt
  float x;                             // where the target is
  float y;
  float width;
  float height;
  CLTRACK_SHARED_INT frame;  // index of the picture
  CLTRACK_SHARED_UINT room;  // for so many samples behind the positives
};

// The levels of a picture's pyramid in one buffer, the finest first.
#define CLTRACK_MAX_FLOW_LEVELS 9
struct FlowLevels {
  struct PlaneLayout levels[CLTRACK_MAX_FLOW_LEVELS];
  CLTRACK_SHARED_INT top;  // index of the coarsest
};

// Where a point went, see lib/ops/flow/point_flow.h.
struct TrackedPoint {
  float x;
  float y;
  float forward_backward;
  float similarity;
  CLTRACK_SHARED_INT found;
};

// A target's model among the patches of all, see lib/ops/patches/nearest_patches.h.
struct PatchJob {
  CLTRACK_SHARED_INT first_positive;
  CLTRACK_SHARED_INT positives;
  CLTRACK_SHARED_INT conservative;  // the first of them are that
  CLTRACK_SHARED_INT first_negative;
  CLTRACK_SHARED_INT negatives;
  CLTRACK_SHARED_INT frame;  // 0; nobody reads it yet
};

// Where the three components of a picture lie, each in a buffer of its own or in the same: byte
// offset + (y >> shift_y) * stride + (x >> shift_x) * step. Strides may be negative.
struct ColorComponentLayout {
  CLTRACK_SHARED_LONG offset;
  CLTRACK_SHARED_LONG stride;
  CLTRACK_SHARED_INT step;
  CLTRACK_SHARED_INT shift_x;
  CLTRACK_SHARED_INT shift_y;
  CLTRACK_SHARED_INT unused;
};
struct ColorLayout {
  struct ColorComponentLayout components[3];
  CLTRACK_SHARED_INT width;
  CLTRACK_SHARED_INT height;
};

// The pixels of an object, see lib/ops/color/color_sums.h.
struct ColorSum {
  CLTRACK_SHARED_ULONG count;
  CLTRACK_SHARED_ULONG sum_x;
  CLTRACK_SHARED_ULONG sum_y;
  CLTRACK_SHARED_INT left;
  CLTRACK_SHARED_INT top;
  CLTRACK_SHARED_INT right;
  CLTRACK_SHARED_INT bottom;
};

// How similar a template and the picture are at a place, see lib/ops/match/match_template.h.
struct MatchFound {
  CLTRACK_SHARED_LONG numerator;
  CLTRACK_SHARED_ULONG energy;  // of the picture's patch; 0: flat
  CLTRACK_SHARED_INT x;
  CLTRACK_SHARED_INT y;
};

// The stages of a Fourier transform, see lib/ops/match/fft_plan.h.
#define CLTRACK_MAX_FFT_STAGES 14
struct FftStages {
  CLTRACK_SHARED_INT length;
  CLTRACK_SHARED_INT count;
  CLTRACK_SHARED_INT radices[CLTRACK_MAX_FFT_STAGES];
};

// A template among its places, see lib/ops/match/match_template_cl.cpp.
struct MatchSearch {
  CLTRACK_SHARED_ULONG pixels;  // of the template
  CLTRACK_SHARED_ULONG sum;
  float factor;           // ncc: level less the template's mean
  float energy_factor;    // energies are multiplied by it
  float template_energy;  // times it
  float there;            // error of a product, times the plane's norm
  float back;             // and times the norm of the product of spectra
  CLTRACK_SHARED_INT cosine;
  CLTRACK_SHARED_INT level;  // what is taken off the template's pixels
  CLTRACK_SHARED_INT width;  // of the template
  CLTRACK_SHARED_INT height;
  CLTRACK_SHARED_INT row_words;  // of its rows in memory, 4 pixels each
  CLTRACK_SHARED_INT places_x;
  CLTRACK_SHARED_INT places_y;
};

#ifndef __OPENCL_C_VERSION__
static_assert(sizeof(PlaneLayout) == 16);
static_assert(sizeof(ScanJob) == 32);
static_assert(sizeof(WindowLayout) == 48);
static_assert(sizeof(WindowPart) == 16);
static_assert(sizeof(FixedWarp) == 80);
static_assert(sizeof(CodeJob) == 32);
static_assert(sizeof(LearnJob) == 56);
static_assert(sizeof(FlowLevels) == 16 * CLTRACK_MAX_FLOW_LEVELS + 4);
static_assert(sizeof(TrackedPoint) == 20);
static_assert(sizeof(PatchJob) == 24);
static_assert(sizeof(ColorComponentLayout) == 32);
static_assert(sizeof(ColorLayout) == 104);
static_assert(sizeof(ColorSum) == 40);
static_assert(sizeof(MatchFound) == 24);
static_assert(sizeof(FftStages) == 64);
static_assert(sizeof(MatchSearch) == 64);
}  // namespace cltrack
#endif

#undef CLTRACK_SHARED_INT
#undef CLTRACK_SHARED_UINT
#undef CLTRACK_SHARED_LONG
#undef CLTRACK_SHARED_ULONG
