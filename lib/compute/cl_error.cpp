// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cltrack/error.h"
#include "compute/cl.h"
#include "compute/device.h"

namespace cltrack {
namespace {

struct CodeName {
  cl_int code;
  const char* name;
};

#define CLTRACK_CODE(name) \
  { name, #name }
constexpr CodeName kCodeNames[] = {
    CLTRACK_CODE(CL_DEVICE_NOT_FOUND),
    CLTRACK_CODE(CL_DEVICE_NOT_AVAILABLE),
    CLTRACK_CODE(CL_COMPILER_NOT_AVAILABLE),
    CLTRACK_CODE(CL_MEM_OBJECT_ALLOCATION_FAILURE),
    CLTRACK_CODE(CL_OUT_OF_RESOURCES),
    CLTRACK_CODE(CL_OUT_OF_HOST_MEMORY),
    CLTRACK_CODE(CL_PROFILING_INFO_NOT_AVAILABLE),
    CLTRACK_CODE(CL_BUILD_PROGRAM_FAILURE),
    CLTRACK_CODE(CL_MAP_FAILURE),
    CLTRACK_CODE(CL_MISALIGNED_SUB_BUFFER_OFFSET),
    CLTRACK_CODE(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST),
    CLTRACK_CODE(CL_INVALID_VALUE),
    CLTRACK_CODE(CL_INVALID_DEVICE),
    CLTRACK_CODE(CL_INVALID_CONTEXT),
    CLTRACK_CODE(CL_INVALID_COMMAND_QUEUE),
    CLTRACK_CODE(CL_INVALID_HOST_PTR),
    CLTRACK_CODE(CL_INVALID_MEM_OBJECT),
    CLTRACK_CODE(CL_INVALID_BINARY),
    CLTRACK_CODE(CL_INVALID_BUILD_OPTIONS),
    CLTRACK_CODE(CL_INVALID_PROGRAM),
    CLTRACK_CODE(CL_INVALID_PROGRAM_EXECUTABLE),
    CLTRACK_CODE(CL_INVALID_KERNEL_NAME),
    CLTRACK_CODE(CL_INVALID_KERNEL),
    CLTRACK_CODE(CL_INVALID_ARG_INDEX),
    CLTRACK_CODE(CL_INVALID_ARG_VALUE),
    CLTRACK_CODE(CL_INVALID_ARG_SIZE),
    CLTRACK_CODE(CL_INVALID_KERNEL_ARGS),
    CLTRACK_CODE(CL_INVALID_WORK_DIMENSION),
    CLTRACK_CODE(CL_INVALID_WORK_GROUP_SIZE),
    CLTRACK_CODE(CL_INVALID_WORK_ITEM_SIZE),
    CLTRACK_CODE(CL_INVALID_GLOBAL_OFFSET),
    CLTRACK_CODE(CL_INVALID_EVENT),
    CLTRACK_CODE(CL_INVALID_OPERATION),
    CLTRACK_CODE(CL_INVALID_BUFFER_SIZE),
    CLTRACK_CODE(CL_INVALID_GLOBAL_WORK_SIZE),
    {-1001, "CL_PLATFORM_NOT_FOUND_KHR"},
};
#undef CLTRACK_CODE

}  // namespace

std::string cl_error_name(cl_int code) {
  for (const CodeName& known : kCodeNames) {
    if (known.code == code) return known.name;
  }
  return "error " + std::to_string(code);
}

void throw_error(const cl::Error& error, std::string_view doing, Device* device) {
  const std::string message = std::string(doing) + " failed: " + cl_error_name(error.err()) +
                              " from " + (error.what() != nullptr ? error.what() : "OpenCL") +
                              kWhatElse;
  switch (error.err()) {
    case CL_MEM_OBJECT_ALLOCATION_FAILURE:
    case CL_OUT_OF_HOST_MEMORY:
    case CL_INVALID_BUFFER_SIZE:
      throw Error(ErrorCode::out_of_memory, message);
    // Not CL_OUT_OF_RESOURCES: NVIDIA reports any fault inside a kernel by it.
    default:
      if (device != nullptr) device->set_failed();
      throw Error(ErrorCode::device_failed, message);
  }
}

}  // namespace cltrack
