// SPDX-License-Identifier: LGPL-2.1-or-later
#include "text.h"

namespace py = pybind11;

namespace cltrack::python {

std::string text_of(const py::handle& text, const std::string& name) {
  Py_ssize_t bytes = 0;
  const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &bytes);
  if (data != nullptr) return {data, static_cast<std::size_t>(bytes)};
  PyErr_Clear();
  throw py::value_error(name + " is \"" + shown(text) +
                        "\"; allowed: text that can be written as UTF-8");
}

std::string shown(const py::handle& value) {
  return py::str(value).attr("encode")("utf-8", "backslashreplace").cast<std::string>();
}

std::string type_of(const py::handle& value) {
  return shown(py::type::handle_of(value).attr("__name__"));
}

}  // namespace cltrack::python
