// SPDX-License-Identifier: LGPL-2.1-or-later
#include "error.h"

namespace cltrack {

Error::Error(ErrorCode code, const std::string& message)
    : std::runtime_error(message), code_(code) {}

Error::~Error() = default;

}  // namespace cltrack
