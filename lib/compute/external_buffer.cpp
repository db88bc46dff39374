// SPDX-License-Identifier: LGPL-2.1-or-later
#include "compute/external_buffer.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "cltrack/error.h"

namespace cltrack {
namespace {

// Of cl_khr_external_memory, by number: not all headers have the names.
constexpr cl_ulong kOpaqueDescriptor = 0x2060;
constexpr cl_ulong kDmaBuf = 0x2067;
constexpr cl_ulong kDeviceHandleList = 0x2051;
constexpr const char* kAcquire = "clEnqueueAcquireExternalMemObjectsKHR";
constexpr const char* kRelease = "clEnqueueReleaseExternalMemObjectsKHR";

using ChangeOwner = cl_int(CL_API_CALL*)(cl_command_queue, cl_uint, const cl_mem*, cl_uint,
                                         const cl_event*, cl_event*);

constexpr const char* kInstead =
    "; lend a buffer of opencl_context(), or give the picture on the host";

std::shared_ptr<Device> open_for_lending(const DeviceInfo& info) {
  if (info.type == DeviceType::host) {
    throw Error(ErrorCode::invalid_argument,
                "the host has no device memory: use a device of OpenCL, or Frame::luma and "
                "Frame::color");
  }
  return Device::open(info);
}

const char* name_of(DescriptorKind kind) {
  return kind == DescriptorKind::opaque ? "opaque descriptor" : "DMA-BUF";
}

}  // namespace

ExternalBuffer::ExternalBuffer(std::shared_ptr<Device> device, cl::Buffer buffer, std::size_t bytes,
                               bool imported)
    : device_(std::move(device)), buffer_(std::move(buffer)), bytes_(bytes), imported_(imported) {}

cl::Event ExternalBuffer::change_owner(const char* function, const char* doing) {
  cl::Event done;
  if (!imported_) return done;
  // The device goes on: other pictures can do without imported memory.
  translate_errors(
      [&] {
        return std::string(doing) + " imported memory of " + std::to_string(bytes_) + " bytes on " +
               device_->label();
      },
      [&] {
        const cl::Platform platform(device_->cl_device().getInfo<CL_DEVICE_PLATFORM>());
        const auto change = reinterpret_cast<ChangeOwner>(
            clGetExtensionFunctionAddressForPlatform(platform(), function));
        if (change == nullptr) throw cl::Error(CL_INVALID_OPERATION, function);
        const cl::CommandQueue& commands = device_->mapping_commands();
        const cl_int code = change(commands(), 1, &buffer_(), 0, nullptr, &done());
        if (code != CL_SUCCESS) throw cl::Error(code, function);
        commands.flush();
      });
  return done;
}

void ExternalBuffer::acquire() {
  const std::lock_guard lock(mutex_);
  if (users_ == 0) acquired_ = change_owner(kAcquire, "acquiring");
  ++users_;
}

// What has read it is done: whoever writes next need not wait.
void ExternalBuffer::release() {
  const std::lock_guard lock(mutex_);
  if (--users_ > 0) return;
  acquired_ = cl::Event();
  change_owner(kRelease, "releasing");
}

cl::Event ExternalBuffer::acquired() const {
  const std::lock_guard lock(mutex_);
  return acquired_;
}

std::shared_ptr<void> opencl_context(const DeviceInfo& info) {
  const std::shared_ptr<Device> device = open_for_lending(info);
  return {device, device->context()()};
}

std::shared_ptr<DeviceMemory> lend_buffer(const DeviceInfo& info, void* buffer) {
  std::shared_ptr<Device> device = open_for_lending(info);
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorCode::invalid_argument,
                "this cannot be lent to " + device->label() + ": " + why +
                    "; lend a buffer that clCreateBuffer() has made in opencl_context()");
  };
  if (buffer == nullptr) refuse("it is null");
  cl::Buffer retained(static_cast<cl_mem>(buffer), true);
  std::size_t bytes = 0;
  try {
    if (retained.getInfo<CL_MEM_TYPE>() != CL_MEM_OBJECT_BUFFER) refuse("it is no buffer");
    if (retained.getInfo<CL_MEM_CONTEXT>()() != device->context()()) {
      refuse("it belongs to another context");
    }
    bytes = retained.getInfo<CL_MEM_SIZE>();
  } catch (const cl::Error& error) {
    refuse("its driver says " + cl_error_name(error.err()));
  }
  return std::make_shared<ExternalBuffer>(std::move(device), std::move(retained), bytes, false);
}

std::shared_ptr<DeviceMemory> import_memory(const DeviceInfo& info, DescriptorKind kind,
                                            int descriptor, std::size_t bytes) {
  std::shared_ptr<Device> device = open_for_lending(info);
  const bool possible = kind == DescriptorKind::opaque ? info.imports_opaque : info.imports_dma_buf;
  const std::string what = std::string(name_of(kind)) + " " + std::to_string(descriptor) + " of " +
                           std::to_string(bytes) + " bytes";
  const auto fail = [&](ErrorCode code, const std::string& why) {
    throw Error(code, device->label() + " does not import the " + what + ": " + why + kInstead);
  };
  if (!possible) {
    fail(ErrorCode::invalid_argument,
         std::string("its driver lacks cl_khr_external_memory_") +
             (kind == DescriptorKind::opaque ? "opaque_fd" : "dma_buf"));
  }
  if (descriptor < 0) fail(ErrorCode::invalid_argument, "a descriptor is 0 or more");
  if (bytes == 0) fail(ErrorCode::invalid_argument, "it must have 1 byte or more");
  // The driver closes what it has imported, when it likes: it gets a descriptor of its own.
  const int own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  if (own < 0) fail(ErrorCode::invalid_argument, std::strerror(errno));
  const cl_device_id handle = device->cl_device()();
  const std::array<cl_ulong, 6> properties = {
      kind == DescriptorKind::opaque ? kOpaqueDescriptor : kDmaBuf,
      static_cast<cl_ulong>(own),
      kDeviceHandleList,
      reinterpret_cast<cl_ulong>(handle),
      0,
      0};
  cl_int code = CL_SUCCESS;
  const cl_mem made = clCreateBufferWithProperties(device->context()(), properties.data(),
                                                   CL_MEM_READ_WRITE, bytes, nullptr, &code);
  // Not by the pointer: a driver was seen to return one with an error.
  if (code != CL_SUCCESS || made == nullptr) {
    close(own);
    fail(ErrorCode::failed, cl_error_name(code) + " from clCreateBufferWithProperties");
  }
  return std::make_shared<ExternalBuffer>(std::move(device), cl::Buffer(made), bytes, true);
}

}  // namespace cltrack
