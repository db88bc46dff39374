// SPDX-License-Identifier: LGPL-2.1-or-later
// Runs a kernel, for an operation's X.cpp, which needs nothing else of OpenCL:
//
//   void blur(Queue& queue, const Plane& src, Plane& dst) {
//     dst.resize(src.width(), src.height());
//     if (queue.is_host()) {
//       blur_on_host(queue, src.host_view(), dst.pixels.host_write().data());
//       return;
//     }
//     launch(queue, {"blur", "blur_tiles"},
//            global(parts(dst.width(), kTile) * kTile, parts(dst.height(), kTile) * kRows),
//            local(kTile, kRows), in(src.pixels), src.layout, out(dst.pixels), dst.layout);
//   }
//
// On the host, blur_on_host() gives parts of the picture to the queue's threads: queue.run(). One
// call processes all targets, as an array of jobs: see fern_codes().
//
// Arguments in the kernel's order: arrays as in(), out() or inout(), which copy them to the device
// if needed; local_memory<T>(n); everything else by value (int, float, the structures of
// kernel_types.h). global() is rounded up to whole work-groups, so kernels check their bounds.
// launch() does not wait. To read results, fetch() each array, then queue.finish() once.
//
// The contract header X.h does not include this file.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "compute/array.h"
#include "compute/cl.h"
#include "compute/queue.h"
#include "compute/recording.h"

namespace cltrack {

struct KernelName {
  std::string_view program;       // X of kernels/X.cl
  std::string_view kernel;        // function in it
  std::string_view options = {};  // "-DNAME=VALUE"; each set of options is a program of its own
};

struct WorkSize {
  std::array<std::size_t, 3> sizes = {1, 1, 1};
  int dimensions = 0;
};

template <typename... Sizes>
WorkSize work_size(Sizes... sizes) {
  static_assert(sizeof...(sizes) >= 1 && sizeof...(sizes) <= 3);
  WorkSize size;
  ((size.sizes[static_cast<std::size_t>(size.dimensions++)] = static_cast<std::size_t>(sizes)),
   ...);
  return size;
}
template <typename... Sizes>
WorkSize global(Sizes... sizes) {
  return work_size(sizes...);
}
template <typename... Sizes>
WorkSize local(Sizes... sizes) {
  return work_size(sizes...);
}

// The size of this kernel's work-groups: what device and kernel allow, but at most `most`. On CPUs
// it is 1 where `least` allows it: barriers take time there. Throws Error{device_failed} if it is
// less than `least`.
std::uint64_t items_of_group(Queue& queue, const KernelName& name, std::uint64_t least,
                             std::uint64_t most);

struct Input {
  const Memory* memory;
};

struct Output {
  Memory* memory;
  bool update;  // false: the contents are not needed
};

template <typename T>
Input in(const Array<T>& array) {
  return {&array.memory()};
}
template <typename T>
Output out(Array<T>& array) {
  return {&array.memory(), false};
}
template <typename T>
Output inout(Array<T>& array) {
  return {&array.memory(), true};
}

struct LocalMemory {
  std::size_t bytes;
};

template <typename T>
LocalMemory local_memory(std::size_t count) {
  return {count * sizeof(T)};
}

namespace detail {

// A launch to be: its arguments are recorded, or set in the kernel.
class Launch {
 public:
  Launch(Queue& queue, const KernelName& name);

  void add(const Input& argument);
  void add(const Output& argument);
  void add(const LocalMemory& argument);
  template <typename T>
  void add(const T& value) {
    static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T> &&
                  !std::is_same_v<T, bool> && !std::is_same_v<T, std::size_t>);
    add_value(&value, sizeof(value));
  }

  void enqueue(const WorkSize& global, const WorkSize& local);

 private:
  void add_value(const void* value, std::size_t bytes);
  void add_buffer(const DeviceBuffer& buffer, bool is_written);

  Queue& queue_;
  LaunchedKernel& kernel_;
  cl_uint index_ = 0;
  Recording::Launch recorded_;
};

inline void mark_used(Queue& queue, const Input& argument) { argument.memory->used(queue); }
inline void mark_used(Queue& queue, const Output& argument) { argument.memory->used(queue); }
template <typename T>
void mark_used(Queue&, const T&) {}

std::string describe(const Queue& queue, const KernelName& name);

}  // namespace detail

// Queues the kernel; does nothing if a size is 0. Throws Error.
template <typename... Arguments>
void launch(Queue& queue, const KernelName& name, const WorkSize& global, const WorkSize& local,
            const Arguments&... arguments) {
  for (const std::size_t size : global.sizes) {
    if (size == 0) return;
  }
  translate_errors(
      &queue.device(), [&] { return detail::describe(queue, name); },
      [&] {
        detail::Launch launch(queue, name);
        (launch.add(arguments), ...);
        launch.enqueue(global, local);
        (detail::mark_used(queue, arguments), ...);
      });
}

}  // namespace cltrack
