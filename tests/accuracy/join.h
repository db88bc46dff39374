// SPDX-License-Identifier: LGPL-2.1-or-later
// "a, b, c": what there is, for messages.
#pragma once

#include <functional>
#include <string>

namespace cltrack::accuracy {

template <typename Range, typename Projection = std::identity>
std::string join(const Range& range, Projection projection = {}) {
  std::string text;
  for (const auto& item : range) {
    if (!text.empty()) text += ", ";
    text += std::invoke(projection, item);
  }
  return text;
}

}  // namespace cltrack::accuracy
