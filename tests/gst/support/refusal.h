// SPDX-License-Identifier: LGPL-2.1-or-later
// What an Error says, if one is thrown.
#pragma once

#include <string>

#include "cltrack/error.h"

namespace cltrack::test {

template <typename Callable>
std::string refusal(const Callable& callable) {
  try {
    callable();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was refused";
}

}  // namespace cltrack::test
