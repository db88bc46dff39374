// SPDX-License-Identifier: LGPL-2.1-or-later
// Numbers of any type, as gst-launch and applications in other languages write them.
#pragma once

#include <gst/gst.h>

#include <optional>

namespace cltrack::gst {

// Empty for what is no number: truth values, characters, strings.
std::optional<double> number_of(const GValue* value);

}  // namespace cltrack::gst
