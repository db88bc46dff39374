// SPDX-License-Identifier: LGPL-2.1-or-later
// libopencl-times.so: stands before the machine's OpenCL loader and writes down what a program's
// kernels, copies and waits took, by the devices' own clocks where it is about devices:
//
//   CLTRACK_OPENCL_LIBRARY=BUILD/tests/benchmark/libopencl-times.so CLTRACK_OPENCL_TIMES=FILE
//   PROGRAM
//
// FILE gets one JSON object at the end of the program:
//   kernels  by device and name: launches, milliseconds that they ran
//   copies   by device and "up" or "down": copies, bytes, milliseconds that they took
//   host     by function: calls, milliseconds until it came back
// Functions that are not here are found in the library that this one is linked to.
#include <CL/cl.h>
#include <dlfcn.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace {

struct Sum {
  unsigned long calls = 0;
  unsigned long bytes = 0;
  double ms = 0;
};

struct Pending {
  cl_event event;
  Sum* sum;
};

struct Times {
  std::mutex mutex;
  std::map<std::string, Sum> kernels, copies, host;
  std::vector<Pending> pending;

  void write_all() {
    const std::lock_guard lock(mutex);
    harvest();
    const char* path = std::getenv("CLTRACK_OPENCL_TIMES");
    std::FILE* file = path != nullptr ? std::fopen(path, "w") : stderr;
    if (file == nullptr) return;
    std::fprintf(file, "{");
    write(file, "kernels", kernels);
    std::fprintf(file, ",");
    write(file, "copies", copies);
    std::fprintf(file, ",");
    write(file, "host", host);
    std::fprintf(file, "}\n");
    if (file != stderr) std::fclose(file);
  }

  // What has ended since; the others are asked again later.
  void harvest() {
    std::vector<Pending> rest;
    for (const Pending& item : pending) {
      cl_int status = CL_COMPLETE;
      clGetEventInfo(item.event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status,
                     nullptr);
      if (status > CL_COMPLETE) {
        rest.push_back(item);
        continue;
      }
      cl_ulong start = 0, end = 0;
      if (clGetEventProfilingInfo(item.event, CL_PROFILING_COMMAND_START, sizeof(start), &start,
                                  nullptr) == CL_SUCCESS &&
          clGetEventProfilingInfo(item.event, CL_PROFILING_COMMAND_END, sizeof(end), &end,
                                  nullptr) == CL_SUCCESS &&
          end > start) {  // a driver was seen to say otherwise
        item.sum->ms += static_cast<double>(end - start) * 1e-6;
      }
      clReleaseEvent(item.event);
    }
    pending = std::move(rest);
  }

 private:
  static void write(std::FILE* file, const char* name, const std::map<std::string, Sum>& sums) {
    std::fprintf(file, "\"%s\":{", name);
    const char* comma = "";
    for (const auto& [key, sum] : sums) {
      std::fprintf(file, "%s\n\"%s\":{\"calls\":%lu,\"bytes\":%lu,\"ms\":%.6f}", comma, key.c_str(),
                   sum.calls, sum.bytes, sum.ms);
      comma = ",";
    }
    std::fprintf(file, "}");
  }
};

// Never destroyed: a program's last commands come when static objects are going.
Times& times() {
  static Times& instance = *new Times;
  return instance;
}

__attribute__((destructor)) void at_end() { times().write_all(); }

// The function of that name behind this library.
template <typename Function>
Function* real(const char* name) {
  static void* const library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
  return library != nullptr ? reinterpret_cast<Function*>(dlsym(library, name)) : nullptr;
}

// "cpu", "gpu" or "accelerator": the device of a queue.
std::string device_of(cl_command_queue queue) {
  cl_device_id device = nullptr;
  cl_device_type type = 0;
  clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof(device), &device, nullptr);
  clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof(type), &type, nullptr);
  return type & CL_DEVICE_TYPE_GPU ? "gpu" : type & CL_DEVICE_TYPE_CPU ? "cpu" : "accelerator";
}

std::string name_of(cl_kernel kernel) {
  char name[128] = "?";
  clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof(name), name, nullptr);
  return name;
}

