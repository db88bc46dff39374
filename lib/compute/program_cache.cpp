// SPDX-License-Identifier: LGPL-2.1-or-later
#include "compute/program_cache.h"

#include <utility>

#include "cltrack/error.h"
#include "compute/compiler_disk_space.h"
#include "compute/kernel_sources.h"
#include "core/log.h"

namespace cltrack {
namespace {

// All devices must round alike: no -cl-mad-enable, no -cl-fast-relaxed-math; contraction is off in
// kernel_types.h.
std::string all_options(const DeviceInfo& info, std::string_view options) {
  std::string all = "-cl-std=CL1.2";
  if (info.exact_division) all += " -cl-fp32-correctly-rounded-divide-sqrt";
  if (!options.empty()) all.append(" ").append(options);
  return all;
}

// Throws cl::Error. cl::Program::build() is not used, because it hides why building failed if there
// is no log.
void build_program(const cl::Program& program, const cl::Device& device,
                   const std::string& options) {
  const cl_device_id id = device();
  const cl_int code = clBuildProgram(program(), 1, &id, options.c_str(), nullptr, nullptr);
  if (code != CL_SUCCESS) throw cl::Error(code, "clBuildProgram");
}

std::string build_log(const cl::Program& program, const cl::Device& device) {
  try {
    return program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device);
  } catch (const cl::Error& error) {
    return "the compiler's log is not available: " + cl_error_name(error.err());
  }
}

}  // namespace

ProgramCache::ProgramCache(const DeviceInfo& info, const cl::Context& context,
                           const cl::Device& device, std::filesystem::path folder)
    : info_(info), context_(context), device_(device), store_(std::move(folder)) {}

cl::Program ProgramCache::program(std::string_view name, std::string_view options) {
  return program_from_source(name, kernel_source(name), options);
}

cl::Program ProgramCache::program_from_source(std::string_view name, std::string_view source,
                                              std::string_view options) {
  const std::string all = all_options(info_, options);
  std::string key(name);
  key.append("\n").append(all).append("\n").append(source);
  std::promise<cl::Program> promise;
  std::shared_future<cl::Program> known;
  {
    const std::lock_guard lock(mutex_);
    const auto found = programs_.find(key);
    if (found != programs_.end()) {
      known = found->second;
    } else {
      programs_.emplace(key, promise.get_future().share());
    }
  }
  if (known.valid()) return known.get();
  try {
    cl::Program program = make(name, source, all);
    promise.set_value(program);
    return program;
  } catch (...) {
    // Threads that wait get the same error; later calls try again.
    promise.set_exception(std::current_exception());
    const std::lock_guard lock(mutex_);
    programs_.erase(key);
    throw;
  }
}

std::string ProgramCache::key(std::string_view source, std::string_view options) const {
  std::string text;
  for (const std::string_view part :
       {std::string_view(CLTRACK_VERSION), std::string_view(info_.platform),
        std::string_view(info_.platform_version), std::string_view(info_.vendor),
        std::string_view(info_.name), std::string_view(info_.device_version),
        std::string_view(info_.driver_version), options, source}) {
    text.append(part).append("\n");
  }
  return text;
}

cl::Program ProgramCache::make(std::string_view name, std::string_view source,
                               const std::string& options) {
  const std::string disk_key = key(source, options);
  if (const auto binary = store_.load(disk_key)) {
    try {
      cl::Program program = load(*binary, options);
      ++loads_;
      return program;
    } catch (const cl::Error& error) {
      log(LogLevel::info, "the cached program of " + std::string(name) + ".cl is rejected by " +
                              info_.spec + ": " + cl_error_name(error.err()));
    }
  }
  cl::Program program = build(name, source, options);
  ++builds_;
  if (!store_.is_usable()) return program;
  try {
    const auto binaries = program.getInfo<CL_PROGRAM_BINARIES>();
    if (!binaries.empty()) store_.save(disk_key, binaries.front());
  } catch (const cl::Error& error) {
    log(LogLevel::info, "the program of " + std::string(name) +
                            ".cl cannot be cached: " + cl_error_name(error.err()));
  }
  return program;
}

cl::Program ProgramCache::load(const BinaryStore::Bytes& binary, const std::string& options) {
  cl::Program program(context_, {device_}, cl::Program::Binaries{binary});
  build_program(program, device_, options);
  return program;
}

cl::Program ProgramCache::build(std::string_view name, std::string_view source,
                                const std::string& options) {
  const auto doing = [&] {
    return "building " + std::string(name) + ".cl (" + options + ") on " + info_.spec + " (" +
           info_.name + ")";
  };
  require_compiler_disk_space(info_);
  return translate_errors(doing, [&] {
    cl::Program program(context_, std::string(source));
    try {
      build_program(program, device_, options);
    } catch (const cl::Error& error) {
      throw Error(ErrorCode::build_failed,
                  doing() + " failed: " + cl_error_name(error.err()) + kWhatElse,
                  build_log(program, device_));
    }
    return program;
  });
}

}  // namespace cltrack
