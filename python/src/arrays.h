// SPDX-License-Identifier: LGPL-2.1-or-later
// What Python passes, as the library takes it: NumPy arrays as pictures, boxes and detections,
// keywords as parameters. What cannot be used raises TypeError or ValueError with what is allowed.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cltrack/bounding_box.h"
#include "cltrack/color_picture.h"
#include "cltrack/detection_tracker.h"
#include "cltrack/image_view.h"
#include "cltrack/search_region.h"

namespace cltrack::python {

// The order of the first three channels of pictures.
enum class Channels { bgr, rgb };

// "bgr" or "rgb".
Channels channels_of(const std::string& name);

// A view of the array's memory, which is not copied: uint8, (height, width), (height, width, 1),
// (height, width, 3) or (height, width, 4) with any strides over 0, that of channels any but 0. One
// channel is luma alone.
ColorPicture picture_of(const pybind11::object& array, Channels channels);

// Four numbers: x, y, width, height.
BoundingBox box_of(const pybind11::object& box);

// Of Nx4 boxes, N scores and N labels, or one label of all. Without boxes: none.
std::optional<std::vector<DetectedObject>> detections_of(const pybind11::object& boxes,
                                                         const pybind11::object& scores,
                                                         const pybind11::object& labels);

// Polygons of (x, y) in parts of the frame's width and height.
std::vector<Polygon> polygons_of(const pybind11::object& polygons, const char* name);

// What `name` says in seconds, as ns.
std::int64_t nanoseconds_of(double seconds, const char* name);

}  // namespace cltrack::python
