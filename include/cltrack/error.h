// SPDX-License-Identifier: LGPL-2.1-or-later
// The only exception type that libcltrack throws to its callers.
#pragma once

#include <stdexcept>
#include <string>

#include "cltrack/export.h"

namespace cltrack {

enum class ErrorCode {
  invalid_argument,  // a value that is not allowed; the message names it and what is allowed
  failed,            // any other error
  device_missing,    // there is no such compute device; the message lists those present
  device_failed,     // a compute device stopped working; another one may work
  out_of_memory,     // a compute device has too little memory
  build_failed,      // a kernel does not compile on a device; details() is the compiler's log
  interrupted,       // the caller has requested a stop: Frame::stop
};

class CLTRACK_API Error : public std::runtime_error {
 public:
  // `message`: what(), one line for users. `details`: longer text, such as a compiler's log.
  Error(ErrorCode code, const std::string& message, std::string details = {});
  ~Error() override;
  // The kind of error.
  ErrorCode code() const { return code_; }

  // Longer text of several lines, or empty.
  const std::string& details() const { return details_; }

 private:
  ErrorCode code_;
  std::string details_;
};

}  // namespace cltrack
