// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gmock/gmock.h>

#include <functional>
#include <string>
#include <vector>

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

// The call has to be rejected: it asks for what cannot be done. The message has all of these parts.
inline void expect_rejected(const std::function<void()>& call,
                            const std::vector<std::string>& parts = {}) {
  const Error error = error_of(call);
  EXPECT_EQ(error.code(), ErrorCode::invalid_argument) << error.what();
  for (const std::string& part : parts) EXPECT_THAT(error.what(), testing::HasSubstr(part));
}

}  // namespace cltrack::test
