// SPDX-License-Identifier: LGPL-2.1-or-later
// What a device's search of match_template.h keeps.
#pragma once

#include <memory>
#include <vector>

#include "compute/array.h"
#include "kernels/kernel_types.h"
#include "ops/match/match_template.h"
#include "ops/planes/integral.h"

namespace cltrack {

// The values of a spectrum are pairs of floats.
struct ComplexPair {
  float re, im;
};

struct MatchTemplate::OnDevice {
  std::shared_ptr<Device> device;  // that it is for
  Plane plane;
  Array<std::uint8_t> padded;  // rows of whole words, behind them zeros
  int row_words = 0;
  // Of transforms of these lengths; 0: none yet.
  int spectrum_width = 0, spectrum_height = 0;
  Array<ComplexPair> spectrum;
};

// How a transform is run.
struct DeviceFft {
  FftStages stages = {};
  double error = 0;
  Array<float> twiddles;
  bool is_long = false;  // too long for local memory
  int items = 0;         // of a work-group

  // Does nothing if it is for `length` already.
  void prepare(int length, const DeviceInfo& device, std::uint64_t local_memory);
};

struct MatchScratch::OnDevice {
  MatchWay way = MatchWay::by_size;
  std::uint64_t most_local_memory = UINT64_MAX;  // transforms that need more are long

  DeviceFft rows, columns;
  IntegralArrays integrals;
  Array<ComplexPair> spectrum, work;
  Array<float> products, uppers, lowers;
  Array<std::uint32_t> list, count;
  Array<MatchFound> found;
};

}  // namespace cltrack
