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
#include <string>
#include <string_view>
#include <vector>

#include "compute/cl.h"
#include "compute/cl_functions.h"
#include "compute/driver_environment.h"

extern char** environ;  // of POSIX, which has no header for it

namespace {

// What OpenCL's loader itself says when it finds no driver.
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
