// SPDX-License-Identifier: LGPL-2.1-or-later
// The one exception type that leaves libcltrack.
#pragma once

#include <stdexcept>
#include <string>

#include "export.h"

namespace cltrack {

enum class ErrorCode {
  invalid_argument,  // a value that is not allowed; the message names it and what is allowed
  failed,            // anything else that stopped a call
};

class CLTRACK_API Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message);
  ~Error() override;
  ErrorCode code() const { return code_; }

 private:
  ErrorCode code_;
};

}  // namespace cltrack
