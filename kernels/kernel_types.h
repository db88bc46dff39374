// SPDX-License-Identifier: LGPL-2.1-or-later
// Types that host and kernels share: plain structures of fixed-width numbers, passed by value, and
// the constants that both need. Every kernel includes it first, also for the rules of arithmetic
// below.
#pragma once

#ifdef __OPENCL_C_VERSION__

// Fusing a multiplication with an addition rounds once where the host rounds twice.
#pragma OPENCL FP_CONTRACT OFF

#define CLTRACK_SHARED_USHORT ushort
#define CLTRACK_SHARED_INT int
#define CLTRACK_SHARED_UINT uint
#define CLTRACK_SHARED_LONG long
#define CLTRACK_SHARED_ULONG ulong

#else

#include <cstdint>

#define CLTRACK_SHARED_USHORT std::uint16_t
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

// A launch among those that a kernel runs for at a time, see kernels/parts/fused.cl; its arguments
// follow, each at a multiple of 8 bytes. A device's memory has so many chunks at most; the number
// of a chunk stands above so many bits of an address.
struct FusedLaunch {
  CLTRACK_SHARED_UINT first;      // number of its first work-group
  CLTRACK_SHARED_UINT groups[3];  // work-groups along each axis
};
#define CLTRACK_CHUNKS 8
#define CLTRACK_CHUNK_SHIFT 40

// Gaussian blur, see lib/ops/planes/blur.h: weights from the centre on, in 1/256.
#define CLTRACK_BLUR_RADIUS 6
#define CLTRACK_BLUR_WEIGHTS \
  { 50, 45, 31, 17, 7, 2, 1 }
#define CLTRACK_BLUR_TILE 32      // pixels a side that a work-group blurs
#define CLTRACK_BLUR_TILE_ROWS 8  // rows of items in such a group

// Integral images, see lib/ops/planes/integral.h.
#define CLTRACK_EXACT_SQUARES 66051  // pixels whose squares' sum has 32 bits
#define CLTRACK_INTEGRAL_ITEMS 256   // of a work-group
#define CLTRACK_INTEGRAL_COLUMNS 8   // that a work-group adds up downwards

// Ferns, see lib/ops/ferns/fern_tables.h: at most so many, and pixel pairs of each. Posteriors are
// in 1/CLTRACK_POSTERIOR_ONE.
#define CLTRACK_MAX_FERNS 16
#define CLTRACK_MAX_PAIRS 13
#define CLTRACK_POSTERIOR_ONE (1u << 15)

// How often a code of a fern was observed.
struct LeafCount {
  CLTRACK_SHARED_USHORT positives;  // on the target
  CLTRACK_SHARED_USHORT negatives;  // elsewhere
};

// Work-groups of a scan, on GPUs.
#define CLTRACK_PART_WINDOWS 64  // of a partition, at most
#define CLTRACK_SCAN_PARTS 8     // partitions that a group scans
#define CLTRACK_GATHER_ITEMS 256
#define CLTRACK_GATHER_PARTS 16  // whose candidates a group moves at a time

