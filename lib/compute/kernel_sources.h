// SPDX-License-Identifier: LGPL-2.1-or-later
// The files of kernels/, embedded into the library by kernels/embed.py.
#pragma once

#include <span>
#include <string_view>

namespace cltrack {

struct KernelSource {
  std::string_view name;  // X of kernels/X.cl
  std::string_view text;  // kernel_types.h is already included
};

std::span<const KernelSource> kernel_sources();

// The text of kernels/<name>.cl; throws Error{invalid_argument} if there is none.
std::string_view kernel_source(std::string_view name);

}  // namespace cltrack
