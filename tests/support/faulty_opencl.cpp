// SPDX-License-Identifier: LGPL-2.1-or-later
// A libOpenCL for tests: hands every call on to the real one, until it is told to fail. Whoever
// sets CLTRACK_OPENCL_LIBRARY to the path of this library gets it; support/faults.h is its
// interface for tests. Faults are separated by commas, and come from CLTRACK_FAULTS until somebody
// sets others:
//
//   clEnqueueNDRangeKernel=-5        every call returns CL_OUT_OF_RESOURCES
//   clEnqueueNDRangeKernel@30=-5     so does every call from the 30th on
//   clCreateBuffer@3-4=-61           the third and the fourth call only
//   clBuildProgram=-11               kernels do not build; kBuildLog is what the compiler says
//   CL_DEVICE_TYPE=4                 what devices say of themselves: here, that they are GPUs
//   IMPORTS=3                        plays a driver that imports descriptors of memory: 1 opaque
//                                    ones, 2 DMA-BUFs, 3 both. It maps them. What is imported must
//                                    be acquired before it is used.
//
// clFinish and clWaitForEvents wait before they fail: a device that has failed uses nothing more.
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <sstream>
#include <string>
#include <string_view>

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "compute/cl_functions.h"

#define EXPORTED __attribute__((visibility("default")))

