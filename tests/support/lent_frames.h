// SPDX-License-Identifier: LGPL-2.1-or-later
// The same pictures on the host and in a device's memory, for tests on an OpenCL of faulty_opencl.
#pragma once

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "cltrack/device_picture.h"
#include "cltrack/frame.h"
#include "compute/cl.h"

namespace cltrack::test {

enum class Lending { own_buffer, opaque, dma_buf };

// The bytes of a picture as decoders lay them out: one component or plane behind the other, each
// row `padding` bytes longer than needed, from `offset` on.
struct PackedPicture {
  std::vector<std::uint8_t> bytes;
  DevicePicture picture;

  PackedPicture(const Frame& frame, std::size_t offset, int padding) {
    const bool colors = !frame.color.empty();
    picture.width = colors ? frame.color.width : frame.luma.width;
    picture.height = colors ? frame.color.height : frame.luma.height;
    bytes.assign(offset, 0xEE);
    if (!colors) {
      add(0, {.data = frame.luma.data, .stride = frame.luma.stride}, padding);
      return;
    }
    picture.space = frame.color.space;
    picture.encoding = frame.color.encoding;
    for (std::size_t c = 0; c < 3; ++c) add(c, frame.color.components[c], padding);
  }

 private:
  // Interleaved components become planes, which are the same picture.
  void add(std::size_t c, const ColorComponent& from, int padding) {
    const int columns = ((picture.width - 1) >> from.shift_x) + 1;
    const int rows = ((picture.height - 1) >> from.shift_y) + 1;
    const std::ptrdiff_t stride = columns + padding;
    picture.components[c] = {.offset = bytes.size(),
                             .stride = stride,
                             .step = 1,
                             .shift_x = from.shift_x,
                             .shift_y = from.shift_y};
    for (int y = 0; y < rows; ++y) {
      for (int x = 0; x < columns; ++x) {
        bytes.push_back(from.data[y * from.stride + std::ptrdiff_t{x} * from.step]);
      }
      if (y + 1 < rows) bytes.insert(bytes.end(), static_cast<std::size_t>(padding), 0xEE);
    }
  }
};

// A descriptor of memory with these bytes, and some more.
class SharedBytes {
 public:
  explicit SharedBytes(const std::vector<std::uint8_t>& bytes)
      : size_(bytes.size() + 100), descriptor_(memfd_create("lent", MFD_CLOEXEC)) {
    EXPECT_EQ(ftruncate(descriptor_, static_cast<off_t>(size_)), 0);
    EXPECT_EQ(pwrite(descriptor_, bytes.data(), bytes.size(), 0),
              static_cast<ssize_t>(bytes.size()));
  }
  ~SharedBytes() { close(descriptor_); }
  SharedBytes(const SharedBytes&) = delete;
  SharedBytes& operator=(const SharedBytes&) = delete;

  int descriptor() const { return descriptor_; }
  std::size_t size() const { return size_; }

 private:
  std::size_t size_;
  int descriptor_;
};

inline std::shared_ptr<DeviceMemory> lend_bytes(const DeviceInfo& device,
                                                const std::vector<std::uint8_t>& bytes,
                                                Lending lending) {
  if (lending != Lending::own_buffer) {
    const SharedBytes shared(bytes);
    return import_memory(
        device, lending == Lending::opaque ? DescriptorKind::opaque : DescriptorKind::dma_buf,
        shared.descriptor(), shared.size());
  }
  // As an application does it; what is lent outlives its own reference.
  const std::shared_ptr<void> context = opencl_context(device);
  cl_int code = CL_SUCCESS;
  const cl_mem buffer = clCreateBuffer(static_cast<cl_context>(context.get()),
                                       CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes.size(),
                                       const_cast<std::uint8_t*>(bytes.data()), &code);
  EXPECT_EQ(code, CL_SUCCESS);
  auto memory = lend_buffer(device, buffer);
  clReleaseMemObject(buffer);
  return memory;
}

// The frame with its picture in the memory of `device` alone.
inline Frame lent_frame(const Frame& frame, const DeviceInfo& device, Lending lending,
                        std::size_t offset = 0, int padding = 0) {
  PackedPicture packed(frame, offset, padding);
  Frame lent = frame;
  lent.luma = {};
  lent.color = {};
  lent.on_device = packed.picture;
  lent.on_device.memory = lend_bytes(device, packed.bytes, lending);
  return lent;
}

}  // namespace cltrack::test
