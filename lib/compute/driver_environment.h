// SPDX-License-Identifier: LGPL-2.1-or-later
// What OpenCL's loader and drivers were told by the environment. Debian's loader cuts the lists in
// it at their colons, in place: a program that is started later would see the first entries alone.
//
// Threading: safe.
#pragma once

#include <string>
#include <vector>

namespace cltrack {

// "NAME=value" of every variable whose name begins with OCL_ICD_ or OPENCL_, as they were before
// the loader was opened, which this does if nobody has.
const std::vector<std::string>& driver_environment();

}  // namespace cltrack