namespace {

constexpr const char* kImportUuid = "faulty imports!!";  // 16 bytes
constexpr const char* kBuildLog = "faulty_opencl: error: this kernel shall not build";

struct Fault {
  long first = 1;
  long last = 0;  // 0: for ever
  long long value = 0;
};

struct Calls {
  long all = 0;
  long failed = 0;  // for whatever reason
};

struct State {
  std::mutex mutex;
  std::map<std::string, Fault, std::less<>> faults;
  std::map<std::string, Calls, std::less<>> calls;
  std::map<cl_mem, bool> imported;  // and whether it is acquired
};

// Adds those of the list. Calls count from here on.
void add_faults(State& state, const char* text) {
  std::istringstream list(text != nullptr ? text : "");
  for (std::string item; std::getline(list, item, ',');) {
    const std::size_t equals = item.find('=');
    if (equals == std::string::npos) continue;
    Fault fault;
    fault.value = std::atoll(item.c_str() + equals + 1);
    std::string name = item.substr(0, equals);
    if (const std::size_t at = name.find('@'); at != std::string::npos) {
      char* end = nullptr;
      fault.first = std::strtol(name.c_str() + at + 1, &end, 10);
      if (*end == '-') fault.last = std::atol(end + 1);
      name.resize(at);
    }
    const long before = state.calls[name].all;
    fault.first += before;
    if (fault.last != 0) fault.last += before;
    state.faults[name] = fault;
  }
}

State& state() {
  static State& instance = [&]() -> State& {
    static State made;
    add_faults(made, std::getenv("CLTRACK_FAULTS"));
    return made;
  }();
  return instance;
}

// Counts a call, and returns the error that it shall end with.
cl_int begin_call(std::string_view name) {
  State& all = state();
  const std::lock_guard lock(all.mutex);
  const auto known = all.calls.find(name);
  const long call = ++(known != all.calls.end() ? known->second : all.calls[std::string(name)]).all;
  const auto fault = all.faults.find(name);
  if (fault == all.faults.end() || call < fault->second.first) return CL_SUCCESS;
  if (fault->second.last != 0 && call > fault->second.last) return CL_SUCCESS;
  return static_cast<cl_int>(fault->second.value);
}

void end_call(std::string_view name, bool failed) {
  if (!failed) return;
  State& all = state();
  const std::lock_guard lock(all.mutex);
  ++all.calls[std::string(name)].failed;
}

void* real_symbol(const char* name) {
  static void* const library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
  return library != nullptr ? dlsym(library, name) : nullptr;
}

bool waits(std::string_view name) { return name == "clFinish" || name == "clWaitForEvents"; }

template <typename Call>
cl_int run_code(const char* name, bool present, Call call) {
  const cl_int fault = begin_call(name);
  cl_int code = present ? CL_SUCCESS : CL_INVALID_OPERATION;
  if (present && (fault == CL_SUCCESS || waits(name))) code = call();
  if (fault != CL_SUCCESS) code = fault;
  end_call(name, code != CL_SUCCESS);
  return code;
}

template <typename Type, typename Call>
Type run_create(const char* name, bool present, cl_int* error, Call call) {
  const cl_int fault = begin_call(name);
  if (fault == CL_SUCCESS && present) {
    const Type made = call();
    end_call(name, made == nullptr);
    return made;
  }
  end_call(name, true);
  if (error != nullptr) *error = fault != CL_SUCCESS ? fault : CL_INVALID_OPERATION;
  return nullptr;
}

// What the device is to say; false if it shall speak for itself.
bool find_device_value(cl_device_info parameter, long long& value) {
  constexpr std::pair<const char*, cl_device_info> kNames[] = {
      {"CL_DEVICE_TYPE", CL_DEVICE_TYPE},
      {"CL_DEVICE_AVAILABLE", CL_DEVICE_AVAILABLE},
      {"CL_DEVICE_COMPILER_AVAILABLE", CL_DEVICE_COMPILER_AVAILABLE},
      {"CL_DEVICE_GLOBAL_MEM_SIZE", CL_DEVICE_GLOBAL_MEM_SIZE},
      {"CL_DEVICE_MAX_MEM_ALLOC_SIZE", CL_DEVICE_MAX_MEM_ALLOC_SIZE},
      {"CL_DEVICE_HOST_UNIFIED_MEMORY", CL_DEVICE_HOST_UNIFIED_MEMORY},
      {"CL_DEVICE_SINGLE_FP_CONFIG", CL_DEVICE_SINGLE_FP_CONFIG},
  };
  State& all = state();
  const std::lock_guard lock(all.mutex);
  for (const auto& [name, code] : kNames) {
    if (code != parameter) continue;
    const auto fault = all.faults.find(name);
    if (fault == all.faults.end()) return false;
    value = fault->second.value;
    return true;
  }
  return false;
}

void change_device_info(cl_device_info parameter, size_t size, void* out) {
  long long value = 0;
  if (out == nullptr || !find_device_value(parameter, value)) return;
  std::memcpy(out, &value, std::min(size, sizeof(value)));
}

bool is_build_broken() {
  State& all = state();
  const std::lock_guard lock(all.mutex);
  return all.faults.find("clBuildProgram") != all.faults.end();
}

long long imports() {
  State& all = state();
  const std::lock_guard lock(all.mutex);
  const auto found = all.faults.find("IMPORTS");
  return found != all.faults.end() ? found->second.value : 0;
}

// The driver says more of itself than it knows.
cl_int describe_imports(cl_int code, cl_device_id device, cl_device_info parameter, size_t size,
                        void* out, size_t* out_size) {
  constexpr cl_device_info kUuid = 0x106A;
  std::string text;
  if (parameter == kUuid) {
    text = kImportUuid;
  } else if (parameter == CL_DEVICE_EXTENSIONS && code == CL_SUCCESS) {
    static const auto get =
        reinterpret_cast<decltype(&clGetDeviceInfo)>(real_symbol("clGetDeviceInfo"));
    size_t length = 0;
    get(device, parameter, 0, nullptr, &length);
    text.resize(length);
    get(device, parameter, length, text.data(), nullptr);
    text.resize(std::strlen(text.c_str()));
    text += " cl_khr_device_uuid cl_khr_external_memory";
    if ((imports() & 1) != 0) text += " cl_khr_external_memory_opaque_fd";
    if ((imports() & 2) != 0) text += " cl_khr_external_memory_dma_buf";
    text += '\0';
  } else {
    return code;
  }
  if (out != nullptr && size < text.size()) return CL_INVALID_VALUE;
  if (out != nullptr) std::memcpy(out, text.data(), text.size());
  if (out_size != nullptr) *out_size = text.size();
  return CL_SUCCESS;
}

struct Mapping {
  void* data;
  size_t size;
};

void CL_CALLBACK unmap(cl_mem memory, void* mapping) {
  State& all = state();
  const std::lock_guard lock(all.mutex);
  all.imported.erase(memory);
  const auto* const mapped = static_cast<Mapping*>(mapping);
  munmap(mapped->data, mapped->size);
  delete mapped;
}

// As a driver would: the descriptor is its own from here on.
cl_mem import(cl_context context, const cl_ulong* properties, size_t size, cl_int* code) {
  constexpr cl_ulong kOpaque = 0x2060, kDmaBuf = 0x2067;
  *code = CL_INVALID_VALUE;
  const bool known = (properties[0] == kOpaque && (imports() & 1) != 0) ||
                     (properties[0] == kDmaBuf && (imports() & 2) != 0);
  if (!known) return nullptr;
  const int descriptor = static_cast<int>(properties[1]);
  void* const data = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (data == MAP_FAILED) return nullptr;
  close(descriptor);
  static const auto create =
      reinterpret_cast<decltype(&clCreateBuffer)>(real_symbol("clCreateBuffer"));
  static const auto on_end = reinterpret_cast<decltype(&clSetMemObjectDestructorCallback)>(
      real_symbol("clSetMemObjectDestructorCallback"));
  cl_mem made = create(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, size, data, code);
  if (made == nullptr) {
    munmap(data, size);
    return nullptr;
  }
  {
    State& all = state();
    const std::lock_guard lock(all.mutex);
    all.imported[made] = false;
  }
  on_end(made, unmap, new Mapping{data, size});
  return made;
}

cl_int change_owner(const char* name, bool acquires, cl_command_queue queue, cl_uint count,
                    const cl_mem* memories, cl_event* done) {
  cl_int code = begin_call(name);
  if (code == CL_SUCCESS) {
    State& all = state();
    const std::lock_guard lock(all.mutex);
    for (cl_uint i = 0; i < count; ++i) {
      const auto found = all.imported.find(memories[i]);
      if (found == all.imported.end() || found->second == acquires) {
        code = CL_INVALID_MEM_OBJECT;
      } else {
        found->second = acquires;
      }
    }
  }
  end_call(name, code != CL_SUCCESS);
  static const auto mark = reinterpret_cast<decltype(&clEnqueueMarkerWithWaitList)>(
      real_symbol("clEnqueueMarkerWithWaitList"));
  return code == CL_SUCCESS ? mark(queue, 0, nullptr, done) : code;
}

cl_int CL_API_CALL acquire(cl_command_queue queue, cl_uint count, const cl_mem* memories, cl_uint,
                           const cl_event*, cl_event* done) {
  return change_owner("clEnqueueAcquireExternalMemObjectsKHR", true, queue, count, memories, done);
}
cl_int CL_API_CALL release(cl_command_queue queue, cl_uint count, const cl_mem* memories, cl_uint,
                           const cl_event*, cl_event* done) {
  return change_owner("clEnqueueReleaseExternalMemObjectsKHR", false, queue, count, memories, done);
}

// Why a call is refused that uses what is not acquired.
bool is_not_ours(cl_mem memory) {
  State& all = state();
  const std::lock_guard lock(all.mutex);
  const auto found = all.imported.find(memory);
  return found != all.imported.end() && !found->second;
}
template <typename... Arguments>
cl_int refusal(const Arguments&...) {
  return CL_SUCCESS;
}
template <typename... Arguments>
cl_int refusal(cl_command_queue, cl_mem memory, const Arguments&...) {
  return is_not_ours(memory) ? CL_INVALID_OPERATION : CL_SUCCESS;
}

cl_int build_log(size_t size, void* out, size_t* out_size) {
  const size_t length = std::strlen(kBuildLog) + 1;
  if (out != nullptr) std::memcpy(out, kBuildLog, std::min(size, length));
  if (out_size != nullptr) *out_size = length;
  return CL_SUCCESS;
}

// What a call answers, where that is to be different from what the driver has said. The types of
// the arguments tell the calls apart.
template <typename... Arguments>
cl_int answer(cl_int code, const Arguments&...) {
  return code;
}
cl_int answer(cl_int code, cl_device_id device, cl_device_info parameter, size_t size, void* out,
              size_t* out_size) {
  if (code == CL_SUCCESS) change_device_info(parameter, size, out);
  return imports() != 0 ? describe_imports(code, device, parameter, size, out, out_size) : code;
}
cl_int answer(cl_int code, cl_program, cl_device_id, cl_program_build_info parameter, size_t size,
              void* out, size_t* out_size) {
  // The driver knows nothing of a build that never was.
  const bool answered = code == CL_SUCCESS || code == CL_INVALID_PROGRAM;
  return answered && parameter == CL_PROGRAM_BUILD_LOG && is_build_broken()
             ? build_log(size, out, out_size)
             : code;
}

}  // namespace

