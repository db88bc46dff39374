// SPDX-License-Identifier: LGPL-2.1-or-later
#include "properties/property_text.h"

#include <gtest/gtest.h>

namespace cltrack {
namespace {

template <typename Set, typename Value>
std::optional<double> number(GType type, Set set, Value contents) {
  GValue value = G_VALUE_INIT;
  g_value_init(&value, type);
  set(&value, contents);
  const std::optional<double> result = gst::number_of(&value);
  g_value_unset(&value);
  return result;
}

TEST(Number, IsOfAnyNumericType) {
  EXPECT_EQ(number(G_TYPE_INT, g_value_set_int, -3), -3.0);
  EXPECT_EQ(number(G_TYPE_UINT, g_value_set_uint, 3u), 3.0);
  EXPECT_EQ(number(G_TYPE_LONG, g_value_set_long, -3l), -3.0);
  EXPECT_EQ(number(G_TYPE_ULONG, g_value_set_ulong, 3ul), 3.0);
  EXPECT_EQ(number(G_TYPE_INT64, g_value_set_int64, gint64{-3}), -3.0);
  EXPECT_EQ(number(G_TYPE_UINT64, g_value_set_uint64, guint64{3}), 3.0);
  EXPECT_EQ(number(G_TYPE_FLOAT, g_value_set_float, 0.5f), 0.5);
  EXPECT_EQ(number(G_TYPE_DOUBLE, g_value_set_double, 0.1), 0.1);
}

TEST(Number, IsNothingElse) {
  EXPECT_EQ(number(G_TYPE_BOOLEAN, g_value_set_boolean, TRUE), std::nullopt);
  EXPECT_EQ(number(G_TYPE_STRING, g_value_set_string, "3"), std::nullopt);
}

}  // namespace
}  // namespace cltrack
