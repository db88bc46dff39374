// SPDX-License-Identifier: LGPL-2.1-or-later
// Files of models, and regular files that an application names.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>

#include "cltrack/network.h"
#include "cltrack/saved_model.h"
#include "scoped.h"

namespace cltrack::gst {

// Files that an application names.

using File = Scoped<std::FILE, std::fclose>;

// Opens a file for reading. Whatever the path names by the time it is opened, this does not wait:
// not for the other end of a pipe, nor for a device. Throws Error{invalid_argument} whose text is
// the reason alone: it is not there, may not be read, or is no regular file.
File open_regular_file(const std::string& path);

// All of such a file; of one that is longer than `most` bytes, no more than shows that. Throws as
// open_regular_file().
std::string read_regular_file(const std::string& path, std::size_t most);

// Throws Error{invalid_argument}: `what` names the property or the signal that named the file.
[[noreturn]] void refuse_file(const char* what, const std::string& path, const std::string& reason);

// Replaces what was in the file only once all is written, by renaming another one beside it; links
// and the file's mode stay. Throws as refuse_file().
void replace_regular_file(const char* what, const std::string& path, const std::string& text);

// Saved models and networks as files. All functions throw Error{invalid_argument} that names the
// file. A file that is no model, however large, takes no memory of more than one.

SavedModel load_model(const std::string& path);
Network load_network(const std::string& path);

// As replace_regular_file().
void save_model(const SavedModel& model, const std::string& path);

}  // namespace cltrack::gst
