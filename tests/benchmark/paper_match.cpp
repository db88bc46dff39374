// SPDX-License-Identifier: LGPL-2.1-or-later
#include "paper_match.h"

#include <cmath>
#include <string>
#include <vector>

#include "compute/cl.h"
#include "compute/program_cache.h"

namespace cltrack::accuracy {
namespace {

constexpr int kBlock = 16;    // work-items of a group in both directions
constexpr int kReduce = 256;  // of a group that looks for the maximum
constexpr const char* kSource = R"kernel(
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double real;
#else
typedef float real;
#endif

real similarity_of(real product, real squares, float norm) {
  return squares == 0 || norm == 0 ? 0 : product / (sqrt(squares) * norm);
}

kernel void match_global(global const uchar* frame, int frame_width, int frame_height,
                         global const uchar* pattern, int width, int height, float norm,
                         global real* map) {
  const int x = get_global_id(0), y = get_global_id(1);
  if (x > frame_width - width || y > frame_height - height) return;
  real product = 0, squares = 0;
  for (int ty = 0; ty < height; ++ty) {
    for (int tx = 0; tx < width; ++tx) {
      const real f = frame[(y + ty) * frame_width + x + tx];
      const real t = pattern[ty * width + tx];
      product += f * t;
      squares += f * f;
    }
  }
  map[y * (frame_width - width + 1) + x] = similarity_of(product, squares, norm);
}

#define TILE 32

kernel void match_tiled(global const uchar* frame, int frame_width, int frame_height,
                        global const uchar* pattern, int width, int height, float norm,
                        global real* map) {
  local uchar tile[TILE * TILE];
  const int x = get_global_id(0), y = get_global_id(1);
  const int item = get_local_id(1) * get_local_size(0) + get_local_id(0);
  const int items = get_local_size(0) * get_local_size(1);
  const int is_place = x <= frame_width - width && y <= frame_height - height;
  real product = 0, squares = 0;
  for (int top = 0; top < height; top += TILE) {
    for (int left = 0; left < width; left += TILE) {
      for (int i = item; i < TILE * TILE; i += items) {
        const int ty = top + i / TILE, tx = left + i % TILE;
        tile[i] = ty < height && tx < width ? pattern[ty * width + tx] : 0;
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      if (is_place) {
        const int rows = min(TILE, height - top), columns = min(TILE, width - left);
        for (int ty = 0; ty < rows; ++ty) {
          for (int tx = 0; tx < columns; ++tx) {
            const real f = frame[(y + top + ty) * frame_width + x + left + tx];
            const real t = tile[ty * TILE + tx];
            product += f * t;
            squares += f * f;
          }
        }
      }
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  }
  if (is_place) {
    map[y * (frame_width - width + 1) + x] = similarity_of(product, squares, norm);
  }
}

// Each group leaves its greatest value and where it was; `places` is null in the first pass.
void find_greatest(global const real* values, global const int* places, int count,
                   global real* best_values, global int* best_places, local real* own_values,
                   local int* own_places) {
  const int item = get_local_id(0), items = get_local_size(0);
  real best = -2;
  int place = 0;
  for (int i = get_global_id(0); i < count; i += get_global_size(0)) {
    if (values[i] > best) {
      best = values[i];
      place = places ? places[i] : i;
    }
  }
  own_values[item] = best;
  own_places[item] = place;
  for (int step = items / 2; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item >= step) continue;
    const real other = own_values[item + step];
    if (other > own_values[item] ||
        (other == own_values[item] && own_places[item + step] < own_places[item])) {
      own_values[item] = other;
      own_places[item] = own_places[item + step];
    }
  }
  if (item == 0) {
    best_values[get_group_id(0)] = own_values[0];
    best_places[get_group_id(0)] = own_places[0];
  }
}

kernel void find_max_blocks(global const real* map, int count, global real* best_values,
                            global int* best_places, local real* own_values,
                            local int* own_places) {
  find_greatest(map, 0, count, best_values, best_places, own_values, own_places);
}

kernel void find_max_last(global const real* values, global const int* places, int count,
                          global real* best_values, global int* best_places,
                          local real* own_values, local int* own_places) {
  find_greatest(values, places, count, best_values, best_places, own_values, own_places);
}
)kernel";

std::size_t round_up(int value, int unit) {
  return static_cast<std::size_t>((value + unit - 1) / unit * unit);
}

}  // namespace

struct PaperMatch::Parts {
  Queue& queue;
  int width, height;
  float norm = 0;
  std::size_t real_bytes = 4;
  cl::Kernel match, blocks, last;
  cl::Buffer pattern, frame, map, block_values, block_places, value, place;
  int frame_width = 0, frame_height = 0;

  template <typename... Arguments>
  void set_all(cl::Kernel& kernel, const Arguments&... arguments) {
    cl_uint index = 0;
    (kernel.setArg(index++, arguments), ...);
  }

