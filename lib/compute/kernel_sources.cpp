// SPDX-License-Identifier: LGPL-2.1-or-later
#include "compute/kernel_sources.h"

#include <string>

#include "cltrack/error.h"

namespace cltrack {

std::string_view kernel_source(std::string_view name) {
  std::string known;
  for (const KernelSource& source : kernel_sources()) {
    if (source.name == name) return source.text;
    known += (known.empty() ? "" : ", ") + std::string(source.name);
  }
  throw Error(ErrorCode::invalid_argument,
              "no kernel file " + std::string(name) + ".cl; there are: " + known);
}

}  // namespace cltrack
