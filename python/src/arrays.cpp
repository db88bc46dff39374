// SPDX-License-Identifier: LGPL-2.1-or-later
#include "arrays.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "text.h"

namespace py = pybind11;

namespace cltrack::python {
namespace {

constexpr py::ssize_t kMostSide = 32767;  // pixels, as in GStreamer
constexpr double kMostSeconds = 1e9;      // 30 years: sums of these can be counted in ns

// An array of float32 with a copy where it is needed; TypeError for what is no array of numbers.
py::array_t<float> floats_of(const py::object& values, const char* name) {
  auto array = py::array_t<float, py::array::c_style | py::array::forcecast>::ensure(values);
  if (!array) {
    PyErr_Clear();
    throw py::type_error(std::string(name) + " must be numbers, not " + type_of(values));
  }
  return array;
}

py::ssize_t step_of(const py::array& array, py::ssize_t dimension, py::ssize_t usual) {
  // What has one entry may have any stride.
  return array.shape(dimension) > 1 ? array.strides(dimension) : usual;
}

}  // namespace

Channels channels_of(const std::string& name) {
  if (name == "bgr") return Channels::bgr;
  if (name == "rgb") return Channels::rgb;
  throw py::value_error("channels is \"" + name + "\"; allowed: \"bgr\", \"rgb\"");
}

ColorPicture picture_of(const py::object& object, Channels channels) {
  if (!py::isinstance<py::array>(object)) {
    throw py::type_error("a picture must be a NumPy array of uint8, not " + type_of(object));
  }
  const auto array = py::reinterpret_borrow<py::array>(object);
  if (!array.dtype().is(py::dtype::of<std::uint8_t>())) {
    throw py::type_error("a picture has the dtype " + shown(array.dtype()) +
                         "; allowed: uint8, with values from 0 to 255");
  }
  const std::string shape = shown(array.attr("shape"));
  const py::ssize_t depth = array.ndim() == 3 ? array.shape(2) : 1;
  if (array.ndim() < 2 || array.ndim() > 3 || (depth != 1 && depth != 3 && depth != 4)) {
    throw py::value_error("a picture has the shape " + shape +
                          "; allowed: (height, width), (height, width, 3), (height, width, 4)");
  }
  const py::ssize_t height = array.shape(0), width = array.shape(1);
  if (height < 1 || width < 1 || height > kMostSide || width > kMostSide) {
    throw py::value_error("a picture has the shape " + shape +
                          "; allowed: height and width from 1 to " + std::to_string(kMostSide));
  }
  const py::ssize_t apart = depth > 1 ? step_of(array, 2, 1) : 1;
  const py::ssize_t step = step_of(array, 1, depth * apart),
                    stride = step_of(array, 0, width * step);
  if (apart == 0 || step < 1 || stride < 1 || step > std::numeric_limits<int>::max()) {
    throw py::value_error("a picture has the strides " + shown(array.attr("strides")) +
                          "; allowed: more than 0, as of numpy.ascontiguousarray(picture)");
  }
  ColorPicture picture;
  picture.space = depth > 1 ? ColorSpace::rgb : ColorSpace::none;
  picture.width = static_cast<int>(width);
  picture.height = static_cast<int>(height);
  const auto* data = static_cast<const std::uint8_t*>(array.data());
  for (py::ssize_t c = 0; c < (depth > 1 ? 3 : 1); ++c) {
    const py::ssize_t channel = depth > 1 && channels == Channels::bgr ? 2 - c : c;
    picture.components[static_cast<std::size_t>(c)] = {
        .data = data + channel * apart, .stride = stride, .step = static_cast<int>(step)};
  }
  return picture;
}

BoundingBox box_of(const py::object& box) {
  const py::array_t<float> values = floats_of(box, "a box");
  if (values.ndim() != 1 || values.shape(0) != 4) {
    throw py::value_error("a box has the shape " + shown(values.attr("shape")) +
                          "; allowed: (4,), which are x, y, width, height");
  }
  return {values.at(0), values.at(1), values.at(2), values.at(3)};
}

std::optional<std::vector<DetectedObject>> detections_of(const py::object& boxes,
                                                         const py::object& scores,
                                                         const py::object& labels) {
  if (boxes.is_none()) {
    if (scores.is_none() && (labels.is_none() || py::isinstance<py::str>(labels)))
      return std::nullopt;
    throw py::value_error("scores and labels need boxes");
  }
  const py::array_t<float> values = floats_of(boxes, "boxes");
  if (values.size() > 0 && (values.ndim() != 2 || values.shape(1) != 4)) {
    throw py::value_error("boxes have the shape " + shown(values.attr("shape")) +
                          "; allowed: (N, 4), which are x, y, width, height");
  }
  const py::ssize_t count = values.size() / 4;
  std::vector<DetectedObject> found(static_cast<std::size_t>(count));
  const auto check_count = [&](const char* name, py::ssize_t of) {
    if (of == count) return;
    throw py::value_error("there are " + std::to_string(of) + " " + name + " of " +
                          std::to_string(count) + " boxes");
  };
  std::optional<py::array_t<float>> confidences;
  if (!scores.is_none()) {
    confidences = floats_of(scores, "scores");
    if (confidences->ndim() != 1) {
      throw py::value_error("scores have the shape " + shown(confidences->attr("shape")) +
                            "; allowed: (N,)");
    }
    check_count("scores", confidences->shape(0));
  }
  const bool one_label = labels.is_none() || py::isinstance<py::str>(labels);
  std::vector<std::string> names;
  if (one_label) {
    names.assign(found.size(), labels.is_none() ? "object" : text_of(labels, "a label"));
  } else {
    for (const py::handle& label : labels) {
      if (!py::isinstance<py::str>(label)) {
        throw py::type_error("labels must be str, not " + type_of(label));
      }
      names.push_back(text_of(label, "a label"));
    }
  }
  check_count("labels", static_cast<py::ssize_t>(names.size()));
  for (py::ssize_t i = 0; i < count; ++i) {
    found[static_cast<std::size_t>(i)] = {
        {values.at(i, 0), values.at(i, 1), values.at(i, 2), values.at(i, 3)},
        names[static_cast<std::size_t>(i)],
        confidences ? confidences->at(i) : 1.0f};
  }
  return found;
}

std::vector<Polygon> polygons_of(const py::object& polygons, const char* name) {
  std::vector<Polygon> all;
  if (polygons.is_none()) return all;
  for (const py::handle& corners : polygons) {
    const auto values = floats_of(py::reinterpret_borrow<py::object>(corners), name);
    if (values.ndim() != 2 || values.shape(0) < 3 || values.shape(1) != 2) {
      throw py::value_error(std::string(name) + " has a polygon of the shape " +
                            shown(values.attr("shape")) + "; allowed: (N, 2) with N from 3");
    }
    Polygon& polygon = all.emplace_back();
    for (py::ssize_t i = 0; i < values.shape(0); ++i) {
      polygon.push_back({values.at(i, 0), values.at(i, 1)});
    }
  }
  return all;
}

std::int64_t nanoseconds_of(double seconds, const char* name) {
  if (!(seconds >= 0 && seconds <= kMostSeconds)) {
    throw py::value_error(std::string(name) + " is " + shown(py::float_(seconds)) +
                          "; allowed: seconds, 0 to 1e9");
  }
  return static_cast<std::int64_t>(std::llround(seconds * 1e9));
}

}  // namespace cltrack::python
