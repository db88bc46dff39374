// SPDX-License-Identifier: LGPL-2.1-or-later
// Messages as lines of a file, or of a file descriptor of the application: a pipe, a socket.
#pragma once

#include <deque>
#include <memory>
#include <string>

#include "publish/outlet.h"

namespace cltrack::gst {

// Appends to a file, which is made if there is none; a named pipe must have a reader. Opened by
// open(), and not left open when the file cannot be written.
std::unique_ptr<Outlet> make_file_outlet(const std::string& path);

// Never closes it, nor changes whether it waits.
std::unique_ptr<Outlet> make_descriptor_outlet(int descriptor);

}  // namespace cltrack::gst
