// SPDX-License-Identifier: LGPL-2.1-or-later
// For tests that need a broker.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>

#include "broker.h"

namespace cltrack::test {

class BrokerTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!mosquitto_program().empty()) return;
    if (std::getenv("CLTRACK_REQUIRE_MQTT") != nullptr) {
      FAIL() << "no mosquitto, which CLTRACK_REQUIRE_MQTT asks for";
    }
    GTEST_SKIP() << "no mosquitto: install it to test with a broker";
  }
};

}  // namespace cltrack::test
