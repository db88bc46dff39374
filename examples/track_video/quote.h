// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <string>
#include <string_view>

namespace track_video {

// 'text', for messages. (Adding to a literal instead makes g++ 12 warn, wrongly, of -Wrestrict.)
inline std::string quote(std::string_view text) {
  std::string quoted(1, '\'');
  quoted += text;
  quoted += '\'';
  return quoted;
}

}  // namespace track_video
