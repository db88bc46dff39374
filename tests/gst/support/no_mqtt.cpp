// SPDX-License-Identifier: LGPL-2.1-or-later
// In place of the tests with a broker, in a build that knows no MQTT.
#include <gtest/gtest.h>

#include <cstdlib>

namespace cltrack {
namespace {

TEST(Mqtt, IsThere) {
  if (std::getenv("CLTRACK_REQUIRE_MQTT") != nullptr) {
    FAIL() << "built without libmosquitto, which CLTRACK_REQUIRE_MQTT asks for";
  }
  GTEST_SKIP() << "built without MQTT: it needs libmosquitto";
}

}  // namespace
}  // namespace cltrack
