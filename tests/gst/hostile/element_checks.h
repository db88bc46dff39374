// SPDX-License-Identifier: LGPL-2.1-or-later
// What must hold of an element whatever it is given.
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

// Whether a line of LogWatch says what is wrong with what the element was given.
bool is_expected_log(const std::string& line);

}  // namespace cltrack::test
