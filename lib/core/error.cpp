// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cltrack/error.h"

#include <utility>

namespace cltrack {

Error::Error(ErrorCode code, const std::string& message, std::string details)
    : std::runtime_error(message), code_(code), details_(std::move(details)) {}

Error::~Error() = default;

}  // namespace cltrack
