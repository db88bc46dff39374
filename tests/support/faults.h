// SPDX-License-Identifier: LGPL-2.1-or-later
// Faults of OpenCL, for tests that run with CLTRACK_OPENCL_LIBRARY set to faulty_opencl:
//
//   const Faults faults("clEnqueueNDRangeKernel@30=-5");   // syntax: support/faulty_opencl.cpp
//
// The faults last as long as the object. One at a time.
#pragma once

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "cltrack/device_info.h"

namespace cltrack::test {

class Faults {
 public:
  explicit Faults(const std::string& faults = {}) { set(faults); }
  ~Faults() { set({}); }
  Faults(const Faults&) = delete;
  Faults& operator=(const Faults&) = delete;

  // Other faults from here on; calls are counted anew.
  void set(const std::string& faults) {
    if (const auto function = find<void (*)(const char*)>("cltrack_set_faults")) {
      function(faults.c_str());
    }
  }

  // Further faults. Calls that have been counted stay so; @N counts from here on.
  void add(const std::string& faults) {
    if (const auto function = find<void (*)(const char*)>("cltrack_add_faults")) {
      function(faults.c_str());
    }
  }

  // Calls of an OpenCL function since the faults were set, and how many of these have failed.
  long calls(const char* name) const { return count(name, 0); }
  long failures(const char* name) const { return count(name, 1); }

  // How many objects that were made since then are still referred to; as in
  // alive("clCreateBuffer", "clRetainMemObject", "clReleaseMemObject").
  long alive(const char* create, const char* retain, const char* release) const {
    return calls(create) - failures(create) + calls(retain) - calls(release);
  }

 private:
  long count(const char* name, int failed) const {
    const auto function = find<long (*)(const char*, int)>("cltrack_count_calls");
    return function != nullptr ? function(name, failed) : 0;
  }

  template <typename Function>
  static Function find(const char* name) {
    // The same library as the one that cl_loader.cpp has opened, or will open.
    const char* const path = std::getenv("CLTRACK_OPENCL_LIBRARY");
    static void* const library = path != nullptr ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : nullptr;
    void* const symbol = library != nullptr ? dlsym(library, name) : nullptr;
    if (symbol == nullptr) {
      ADD_FAILURE() << "CLTRACK_OPENCL_LIBRARY must be the path of libfaulty_opencl.so";
    }
    return reinterpret_cast<Function>(symbol);
  }
};

inline bool has_device_that_can_fail() {
  const Faults none;
  return list_devices().size() > 1;
}

}  // namespace cltrack::test

#define CLTRACK_NEEDS_OPENCL()                    \
  if (!cltrack::test::has_device_that_can_fail()) \
  GTEST_SKIP() << "NO OPENCL DEVICE: there is none that could fail"
