// SPDX-License-Identifier: LGPL-2.1-or-later
#include "compute/launch.h"

#include <algorithm>
#include <string>
#include <utility>

#include "cltrack/error.h"
#include "compute/memory_copies.h"
#include "compute/queue.h"

namespace cltrack {

std::uint64_t items_of_group(Queue& queue, const KernelName& name, std::uint64_t least,
                             std::uint64_t most) {
  const Device& device = queue.device();
  if (device.is_cpu() && least == 1) return 1;
  const std::uint64_t allowed = translate_errors(
      &queue.device(), [&] { return detail::describe(queue, name); },
      [&] { return queue.kernel(name.program, name.kernel, name.options).largest_group; });
  const std::uint64_t items = std::min({most, allowed, device.info().largest_group});
  if (items < least) {
    throw Error(ErrorCode::device_failed, detail::describe(queue, name) +
                                              " may have work-groups of " + std::to_string(items) +
                                              " items, but needs " + std::to_string(least) +
                                              kWhatElse);
  }
  return items;
}

namespace detail {
namespace {

cl::NDRange range(const std::array<std::size_t, 3>& sizes, int dimensions) {
  switch (dimensions) {
    case 1:
      return cl::NDRange(sizes[0]);
    case 2:
      return cl::NDRange(sizes[0], sizes[1]);
    default:
      return cl::NDRange(sizes[0], sizes[1], sizes[2]);
  }
}

}  // namespace

Launch::Launch(Queue& queue, const KernelName& name)
    : queue_(queue), kernel_(queue.kernel(name.program, name.kernel, name.options)) {
  recorded_.kernel = &kernel_;
}

void Launch::add(const Input& argument) { add_buffer(argument.memory->device_read(queue_), false); }

void Launch::add(const Output& argument) {
  Memory& memory = *argument.memory;
  add_buffer(argument.update ? memory.device_update(queue_) : memory.device_write(queue_), true);
}

void Launch::add(const LocalMemory& argument) {
  if (queue_.recording() != nullptr) {
    recorded_.locals.push_back(argument.bytes);
  } else {
    kernel_.kernel.setArg(index_++, argument.bytes, nullptr);
  }
}

void Launch::add_value(const void* value, std::size_t bytes) {
  if (queue_.recording() != nullptr) {
    recorded_.add(value, bytes);
  } else {
    kernel_.kernel.setArg(index_++, bytes, value);
  }
}

void Launch::add_buffer(const DeviceBuffer& buffer, bool is_written) {
  if (queue_.recording() != nullptr) {
    recorded_.add(buffer.piece, is_written);
  } else {
    kernel_.kernel.setArg(index_++, buffer.whole);
  }
}

void Launch::enqueue(const WorkSize& global, const WorkSize& local) {
  std::array<std::size_t, 3> sizes = global.sizes;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::size_t groups = (sizes[i] + local.sizes[i] - 1) / local.sizes[i];
    recorded_.groups[i] = static_cast<std::uint32_t>(groups);
    sizes[i] = groups * local.sizes[i];
  }
  if (Recording* const recording = queue_.recording()) {
    if (!recording->has_all_scratch(recorded_)) {
      throw Error(ErrorCode::failed,
                  "scratch memory is gone that was to be used: somebody has waited");
    }
    recorded_.local = local.sizes;
    recording->add(std::move(recorded_));
  } else {
    const auto lock = lock_for_launch(queue_.device(), queue_.commands());
    queue_.commands().enqueueNDRangeKernel(kernel_.kernel, cl::NullRange,
                                           range(sizes, global.dimensions),
                                           range(local.sizes, local.dimensions));
  }
  queue_.enqueued();
  ++queue_.count().launches;
}

std::string describe(const Queue& queue, const KernelName& name) {
  return "kernel " + std::string(name.kernel) + " on " + queue.device().label();
}

}  // namespace detail
}  // namespace cltrack
