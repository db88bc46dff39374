// SPDX-License-Identifier: LGPL-2.1-or-later
// Checks that an element must pass after any input.
#pragma once

#include <gst/video/video.h>

#include <cstddef>
#include <string>
#include <vector>

namespace cltrack::test {

// Of the caps that the element has taken; false if there are none.
bool get_current_info(GstElement* element, GstVideoInfo& info);

std::size_t count_regions(GstBuffer* buffer);
// All regions after the first `before` are a tracker's: inside the picture, no number infinite.
void check_regions(GstBuffer* buffer, std::size_t before, const GstVideoInfo& info);

// The texts of the errors on the bus of the element. No text of an error or a warning may be empty,
// and no warning unexpected.
std::vector<std::string> take_errors(GstElement* element);

// Whether a line of LogWatch is a warning about invalid input.
bool is_expected_log(const std::string& line);

}  // namespace cltrack::test
