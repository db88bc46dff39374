// SPDX-License-Identifier: LGPL-2.1-or-later
// OpenCL's C++ interface; no other file includes <CL/opencl.hpp>. It is slow to compile: headers of
// this layer forward-declare what they name (cl_fwd.h), only .cpp files include this one.
//
// The cl* functions come from cl_loader.cpp, which forwards those that we use to the machine's
// OpenCL loader, if there is one. A function that it lacks is an undefined symbol at link time.
#pragma once

#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_ENABLE_EXCEPTIONS
#include <CL/opencl.hpp>
#include <string>
#include <string_view>
#include <utility>

namespace cltrack {

class Device;

// "CL_OUT_OF_RESOURCES", or the number of a code that is not OpenCL's own.
std::string cl_error_name(cl_int code);

// What can be done about an error of a device; ends its message.
inline constexpr const char* kWhatElse = "; another device may do, host always does";

// Throws the cltrack::Error that `error` stands for. `doing` says what was tried and where, as in
// "upload of 640 bytes to 0.0 (Some GPU)"; it begins the message.
// A device that is given is marked as failed, unless all that it lacks is memory.
[[noreturn]] void throw_error(const cl::Error& error, std::string_view doing,
                              Device* device = nullptr);

// Returns what `callable` returns; an error of OpenCL leaves as a cltrack::Error. `doing` is a
// callable too, because most calls succeed and need no text.
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

}  // namespace cltrack
