// SPDX-License-Identifier: LGPL-2.1-or-later
#include <dlfcn.h>

#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "cltrack/error.h"
#include "compute/cl.h"
#include "compute/cl_functions.h"
#include "compute/device.h"
#include "compute/driver_environment.h"

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

// The OpenCL functions that we use, forwarded to the machine's OpenCL loader, which is opened at
// the first call and stays open. Nothing links libOpenCL: without it clGetPlatformIDs reports no
// platform, and everything runs on the host.
//
// For tests, CLTRACK_OPENCL_LIBRARY names another library to open. The definitions are hidden, so
// other libraries of the process keep using libOpenCL.

extern char** environ;  // POSIX declares it in no header

namespace {

// OpenCL's loader returns this when it finds no driver.
constexpr cl_int kPlatformNotFound = -1001;

std::vector<std::string> variables_of_drivers() {
  std::vector<std::string> variables;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view variable = *entry;
    if (variable.starts_with("OCL_ICD_") || variable.starts_with("OPENCL_")) {
      variables.emplace_back(variable);
    }
  }
  return variables;
}

struct Loader {
  const std::vector<std::string> environment = variables_of_drivers();
  void* library = nullptr;

  Loader() {
    const char* path = secure_getenv("CLTRACK_OPENCL_LIBRARY");
    library = dlopen(path != nullptr ? path : "libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
  }
};

const Loader& loader() {
  static const Loader instance;
  return instance;
}

void* find_symbol(const char* name) {
  return loader().library != nullptr ? dlsym(loader().library, name) : nullptr;
}

}  // namespace

const std::vector<std::string>& cltrack::driver_environment() { return loader().environment; }

#define CLTRACK_CODE(name, parameters, arguments)                                            \
  __attribute__((visibility("hidden"))) cl_int CL_API_CALL name parameters {                 \
    static const auto function = reinterpret_cast<cl_int(*) parameters>(find_symbol(#name)); \
    return function != nullptr ? function arguments : kPlatformNotFound;                     \
  }

#define CLTRACK_CREATE(type, name, parameters, arguments, error)                           \
  __attribute__((visibility("hidden"))) type CL_API_CALL name parameters {                 \
    static const auto function = reinterpret_cast<type(*) parameters>(find_symbol(#name)); \
    if (function != nullptr) return function arguments;                                    \
    if (error != nullptr) *error = kPlatformNotFound;                                      \
    return nullptr;                                                                        \
  }

extern "C" {
CLTRACK_OPENCL_FUNCTIONS(CLTRACK_CODE, CLTRACK_CREATE)
}
