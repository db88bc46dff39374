// SPDX-License-Identifier: LGPL-2.1-or-later
// Files that an application names.
#pragma once

#include <cstdio>
#include <string>

#include "scoped.h"

namespace cltrack::gst {

using File = Scoped<std::FILE, std::fclose>;

// Opens a file for reading. Whatever the path names by the time it is opened, this does not wait:
// not for the other end of a pipe, nor for a device. Throws Error{invalid_argument} whose text is
// the reason alone: it is not there, may not be read, or is no regular file.
File open_regular_file(const std::string& path);

}  // namespace cltrack::gst