// One target's part of a scan, see lib/ops/ferns/scan_windows.h. The windows of all jobs are
// numbered one job after the other, and so are their sizes.
struct ScanJob {
  CLTRACK_SHARED_UINT first;  // index of its first window
  CLTRACK_SHARED_UINT count;
  CLTRACK_SHARED_INT first_size;
  CLTRACK_SHARED_INT size_count;
  CLTRACK_SHARED_INT tables;        // slot of its fern tables
  CLTRACK_SHARED_UINT least_score;  // of its best windows
  CLTRACK_SHARED_INT frame;         // index of its frame
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

// The part of a job that is scanned: the windows of these sizes, among those of all, that lie
// between these edges, right and bottom exclusive; and of each of its sizes the whole rows r with
// r % row_interval == row_turn, none if row_interval is 0.
struct ScanRegion {
  CLTRACK_SHARED_INT left;
  CLTRACK_SHARED_INT top;
  CLTRACK_SHARED_INT right;
  CLTRACK_SHARED_INT bottom;
  CLTRACK_SHARED_INT first_size;
  CLTRACK_SHARED_INT size_count;
  CLTRACK_SHARED_INT row_interval;
  CLTRACK_SHARED_INT row_turn;
};

// A partition of a scan: windows [place, place + count) of a size.
struct WindowPart {
  CLTRACK_SHARED_INT size;
  CLTRACK_SHARED_INT place;
  CLTRACK_SHARED_INT count;
  CLTRACK_SHARED_INT index;  // among all partitions in the order of their windows
};

// The best windows of a job, see lib/ops/ferns/scan.h.
#define CLTRACK_MAX_BEST 1000
#define CLTRACK_SELECT_KEYS 1024  // that fit into a work-group's local memory, and items of it

// A warp in integers, see lib/ops/ferns/fern_codes.h.
#define CLTRACK_WARP_FRACTION_BITS 8  // of positions, in pixels
#define CLTRACK_WARP_MATRIX_BITS 16   // of the matrix, and of noise
struct FixedWarp {
  CLTRACK_SHARED_LONG matrix[4];
  CLTRACK_SHARED_LONG center_x;
  CLTRACK_SHARED_LONG center_y;
  CLTRACK_SHARED_LONG shift_x;
  CLTRACK_SHARED_LONG shift_y;
  CLTRACK_SHARED_LONG noise;  // of the sum of four bytes, grey levels
  CLTRACK_SHARED_UINT seed;
  CLTRACK_SHARED_INT plain;  // 1 if it changes nothing
};

// Windows and warps of one target, see lib/ops/ferns/fern_codes.h: ranges of the list of windows,
// of the warps and of the sizes of all targets.
struct CodeJob {
  CLTRACK_SHARED_UINT first_listed;
  CLTRACK_SHARED_UINT listed;
  CLTRACK_SHARED_UINT first_warp;
  CLTRACK_SHARED_UINT warps;
  CLTRACK_SHARED_UINT first_sample;  // listed * warps of them
  CLTRACK_SHARED_INT first_size;
  CLTRACK_SHARED_INT size_count;
  CLTRACK_SHARED_INT frame;  // index of its frame
};

// Training, see lib/ops/ferns/fern_tables.h and far_candidates.h.
#define CLTRACK_MAX_BLOCKS 16     // of order_samples()
#define CLTRACK_UPDATE_ITEMS 512  // of a work-group of update_ferns(), at most
#define CLTRACK_FAR_ITEMS 256     // of a work-group of far_candidates()

// The training samples of one target in a frame. They begin at first_sample among those of all
// targets: first the positives, then the negatives.
struct LearnJob {
  CLTRACK_SHARED_UINT first_window;  // windows and sizes of the target among those of all
  CLTRACK_SHARED_UINT window_count;
  CLTRACK_SHARED_INT first_size;
  CLTRACK_SHARED_INT size_count;
  CLTRACK_SHARED_UINT first_sample;
  CLTRACK_SHARED_UINT positives;
  CLTRACK_SHARED_INT tables;           // slot of its tables
  CLTRACK_SHARED_UINT positive_score;  // a positive is learnt if its score is at most this
  float x;                             // the target's box
  float y;
  float width;
  float height;
  CLTRACK_SHARED_INT frame;  // index of its frame
  CLTRACK_SHARED_UINT room;  // for negatives
};

// Optical flow, see lib/ops/flow/point_flow.h.
#define CLTRACK_LARGEST_FLOW_WINDOW 31
#define CLTRACK_SIMILARITY_SIDE 10  // see lib/ops/flow/flow_window.h
#define CLTRACK_FLOW_ITEMS 128      // of a GPU's work-group; a CPU's has 1
#define CLTRACK_FLOW_PARTS 8        // of a sum over a work-group
#define CLTRACK_FLOW_LANES 16       // of a CPU's vectors
#define CLTRACK_FLOW_TILE 2         // pixels a side of the last level that a work-group makes,
#define CLTRACK_FLOW_STEPS 4        // and levels that it makes at most

// The levels of a picture's pyramid in one buffer, the finest first.
#define CLTRACK_MAX_FLOW_LEVELS 9
struct FlowLevels {
  struct PlaneLayout levels[CLTRACK_MAX_FLOW_LEVELS];
  CLTRACK_SHARED_INT top;  // index of the coarsest
};

// A point in the next picture, see lib/ops/flow/point_flow.h.
struct TrackedPoint {
  float x;
  float y;
  float forward_backward;
  float similarity;
  CLTRACK_SHARED_INT found;
};

// Patches, see lib/ops/patches/extract_patches.h.
#define CLTRACK_PATCH_SIDE 15
#define CLTRACK_PATCH_STRIDE 240
#define CLTRACK_PATCH_ROW_BITS 4
#define CLTRACK_PATCH_WEIGHT_BITS 14
#define CLTRACK_PATCH_LANES 16    // items that make the weights of an output
#define CLTRACK_NEAREST_TILE 16   // queries, and patches of a model, of a work-group
#define CLTRACK_NEAREST_ITEMS 64  // of a work-group that finds the nearest

// A target's model among the patches of all, see lib/ops/patches/nearest_patches.h.
struct PatchJob {
  CLTRACK_SHARED_INT first_positive;
  CLTRACK_SHARED_INT positives;
  CLTRACK_SHARED_INT conservative;  // the first so many of them
  CLTRACK_SHARED_INT first_negative;
  CLTRACK_SHARED_INT negatives;
  CLTRACK_SHARED_INT frame;  // 0; not read yet
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

// Bits of each component in a cell of the table of labels, see lib/ops/color/color_sums.h.
#define CLTRACK_COLOR_BITS 6

// Numbers that a work-group of color_sums has for each object.
#define CLTRACK_COLOR_NUMBERS 7

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

// The similarity of a template and the picture at a place, see lib/ops/match/match_score.h.
struct MatchFound {
  CLTRACK_SHARED_LONG numerator;
  CLTRACK_SHARED_ULONG energy;  // of the picture's patch; 0: flat
  CLTRACK_SHARED_INT x;
  CLTRACK_SHARED_INT y;
};

// The stages of a Fourier transform, see lib/ops/fourier/fft_plan.h.
#define CLTRACK_MAX_FFT_STAGES 14
struct FftStages {
  CLTRACK_SHARED_INT length;
  CLTRACK_SHARED_INT count;
  CLTRACK_SHARED_INT radices[CLTRACK_MAX_FFT_STAGES];
};

// A template and its places, see lib/ops/match/best_match_device.cpp.
struct MatchSearch {
  CLTRACK_SHARED_ULONG pixels;  // of the template
  CLTRACK_SHARED_ULONG sum;
  float factor;           // ncc: level less the template's mean
  float energy_factor;    // energies are multiplied by it
  float template_energy;  // times it
  float forward_error;    // error of a product, divided by the plane's norm
  float inverse_error;    // and divided by the norm of the product of spectra
  CLTRACK_SHARED_INT cosine;
  CLTRACK_SHARED_INT level;  // subtracted from the template's pixels
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
static_assert(sizeof(ScanRegion) == 32);
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
