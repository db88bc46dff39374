// SPDX-License-Identifier: LGPL-2.1-or-later
// Pictures that lie in the memory of an OpenCL device already, so that they need not go through the
// host: buffers of an application, and memory of other interfaces that has been exported as a file
// descriptor (CUDA, Vulkan, V4L2).
//
//   const auto device = cltrack::find_device("gpu");
//   const auto context = cltrack::opencl_context(device);         // for clCreateBuffer()
//   const auto memory = cltrack::lend_buffer(device, buffer);     // a cl_mem
//   cltrack::Frame frame;
//   frame.on_device = {.memory = memory, .width = 1920, .height = 1080,
//                      .components = {{{.offset = 0, .stride = 2048}}}};
//   tracker->process(frame);
//
// What writes such memory must be done before process(), and must not begin again before it
// returns. It is only read. Stages on another device, and on the host, get copies of what they
// need.
#pragma once

#include <array>
#include <cstddef>
#include <memory>

#include "cltrack/color_picture.h"
#include "cltrack/device_info.h"
#include "cltrack/export.h"

namespace cltrack {

// Memory of an OpenCL device. Several trackers may read it at the same time, on any threads. It can
// be kept for many frames, which is what costs least.
class CLTRACK_API DeviceMemory {
 public:
  virtual ~DeviceMemory() = default;
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  virtual std::size_t size() const = 0;          // bytes
  virtual const DeviceInfo& device() const = 0;  // whose it is
  // An error has left the device in an unknown state: what is to be read on has to be lent anew.
  virtual bool has_failed() const = 0;

  // What is imported is the device's between these two, each acquire() with its release(); a
  // tracker calls both by itself. To know before process() whether it can be read. They
  // throw Error{device_failed}; after a failure of acquire() nothing is to be released.
  virtual void acquire() = 0;
  virtual void release() = 0;

 protected:
  DeviceMemory() = default;
};

// The context (cl_context) in which the library uses the device, for clCreateBuffer() and
// clCreateCommandQueue(); it stays open for as long as the pointer or a copy of it is kept. Throws
// Error{invalid_argument} for the host, and Error{device_failed} if it cannot be opened.
CLTRACK_API std::shared_ptr<void> opencl_context(const DeviceInfo& device);

// A buffer (cl_mem) of that context, which is retained for as long as it is lent. Throws what
// opencl_context() throws, and Error{invalid_argument} if it is no buffer, or one of another
// context.
CLTRACK_API std::shared_ptr<DeviceMemory> lend_buffer(const DeviceInfo& device, void* buffer);

// What a file descriptor of memory is.
enum class DescriptorKind {
  opaque,   // memory of a graphics or compute interface, exported for others of the same driver
  dma_buf,  // a buffer of Linux's kernel: decoders, cameras, displays
};

// Imports memory of `bytes` bytes. The descriptor is duplicated: it stays the caller's. Throws what
// opencl_context() throws, Error{invalid_argument} if the device's driver imports none of this kind
// (DeviceInfo::imports_opaque, imports_dma_buf) or a value is not allowed, and Error{failed} if the
// driver refuses it.
CLTRACK_API std::shared_ptr<DeviceMemory> import_memory(const DeviceInfo& device,
                                                        DescriptorKind kind, int descriptor,
                                                        std::size_t bytes);

// As a ColorComponent, with its place in the memory.
struct DeviceComponent {
  std::size_t offset = 0;     // bytes from the beginning of the memory to the first value
  std::ptrdiff_t stride = 0;  // bytes from one row of the component to the next
  int step = 1;               // bytes from one value to the next
  int shift_x = 0;            // subsampling, as of a ColorComponent
  int shift_y = 0;
};

// As a ColorPicture, in a device's memory. Luma alone (ColorSpace::none) is the first component.
struct DevicePicture {
  std::shared_ptr<DeviceMemory> memory;
  ColorSpace space = ColorSpace::none;
  YuvEncoding encoding = {};  // for yuv only
  int width = 0;              // pixels
  int height = 0;
  std::array<DeviceComponent, 3> components = {};

  bool empty() const { return memory == nullptr; }  // there is no memory
};

}  // namespace cltrack