// What is made in the place of the driver, where it imports; else what that makes.
bool is_played(std::string_view name) {
  return imports() != 0 && (name == "clCreateBufferWithProperties" ||
                            name == "clGetExtensionFunctionAddressForPlatform");
}
template <typename Function, typename... Arguments>
auto made(Function function, Arguments... arguments) {
  return function(arguments...);
}
cl_mem made(cl_mem (*function)(cl_context, const cl_ulong*, cl_mem_flags, size_t, void*, cl_int*),
            cl_context context, const cl_ulong* properties, cl_mem_flags flags, size_t size,
            void* host, cl_int* code) {
  if (imports() == 0) return function(context, properties, flags, size, host, code);
  return import(context, properties, size, code);
}
void* made(void* (*function)(cl_platform_id, const char*), cl_platform_id platform,
           const char* name) {
  const std::string_view wanted = name;
  if (imports() != 0 && wanted == "clEnqueueAcquireExternalMemObjectsKHR") {
    return reinterpret_cast<void*>(acquire);
  }
  if (imports() != 0 && wanted == "clEnqueueReleaseExternalMemObjectsKHR") {
    return reinterpret_cast<void*>(release);
  }
  return function(platform, name);
}

// "answer (code, a, b)" out of "(a, b)".
#define ALL(...) __VA_ARGS__
#define CODE(name, parameters, arguments)                                                    \
  EXPORTED cl_int CL_API_CALL name parameters {                                              \
    static const auto function = reinterpret_cast<cl_int(*) parameters>(real_symbol(#name)); \
    const cl_int code = run_code(#name, function != nullptr, [&] {                           \
      const cl_int refused = refusal arguments;                                              \
      return refused != CL_SUCCESS ? refused : function arguments;                           \
    });                                                                                      \
    return answer(code, ALL arguments);                                                      \
  }

#define CREATE(type, name, parameters, arguments, error)                                   \
  EXPORTED type CL_API_CALL name parameters {                                              \
    static const auto function = reinterpret_cast<type(*) parameters>(real_symbol(#name)); \
    return run_create<type>(#name, function != nullptr || is_played(#name), error,         \
                            [&] { return made(function, ALL arguments); });                \
  }

extern "C" {
CLTRACK_OPENCL_FUNCTIONS(CODE, CREATE)

// See support/faults.h.
EXPORTED void cltrack_set_faults(const char* text) {
  State& all = state();
  const std::lock_guard lock(all.mutex);
  all.faults.clear();
  all.calls.clear();
  add_faults(all, text);
}

EXPORTED void cltrack_add_faults(const char* text) {
  State& all = state();
  const std::lock_guard lock(all.mutex);
  add_faults(all, text);
}

EXPORTED long cltrack_count_calls(const char* name, int failed) {
  State& all = state();
  const std::lock_guard lock(all.mutex);
  const auto calls = all.calls.find(std::string_view(name));
  if (calls == all.calls.end()) return 0;
  return failed != 0 ? calls->second.failed : calls->second.all;
}
}
