// SPDX-License-Identifier: LGPL-2.1-or-later
// A GValue that holds a GstValueArray, for tests of properties that are lists.
#pragma once

#include <gst/gst.h>
#include <gtest/gtest.h>

#include <string>

namespace cltrack::test {

class ValueArray {
 public:
  // By value: GStreamer writes into the text while it reads it.
  explicit ValueArray(std::string text) {
    g_value_init(&value_, GST_TYPE_ARRAY);
    EXPECT_TRUE(gst_value_deserialize(&value_, text.data())) << text;
  }
  ValueArray() { g_value_init(&value_, GST_TYPE_ARRAY); }
  ~ValueArray() { g_value_unset(&value_); }
  ValueArray(const ValueArray&) = delete;
  ValueArray& operator=(const ValueArray&) = delete;
  GValue* get() { return &value_; }

 private:
  GValue value_ = G_VALUE_INIT;
};

}  // namespace cltrack::test
