// SPDX-License-Identifier: LGPL-2.1-or-later
// GoogleTest, and the names of its matchers.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cltrack::test {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

}  // namespace cltrack::test
