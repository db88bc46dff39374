// SPDX-License-Identifier: LGPL-2.1-or-later
// The text files of a sequence. A pipe in their place is not waited for.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cltrack/bounding_box.h"

namespace cltrack::accuracy {

// Where the target is, frame by frame; none while it is out of sight.
using Boxes = std::vector<std::optional<BoundingBox>>;

// Reads x,y,width,height rows that count from 1.
// Throws Error{invalid_argument} that names the file and the line.
Boxes read_rectangles(const std::filesystem::path& file);

// Reads x1,y1,x2,y2 rows that count from 1, both corners inside the box. Throws as above.
Boxes read_corners(const std::filesystem::path& file);

// Reads names that are separated by commas or lines; each counts once, blanks around it do not.
// Throws Error{invalid_argument} if the file cannot be read.
std::vector<std::string> read_names(const std::filesystem::path& file);

// Whether there is a regular file, or a link to one.
bool is_file(const std::filesystem::path& path);

// Throws Error{invalid_argument}.
[[noreturn]] void refuse(const std::string& message);

}  // namespace cltrack::accuracy
