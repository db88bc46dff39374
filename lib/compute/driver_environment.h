// SPDX-License-Identifier: LGPL-2.1-or-later
// The environment variables of OpenCL's loader and drivers, as they were before the loader was
// opened. Debian's loader overwrites the colons of lists in them, so that child processes would see
// the first entries only.
//
// Threading: safe.
#pragma once

#include <string>
#include <vector>

namespace cltrack {

// "NAME=value" of every variable whose name begins with OCL_ICD_ or OPENCL_. Opens the loader.
const std::vector<std::string>& driver_environment();

}  // namespace cltrack
