// SPDX-License-Identifier: LGPL-2.1-or-later
// In place of the tests of analytics metadata, in a build that has none.
#include <gtest/gtest.h>

#include <cstdlib>

namespace cltrack {
namespace {

TEST(Analytics, IsThere) {
  if (std::getenv("CLTRACK_REQUIRE_ANALYTICS") != nullptr) {
    FAIL() << "built without gstreamer-analytics-1.0, which CLTRACK_REQUIRE_ANALYTICS asks for";
  }
  GTEST_SKIP() << "built without GstAnalytics: it needs gstreamer-analytics-1.0 1.24 or newer";
}

}  // namespace
}  // namespace cltrack
