// SPDX-License-Identifier: LGPL-2.1-or-later
// The one exception type that leaves libcltrack.
#pragma once

#include <stdexcept>
#include <string>

#include "cltrack/export.h"

namespace cltrack {

enum class ErrorCode {
  invalid_argument,  // a value that is not allowed; the message names it and what is allowed
  failed,            // anything else that stopped a call
  device_missing,    // no compute device is what was asked for; the message lists those present
  device_failed,     // a compute device stopped working; another one may do
  out_of_memory,     // a compute device has too little memory for what was asked of it
  build_failed,      // a kernel does not compile on a device; details() is the compiler's log
  interrupted,       // the caller has asked a call to end early: Frame::stop
};

class CLTRACK_API Error : public std::runtime_error {
 public:
  // `message` is what() and one line for users; `details` is what is too long for it.
  Error(ErrorCode code, const std::string& message, std::string details = {});
  ~Error() override;
  // What kind of error it is, for programs to decide by.
  ErrorCode code() const { return code_; }

  // What is too long for a message: several lines, or empty.
  const std::string& details() const { return details_; }

 private:
  ErrorCode code_;
  std::string details_;
};

}  // namespace cltrack
