// SPDX-License-Identifier: LGPL-2.1-or-later
// cltrack.Zones and cltrack.ZoneEvent.
#pragma once

#include <pybind11/pybind11.h>

namespace cltrack::python {

// After cltrack.Track.
void add_zones(pybind11::module_& module);

}  // namespace cltrack::python
