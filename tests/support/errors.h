// SPDX-License-Identifier: LGPL-2.1-or-later
// What a call throws.
#pragma once

#include <gtest/gtest.h>

#include <functional>

#include "cltrack/error.h"

namespace cltrack::test {

// The Error of a call that has to throw one; a failed test if it does not.
inline Error error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "nothing was thrown";
  return Error(ErrorCode::failed, "");
}

}  // namespace cltrack::test
