// SPDX-License-Identifier: LGPL-2.1-or-later
#include "compute/launch.h"

#include <algorithm>
#include <string>

#include "cltrack/error.h"
#include "compute/queue.h"

namespace cltrack {

std::uint64_t items_of_group(Queue& queue, const KernelName& name, std::uint64_t least,
                             std::uint64_t most) {
  const Device& device = queue.device();
  if (device.is_cpu() && least == 1) return 1;
  const std::uint64_t allowed = translate_errors(
      &queue.device(), [&] { return detail::describe(queue, name); },
      [&] {
        const cl::Kernel& kernel = queue.kernel(name.program, name.kernel, name.options);
        return kernel.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(device.cl_device());
      });
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

void set_argument(Queue& queue, cl::Kernel& kernel, cl_uint index, const Input& argument) {
  kernel.setArg(index, argument.memory->device_read(queue));
}

void set_argument(Queue& queue, cl::Kernel& kernel, cl_uint index, const Output& argument) {
  Memory& memory = *argument.memory;
  kernel.setArg(index, argument.update ? memory.device_update(queue) : memory.device_write(queue));
}

void set_argument(Queue&, cl::Kernel& kernel, cl_uint index, const LocalMemory& argument) {
  kernel.setArg(index, argument.bytes, nullptr);
}

void enqueue(Queue& queue, const cl::Kernel& kernel, const WorkSize& global,
             const WorkSize& local) {
  std::array<std::size_t, 3> sizes = global.sizes;
  for (std::size_t i = 0; i < sizes.size() && local.dimensions > 0; ++i) {
    sizes[i] = (sizes[i] + local.sizes[i] - 1) / local.sizes[i] * local.sizes[i];
  }
  const auto lock = lock_for_launch(queue);
  queue.commands().enqueueNDRangeKernel(kernel, cl::NullRange, range(sizes, global.dimensions),
                                        range(local.sizes, local.dimensions));
  queue.enqueued();
  ++queue.count().launches;
}

std::string describe(const Queue& queue, const KernelName& name) {
  return "kernel " + std::string(name.kernel) + " on " + queue.device().label();
}

}  // namespace detail
}  // namespace cltrack
