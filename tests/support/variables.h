// SPDX-License-Identifier: LGPL-2.1-or-later
// Environment variables of a test.
#pragma once

#include <cstdlib>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace cltrack::test {

// Sets environment variables and restores them at the end.
class Variables {
 public:
  Variables(std::initializer_list<std::pair<std::string, const char*>> values) {
    for (const auto& [name, value] : values) {
      const char* before = std::getenv(name.c_str());
      before_[name] = before != nullptr ? std::optional<std::string>(before) : std::nullopt;
      value != nullptr ? setenv(name.c_str(), value, 1) : unsetenv(name.c_str());
    }
  }
  ~Variables() {
    for (const auto& [name, value] : before_) {
      value ? setenv(name.c_str(), value->c_str(), 1) : unsetenv(name.c_str());
    }
  }
  Variables(const Variables&) = delete;
  Variables& operator=(const Variables&) = delete;

 private:
  std::map<std::string, std::optional<std::string>> before_;
};

}  // namespace cltrack::test
