// SPDX-License-Identifier: LGPL-2.1-or-later
// A module for tests: what the package makes of an array, and the library called without the
// package.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bgr_frame.h"
#include "python/src/arrays.h"

namespace py = pybind11;

namespace {

// Where the bytes of red, green and blue are that the library is shown of a picture.
std::vector<std::uintptr_t> addresses(const py::object& array, const std::string& channels) {
  const cltrack::ColorPicture picture =
      cltrack::python::picture_of(array, cltrack::python::channels_of(channels));
  std::vector<std::uintptr_t> all;
  for (const cltrack::ColorComponent& component : picture.components) {
    if (component.data) all.push_back(reinterpret_cast<std::uintptr_t>(component.data));
  }
  return all;
}

class Tracker {
 public:
  Tracker(const std::string& algorithm, const cltrack::BoundingBox& box) {
    const auto on_host = [](auto config) {
      config.placement.device = "host";
      return config;
    };
    tracker_ = algorithm == "tld" ? make_tld_tracker(on_host(cltrack::TldConfig()))
                                  : make_template_tracker(on_host(cltrack::TemplateConfig()));
    tracker_->add(box, "");
  }

  // Seconds that the call takes, and the box.
  std::pair<double, std::vector<float>> update(const py::array_t<std::uint8_t>& array) {
    const std::uint8_t* pixels = array.data();
    const int width = static_cast<int>(array.shape(1)), height = static_cast<int>(array.shape(0));
    const py::gil_scoped_release release;
    const auto start = std::chrono::steady_clock::now();
    const auto tracks = tracker_->process(cltrack::bgr_frame(pixels, width, height, luma_));
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    const cltrack::BoundingBox box = tracks[0].box;
    return {taken.count(), {box.x, box.y, box.width, box.height}};
  }

 private:
  std::unique_ptr<cltrack::Tracker> tracker_;
  cltrack::Image luma_;
};

}  // namespace

PYBIND11_MODULE(direct, module) {
  module.def("addresses", &addresses, py::arg("array"), py::arg("channels") = "bgr");
  py::class_<Tracker>(module, "Tracker")
      .def(py::init([](const std::string& algorithm, const py::object& box) {
        return std::make_unique<Tracker>(algorithm, cltrack::python::box_of(box));
      }))
      .def("update", &Tracker::update);
}
