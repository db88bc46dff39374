// SPDX-License-Identifier: LGPL-2.1-or-later
// Zones and totals as text.
#pragma once

#include <string>

namespace cltrack {

bool is_utf8(const std::string& text);

}  // namespace cltrack
