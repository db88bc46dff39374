// SPDX-License-Identifier: LGPL-2.1-or-later
// The OpenCL functions that we use, forwarded to the machine's OpenCL loader, which is opened at
// the first call and stays open. Nothing links libOpenCL: a machine without it runs everything on
// the host, since clGetPlatformIDs then says that there is no platform.
//
// CLTRACK_OPENCL_LIBRARY names another library to open: one with faults built in, or one that does
// not exist, to see what then happens. The definitions are hidden: other libraries of the process
// that use libOpenCL themselves never get to see them.
#include <dlfcn.h>

#include <cstdlib>

#include "compute/cl.h"
#include "compute/cl_functions.h"

namespace {

// What OpenCL's loader itself says when it finds no driver.
constexpr cl_int kPlatformNotFound = -1001;

void* find_symbol(const char* name) {
  static void* const library = [] {
    const char* path = secure_getenv("CLTRACK_OPENCL_LIBRARY");
    return dlopen(path != nullptr ? path : "libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
  }();
  return library != nullptr ? dlsym(library, name) : nullptr;
}

}  // namespace

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
