// SPDX-License-Identifier: LGPL-2.1-or-later
// The OpenCL functions that we use, as a list: cl_loader.cpp makes of each a function that looks
// for the real one at run time, and tests one that fails on demand.
//
//   CODE(name, parameters, arguments)                  returns an error code
//   CREATE(type, name, parameters, arguments, error)   returns a `type`, and the code in *error
//
// A function that returns no code has kNoCode for `error`. Parameters have letters for names: what
// they are is said in the specification.
#pragma once

namespace cltrack {
inline constexpr int* kNoCode = nullptr;
}

// clang-format off
#define CLTRACK_OPENCL_FUNCTIONS(CODE, CREATE) \
  CODE(clGetPlatformIDs, (cl_uint a, cl_platform_id* b, cl_uint* c), (a, b, c)) \
  CODE(clGetPlatformInfo, (cl_platform_id a, cl_platform_info b, size_t c, void* d, size_t* e), \
       (a, b, c, d, e)) \
  CODE(clGetDeviceIDs, (cl_platform_id a, cl_device_type b, cl_uint c, cl_device_id* d, \
       cl_uint* e), (a, b, c, d, e)) \
  CODE(clGetDeviceInfo, (cl_device_id a, cl_device_info b, size_t c, void* d, size_t* e), (a, \
       b, c, d, e)) \
  CODE(clRetainDevice, (cl_device_id a), (a)) \
  CODE(clReleaseDevice, (cl_device_id a), (a)) \
  CREATE(cl_context, clCreateContext, (const cl_context_properties* a, cl_uint b, const \
       cl_device_id* c, void(CL_CALLBACK* d)(const char*, const void*, size_t, void*), void* e, \
       cl_int* f), (a, b, c, d, e, f), f) \
  CODE(clRetainContext, (cl_context a), (a)) \
  CODE(clReleaseContext, (cl_context a), (a)) \
  CODE(clGetContextInfo, (cl_context a, cl_context_info b, size_t c, void* d, size_t* e), (a, \
       b, c, d, e)) \
  CREATE(cl_command_queue, clCreateCommandQueue, (cl_context a, cl_device_id b, \
       cl_command_queue_properties c, cl_int* d), (a, b, c, d), d) \
  CODE(clRetainCommandQueue, (cl_command_queue a), (a)) \
  CODE(clReleaseCommandQueue, (cl_command_queue a), (a)) \
  CODE(clFlush, (cl_command_queue a), (a)) \
  CODE(clFinish, (cl_command_queue a), (a)) \
  CREATE(cl_mem, clCreateBuffer, (cl_context a, cl_mem_flags b, size_t c, void* d, cl_int* e), \
       (a, b, c, d, e), e) \
  CREATE(cl_mem, clCreateBufferWithProperties, (cl_context a, const cl_ulong* b, cl_mem_flags c, \
         size_t d, void* e, cl_int* f), (a, b, c, d, e, f), f) \
  CREATE(void*, clGetExtensionFunctionAddressForPlatform, (cl_platform_id a, const char* b), (a, \
         b), cltrack::kNoCode) \
  CODE(clGetMemObjectInfo, (cl_mem a, cl_mem_info b, size_t c, void* d, size_t* e), (a, b, c, d, \
       e)) \
  CODE(clRetainMemObject, (cl_mem a), (a)) \
  CODE(clReleaseMemObject, (cl_mem a), (a)) \
  CREATE(cl_program, clCreateProgramWithSource, (cl_context a, cl_uint b, const char** c, const \
       size_t* d, cl_int* e), (a, b, c, d, e), e) \
  CREATE(cl_program, clCreateProgramWithBinary, (cl_context a, cl_uint b, const cl_device_id* \
       c, const size_t* d, const unsigned char** e, cl_int* f, cl_int* g), (a, b, c, d, e, f, \
       g), g) \
  CODE(clBuildProgram, (cl_program a, cl_uint b, const cl_device_id* c, const char* d, \
       void(CL_CALLBACK* e)(cl_program, void*), void* f), (a, b, c, d, e, f)) \
  CODE(clRetainProgram, (cl_program a), (a)) \
  CODE(clReleaseProgram, (cl_program a), (a)) \
  CODE(clGetProgramInfo, (cl_program a, cl_program_info b, size_t c, void* d, size_t* e), (a, \
       b, c, d, e)) \
  CODE(clGetProgramBuildInfo, (cl_program a, cl_device_id b, cl_program_build_info c, size_t d, \
       void* e, size_t* f), (a, b, c, d, e, f)) \
  CREATE(cl_kernel, clCreateKernel, (cl_program a, const char* b, cl_int* c), (a, b, c), c) \
  CODE(clRetainKernel, (cl_kernel a), (a)) \
  CODE(clReleaseKernel, (cl_kernel a), (a)) \
  CODE(clSetKernelArg, (cl_kernel a, cl_uint b, size_t c, const void* d), (a, b, c, d)) \
  CODE(clGetKernelWorkGroupInfo, (cl_kernel a, cl_device_id b, cl_kernel_work_group_info c, \
       size_t d, void* e, size_t* f), (a, b, c, d, e, f)) \
  CODE(clWaitForEvents, (cl_uint a, const cl_event* b), (a, b)) \
  CODE(clGetEventInfo, (cl_event a, cl_event_info b, size_t c, void* d, size_t* e), (a, b, c, \
       d, e)) \
  CODE(clRetainEvent, (cl_event a), (a)) \
  CODE(clReleaseEvent, (cl_event a), (a)) \
  CODE(clGetEventProfilingInfo, (cl_event a, cl_profiling_info b, size_t c, void* d, size_t* \
       e), (a, b, c, d, e)) \
  CODE(clEnqueueReadBuffer, (cl_command_queue a, cl_mem b, cl_bool c, size_t d, size_t e, void* \
       f, cl_uint g, const cl_event* h, cl_event* i), (a, b, c, d, e, f, g, h, i)) \
  CODE(clEnqueueWriteBuffer, (cl_command_queue a, cl_mem b, cl_bool c, size_t d, size_t e, \
       const void* f, cl_uint g, const cl_event* h, cl_event* i), (a, b, c, d, e, f, g, h, i)) \
  CODE(clEnqueueCopyBuffer, (cl_command_queue a, cl_mem b, cl_mem c, size_t d, size_t e, size_t \
       f, cl_uint g, const cl_event* h, cl_event* i), (a, b, c, d, e, f, g, h, i)) \
  CODE(clEnqueueFillBuffer, (cl_command_queue a, cl_mem b, const void* c, size_t d, size_t e, \
       size_t f, cl_uint g, const cl_event* h, cl_event* i), (a, b, c, d, e, f, g, h, i)) \
  CREATE(void*, clEnqueueMapBuffer, (cl_command_queue a, cl_mem b, cl_bool c, cl_map_flags d, \
       size_t e, size_t f, cl_uint g, const cl_event* h, cl_event* i, cl_int* j), (a, b, c, d, \
       e, f, g, h, i, j), j) \
  CODE(clEnqueueUnmapMemObject, (cl_command_queue a, cl_mem b, void* c, cl_uint d, const \
       cl_event* e, cl_event* f), (a, b, c, d, e, f)) \
  CODE(clEnqueueNDRangeKernel, (cl_command_queue a, cl_kernel b, cl_uint c, const size_t* d, \
       const size_t* e, const size_t* f, cl_uint g, const cl_event* h, cl_event* i), (a, b, c, \
       d, e, f, g, h, i)) \
  CODE(clEnqueueMarkerWithWaitList, (cl_command_queue a, cl_uint b, const cl_event* c, \
       cl_event* d), (a, b, c, d)) \
  CODE(clEnqueueBarrierWithWaitList, (cl_command_queue a, cl_uint b, const cl_event* c, \
       cl_event* d), (a, b, c, d))
// clang-format on
