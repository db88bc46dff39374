// SPDX-License-Identifier: LGPL-2.1-or-later
// The OpenCL functions that we use, forwarded to the machine's OpenCL loader, which is opened at
// the first call and stays open. Nothing links libOpenCL: without it clGetPlatformIDs reports no
// platform, and everything runs on the host.
//
// For tests, CLTRACK_OPENCL_LIBRARY names another library to open. The definitions are hidden, so
// other libraries of the process keep using libOpenCL.
#include <dlfcn.h>

#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "compute/cl.h"
#include "compute/cl_functions.h"
#include "compute/driver_environment.h"

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
