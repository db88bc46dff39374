// SPDX-License-Identifier: LGPL-2.1-or-later
// OpenCL's C++ interface; no other file includes <CL/opencl.hpp>. It is slow to compile: headers
// use forward declarations (cl_fwd.h), only .cpp files include this one.
//
// The cl* functions are defined in cl_loader.cpp, which forwards them to the machine's OpenCL
// loader, if there is one. A function that is missing there is an undefined symbol at link time.
#pragma once

#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_ENABLE_EXCEPTIONS
#include <CL/opencl.hpp>
#include <string>
#include <string_view>
#include <utility>

// Of OpenCL 3.0: the headers of 1.2 do not declare it.
extern "C" CL_API_ENTRY cl_mem CL_API_CALL clCreateBufferWithProperties(cl_context context,
                                                                        const cl_ulong* properties,
                                                                        cl_mem_flags flags,
                                                                        size_t size, void* host,
                                                                        cl_int* code);

namespace cltrack {

class Device;

// "CL_OUT_OF_RESOURCES", or the number of a code that is not OpenCL's own.
std::string cl_error_name(cl_int code);

// The end of messages about errors of a device: what to do.
inline constexpr const char* kWhatElse = "; use another device, or host, which always works";

// Throws `error` as a cltrack::Error. `doing` begins the message: what was tried and where, as in
// "upload of 640 bytes to 0.0 (Some GPU)". Marks `device` as failed, unless it only lacks memory.
[[noreturn]] void throw_error(const cl::Error& error, std::string_view doing,
                              Device* device = nullptr);

// Returns what `callable` returns; translates errors of OpenCL to cltrack::Error. `doing` is called
// for the text only if there is an error.
template <typename Doing, typename Callable>
decltype(auto) translate_errors(Device* device, Doing&& doing, Callable&& callable) {
  try {
    return std::forward<Callable>(callable)();
  } catch (const cl::Error& error) {
    throw_error(error, std::forward<Doing>(doing)(), device);
  }
}
template <typename Doing, typename Callable>
decltype(auto) translate_errors(Doing&& doing, Callable&& callable) {
  return translate_errors(nullptr, std::forward<Doing>(doing), std::forward<Callable>(callable));
}

// Waits for all commands of a queue. Errors are reported to those who wait for their results.
inline void finish_quietly(const cl::CommandQueue& commands) noexcept {
  try {
    commands.finish();
  } catch (const cl::Error&) {
  }
}

}  // namespace cltrack
