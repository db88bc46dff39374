// SPDX-License-Identifier: LGPL-2.1-or-later
// Trackers made of keywords: the parameters of the configs, and the devices of their stages.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <string>

#include "cltrack/tracker.h"

namespace cltrack::python {

// "tld", "template" or "color". `device`: a device spec, or a dict of stages and specs. Raises
// TypeError for keywords that it has not and values of another type, and ValueError for names that
// are not among those allowed; throws what make_tld_tracker() and the others throw.
std::unique_ptr<Tracker> make_tracker(const std::string& algorithm, const pybind11::object& device,
                                      const pybind11::dict& parameters);

}  // namespace cltrack::python