// Calls `function` and adds the time until it comes back to that of `name`.
template <typename Function, typename... Arguments>
cl_int timed(Function* function, const char* name, Arguments... arguments) {
  if (function == nullptr) return -1001;
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  const cl_int result = function(arguments...);
  const std::chrono::duration<double, std::milli> time = Clock::now() - start;
  const std::lock_guard lock(times().mutex);
  Sum& sum = times().host[name];
  ++sum.calls;
  sum.ms += time.count();
  return result;
}

// Adds the command to `sums` once it has ended. `given` is where the caller wants its event, if not
// null.
void watch(std::map<std::string, Sum>& sums, const std::string& key, std::size_t bytes,
           cl_event event, cl_event* given) {
  if (given != nullptr) {
    clRetainEvent(event);
    *given = event;
  }
  const std::lock_guard lock(times().mutex);
  Sum& sum = sums[key];
  ++sum.calls;
  sum.bytes += bytes;
  times().pending.push_back({event, &sum});
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

CL_API_ENTRY cl_command_queue CL_API_CALL
clCreateCommandQueue(cl_context context, cl_device_id device,
                     cl_command_queue_properties properties, cl_int* error) {
  static auto* const function = real<decltype(clCreateCommandQueue)>("clCreateCommandQueue");
  return function(context, device, properties | CL_QUEUE_PROFILING_ENABLE, error);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel,
                                                       cl_uint dimensions, const size_t* offset,
                                                       const size_t* global, const size_t* local,
                                                       cl_uint count, const cl_event* list,
                                                       cl_event* event) {
  static auto* const function = real<decltype(clEnqueueNDRangeKernel)>("clEnqueueNDRangeKernel");
  cl_event own = nullptr;
  const cl_int result = timed(function, "clEnqueueNDRangeKernel", queue, kernel, dimensions, offset,
                              global, local, count, list, &own);
  if (result != CL_SUCCESS) return result;
  watch(times().kernels, device_of(queue) + " " + name_of(kernel), 0, own, event);
  return result;
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer,
                                                     cl_bool blocking, size_t offset, size_t bytes,
                                                     const void* data, cl_uint count,
                                                     const cl_event* list, cl_event* event) {
  static auto* const function = real<decltype(clEnqueueWriteBuffer)>("clEnqueueWriteBuffer");
  cl_event own = nullptr;
  const cl_int result = timed(function, "clEnqueueWriteBuffer", queue, buffer, blocking, offset,
                              bytes, data, count, list, &own);
  if (result != CL_SUCCESS) return result;
  watch(times().copies, device_of(queue) + " up", bytes, own, event);
  return result;
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer,
                                                    cl_bool blocking, size_t offset, size_t bytes,
                                                    void* data, cl_uint count, const cl_event* list,
                                                    cl_event* event) {
  static auto* const function = real<decltype(clEnqueueReadBuffer)>("clEnqueueReadBuffer");
  cl_event own = nullptr;
  const cl_int result = timed(function, "clEnqueueReadBuffer", queue, buffer, blocking, offset,
                              bytes, data, count, list, &own);
  if (result != CL_SUCCESS) return result;
  watch(times().copies, device_of(queue) + " down", bytes, own, event);
  return result;
}

CL_API_ENTRY cl_int CL_API_CALL clFinish(cl_command_queue queue) {
  static auto* const function = real<decltype(clFinish)>("clFinish");
  const cl_int result = timed(function, "clFinish", queue);
  const std::lock_guard lock(times().mutex);
  times().harvest();
  return result;
}

CL_API_ENTRY cl_int CL_API_CALL clWaitForEvents(cl_uint count, const cl_event* list) {
  static auto* const function = real<decltype(clWaitForEvents)>("clWaitForEvents");
  const cl_int result = timed(function, "clWaitForEvents", count, list);
  const std::lock_guard lock(times().mutex);
  times().harvest();
  return result;
}

CL_API_ENTRY cl_int CL_API_CALL clFlush(cl_command_queue queue) {
  static auto* const function = real<decltype(clFlush)>("clFlush");
  return timed(function, "clFlush", queue);
}

}  // extern "C"
#pragma GCC visibility pop
