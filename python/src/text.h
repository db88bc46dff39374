// SPDX-License-Identifier: LGPL-2.1-or-later
// Text of Python's objects, for the library and for messages.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

namespace cltrack::python {

// A str in UTF-8. Raises ValueError, which has `name`, if it has half of a character (a surrogate).
std::string text_of(const pybind11::handle& text, const std::string& name);

// What str() says of a value, for messages: any str can be.
std::string shown(const pybind11::handle& value);

// The name of its type.
std::string type_of(const pybind11::handle& value);

}  // namespace cltrack::python