  int groups() const {
    const int places = (frame_width - width + 1) * (frame_height - height + 1);
    return (places + kReduce - 1) / kReduce;
  }

  cl::Buffer buffer(std::size_t bytes) const {
    return cl::Buffer(queue.device().context(), CL_MEM_READ_WRITE, bytes);
  }
};

PaperMatch::PaperMatch(Queue& queue, const ImageView& pattern, bool tiled)
    : parts_(new Parts{.queue = queue,
                       .width = pattern.width,
                       .height = pattern.height,
                       .match = {},
                       .blocks = {},
                       .last = {},
                       .pattern = {},
                       .frame = {},
                       .map = {},
                       .block_values = {},
                       .block_places = {},
                       .value = {},
                       .place = {}}) {
  translate_errors(
      &queue.device(), [] { return std::string("the paper's kernels"); },
      [&] {
        Parts& p = *parts_;
        const cl::Program program =
            queue.device().programs().program_from_source("paper_match", kSource, "");
        p.match = cl::Kernel(program, tiled ? "match_tiled" : "match_global");
        p.blocks = cl::Kernel(program, "find_max_blocks");
        p.last = cl::Kernel(program, "find_max_last");
        const auto extensions = queue.device().cl_device().getInfo<CL_DEVICE_EXTENSIONS>();
        if (extensions.find("cl_khr_fp64") != std::string::npos) p.real_bytes = 8;
        std::vector<std::uint8_t> packed;
        double squares = 0;
        for (int y = 0; y < pattern.height; ++y) {
          packed.insert(packed.end(), pattern.row(y), pattern.row(y) + pattern.width);
        }
        for (const std::uint8_t value : packed) squares += static_cast<double>(value * value);
        p.norm = static_cast<float>(std::sqrt(squares));
        p.pattern = p.buffer(packed.size());
        queue.commands().enqueueWriteBuffer(p.pattern, CL_TRUE, 0, packed.size(), packed.data());
      });
}

PaperMatch::~PaperMatch() = default;

MatchPlace PaperMatch::find(const ImageView& view) {
  MatchPlace result;
  translate_errors(
      &parts_->queue.device(), [] { return std::string("the paper's kernels"); },
      [&] {
        Parts& p = *parts_;
        if (p.frame_width == 0) {
          p.frame_width = view.width;
          p.frame_height = view.height;
          const auto groups = static_cast<std::size_t>(p.groups());
          p.frame = p.buffer(static_cast<std::size_t>(view.width * view.height));
          p.map = p.buffer(groups * kReduce * p.real_bytes);
          p.block_values = p.buffer(groups * p.real_bytes);
          p.block_places = p.buffer(groups * sizeof(cl_int));
          p.value = p.buffer(p.real_bytes);
          p.place = p.buffer(sizeof(cl_int));
        }
        const int places_x = p.frame_width - p.width + 1, places_y = p.frame_height - p.height + 1;
        const cl::LocalSpaceArg values = cl::Local(kReduce * p.real_bytes);
        const cl::LocalSpaceArg places = cl::Local(kReduce * sizeof(cl_int));
        const cl::CommandQueue& commands = p.queue.commands();
        const auto bytes =
            static_cast<std::size_t>(view.width) * static_cast<std::size_t>(view.height);
        commands.enqueueWriteBuffer(p.frame, CL_FALSE, 0, bytes, view.data);
        p.set_all(p.match, p.frame, p.frame_width, p.frame_height, p.pattern, p.width, p.height,
                  p.norm, p.map);
        commands.enqueueNDRangeKernel(p.match, cl::NullRange,
                                      {round_up(places_x, kBlock), round_up(places_y, kBlock)},
                                      {std::size_t{kBlock}, std::size_t{kBlock}});
        p.set_all(p.blocks, p.map, places_x * places_y, p.block_values, p.block_places, values,
                  places);
        commands.enqueueNDRangeKernel(p.blocks, cl::NullRange,
                                      cl::NDRange(static_cast<std::size_t>(p.groups()) * kReduce),
                                      cl::NDRange(kReduce));
        p.set_all(p.last, p.block_values, p.block_places, p.groups(), p.value, p.place, values,
                  places);
        commands.enqueueNDRangeKernel(p.last, cl::NullRange, cl::NDRange(kReduce),
                                      cl::NDRange(kReduce));
        cl_int place = 0;
        double wide = 0;
        float narrow = 0;
        void* score = p.real_bytes == 8 ? static_cast<void*>(&wide) : static_cast<void*>(&narrow);
        commands.enqueueReadBuffer(p.value, CL_FALSE, 0, p.real_bytes, score);
        commands.enqueueReadBuffer(p.place, CL_TRUE, 0, sizeof(place), &place);
        result = {place % places_x, place / places_x,
                  p.real_bytes == 8 ? static_cast<float>(wide) : narrow};
      });
  return result;
}

}  // namespace cltrack::accuracy
