// SPDX-License-Identifier: LGPL-2.1-or-later
// Every OpenCL call that something makes fails, one after the other.
#pragma once

#include <gmock/gmock.h>

#include <string>
#include <string_view>
#include <vector>

#include "cltrack/error.h"
#include "compute/cl_functions.h"
#include "support/faults.h"

namespace cltrack::test {

// How devices are used depends on what they are.
inline constexpr const char* kFaultyCpu = "CL_DEVICE_TYPE=2,CL_DEVICE_HOST_UNIFIED_MEMORY=1";
inline constexpr const char* kFaultyGpu = "CL_DEVICE_TYPE=4,CL_DEVICE_HOST_UNIFIED_MEMORY=0";

struct UsedFunction {
  std::string name;
  long calls;
};

// What has been called since faults were set, but what only closes or keeps.
inline std::vector<UsedFunction> used_functions(const Faults& faults) {
#define CLTRACK_NAME(name, ...) #name,
#define CLTRACK_CREATE_NAME(type, name, ...) #name,
  constexpr const char* kAll[] = {CLTRACK_OPENCL_FUNCTIONS(CLTRACK_NAME, CLTRACK_CREATE_NAME)};
#undef CLTRACK_NAME
#undef CLTRACK_CREATE_NAME
  std::vector<UsedFunction> used;
  for (const std::string_view name : kAll) {
    if (name.starts_with("clRelease") || name.starts_with("clRetain")) continue;
    const std::string text(name);
    if (faults.calls(text.c_str()) > 0) used.push_back({text, faults.calls(text.c_str())});
  }
  return used;
}

// `work` does something on device 0.0 and returns what came of it, always the same. Every function
// that it uses fails at the first, in the middle and at the last of its calls, and from then on: an
// Error that names the device, or, of what only describes, closes or warms up, no harm; nothing
// stays open. Returns what came of it without a fault. `counts_vary`: threads share batches as it
// happens, so that the last call may not come.
template <typename Work>
auto expect_every_failure_told(const std::string& kind, const Work& work,
                               bool counts_vary = false) {
  Faults faults(kind);
  work();  // whatever is compiled once
  faults.set(kind);
  const auto expected = work();
  const std::vector<UsedFunction> used = used_functions(faults);
  EXPECT_GT(used.size(), 10u);
  for (const auto& [name, calls] : used) {
    for (const long call : {1L, calls / 2, calls}) {
      if (call == 0) continue;
      faults.set(kind + "," + name + "@" + std::to_string(call) + "=-5");
      SCOPED_TRACE(name + "@" + std::to_string(call) + " of " + std::to_string(calls));
      try {
        EXPECT_EQ(work(), expected);
      } catch (const Error& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("0.0"));
      }
      if (!counts_vary || call < calls) {
        EXPECT_GT(faults.failures(name.c_str()), 0);
      }
      EXPECT_EQ(faults.alive("clCreateBuffer", "clRetainMemObject", "clReleaseMemObject"), 0);
      EXPECT_EQ(faults.alive("clCreateKernel", "clRetainKernel", "clReleaseKernel"), 0);
      EXPECT_EQ(faults.alive("clCreateContext", "clRetainContext", "clReleaseContext"), 0);
    }
  }
  faults.set(kind);
  EXPECT_EQ(work(), expected) << "a new beginning";
  return expected;
}

}  // namespace cltrack::test
