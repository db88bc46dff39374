// SPDX-License-Identifier: LGPL-2.1-or-later
#include "properties/target_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "../support/value_array.h"
#include "cltrack/error.h"

namespace cltrack {
namespace {

using gst::parse_targets;
using gst::Target;
using Array = test::ValueArray;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::string refusal(const char* text) {
  Array array(text);
  try {
    parse_targets(array.get());
    return "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    return error.what();
  }
}

TEST(TargetList, TakesIntegersAndDecimalsAndLabels) {
  Array array("<<10,20,50,50>,<60.5,-20,30,40.25,\"red car\">,<1,2,3,4,dog>>");
  const std::vector<Target> targets = parse_targets(array.get());
  ASSERT_THAT(targets, SizeIs(3));
  EXPECT_EQ(targets[0].box, (BoundingBox{10, 20, 50, 50}));
  EXPECT_EQ(targets[0].label, "");
  EXPECT_EQ(targets[1].box, (BoundingBox{60.5f, -20, 30, 40.25f}));
  EXPECT_EQ(targets[1].label, "red car");
  EXPECT_EQ(targets[2].label, "dog");
}

// Code can append values of one type only to an array.
TEST(TargetList, TakesNumbersOfAnyType) {
  for (const GType type : {G_TYPE_INT, G_TYPE_UINT, G_TYPE_INT64, G_TYPE_UINT64, G_TYPE_FLOAT}) {
    Array list;
    Array entry;
    for (const double number : {10, 20, 50, 40}) {
      GValue source = G_VALUE_INIT;
      GValue value = G_VALUE_INIT;
      g_value_init(&source, G_TYPE_DOUBLE);
      g_value_set_double(&source, number);
      g_value_init(&value, type);
      g_value_transform(&source, &value);
      gst_value_array_append_and_take_value(entry.get(), &value);
    }
    gst_value_array_append_value(list.get(), entry.get());
    EXPECT_EQ(parse_targets(list.get()).at(0).box, (BoundingBox{10, 20, 50, 40}))
        << g_type_name(type);
  }
}

TEST(TargetList, EmptyListIsNoTarget) {
  Array array("<>");
  EXPECT_THAT(parse_targets(array.get()), IsEmpty());
}

TEST(TargetList, NamesWhatItRefuses) {
  EXPECT_THAT(refusal("<10,20,30,40>"), HasSubstr("10 is not a target"));
  EXPECT_THAT(refusal("<<10,20,30>>"), HasSubstr("it has 3 values"));
  EXPECT_THAT(refusal("<<>>"), HasSubstr("it has 0 values"));
  EXPECT_THAT(refusal("<<10,20,30,40,a,b>>"), HasSubstr("it has 6 values"));
  EXPECT_THAT(refusal("<<10,20,wide,40>>"), HasSubstr("wide is not a number"));
  EXPECT_THAT(refusal("<<10,20,true,40>>"), HasSubstr("true is not a number"));
  EXPECT_THAT(refusal("<<10,20,<30>,40>>"), HasSubstr("is not a number"));
  EXPECT_THAT(refusal("<<(double)nan,20,30,40>>"), HasSubstr("is not finite"));
  EXPECT_THAT(refusal("<<10,20,(double)inf,40>>"), HasSubstr("is not finite"));
  EXPECT_THAT(refusal("<<10,20,1e300,40>>"), HasSubstr("is not finite"));
  EXPECT_THAT(refusal("<<10,20,-30,40>>"), HasSubstr("not greater than 0"));
  EXPECT_THAT(refusal("<<10,20,30,0>>"), HasSubstr("not greater than 0"));
  EXPECT_THAT(refusal("<<10,20,30,40,<a>>>"), HasSubstr("its label <a> is not a string"));
  EXPECT_THAT(refusal("<<10,20,30,40,[1,5]>>"), HasSubstr("write (string)\"...\""));
  EXPECT_THAT(refusal("<<10,wide,30,40,NULL>>"), HasSubstr("<10, wide, 30, 40, NULL>"));
  EXPECT_THAT(refusal("<<10,20,30,40>,<1,2,3>>"), HasSubstr("<x, y, width, height, \"label\">"));
}

struct WrittenLabel {
  const char* written;
  const char* label;
};

class LabelText : public ::testing::TestWithParam<WrittenLabel> {};

// GStreamer makes numbers and the like of them.
TEST_P(LabelText, IsALabelWhateverGStreamerTakesItFor) {
  const std::string text = std::string("<<1,2,30,40,") + GetParam().written + ">>";
  Array array(text.c_str());
  std::vector<Target> targets = parse_targets(array.get());
  ASSERT_THAT(targets, SizeIs(1));
  EXPECT_EQ(targets[0].label, GetParam().label);

  // As an array, and as its text.
  Array again;
  gst::write_targets(targets, again.get());
  const GValue* label = gst_value_array_get_value(gst_value_array_get_value(again.get(), 0), 4);
  ASSERT_TRUE(G_VALUE_HOLDS_STRING(label));
  EXPECT_STREQ(g_value_get_string(label), GetParam().label);
  EXPECT_EQ(parse_targets(again.get())[0].label, GetParam().label);
  char* serialized = gst_value_serialize(again.get());
  Array read(serialized);
  g_free(serialized);
  EXPECT_EQ(parse_targets(read.get())[0].label, GetParam().label);
}

INSTANTIATE_TEST_SUITE_P(
    TargetList, LabelText,
    ::testing::Values(WrittenLabel{"50", "50"}, WrittenLabel{"-7", "-7"},
                      WrittenLabel{"(string)50", "50"}, WrittenLabel{"(string)\"50\"", "50"},
                      WrittenLabel{"(string)007", "007"}, WrittenLabel{"(guint64)5", "5"},
                      WrittenLabel{"1.5", "1.5"}, WrittenLabel{"0.1", "0.1"},
                      WrittenLabel{"5.0", "5.0"}, WrittenLabel{"(float)0.1", "0.1"},
                      WrittenLabel{"20240101123456", "20240101123456"},
                      WrittenLabel{"true", "true"}, WrittenLabel{"1/2", "1/2"},
                      WrittenLabel{"3:7", "3:7"}, WrittenLabel{"max", "max"},
                      WrittenLabel{"min", "min"}, WrittenLabel{"(string)Max", "Max"},
                      WrittenLabel{"(string)\"a \\\"b\\\", <c>\"", "a \"b\", <c>"}));

// GStreamer 1.22.0 warns, and makes a number of it nevertheless.
TEST(TargetList, TakesNumbersInQuotesForLabels) {
  Array array("<<1,2,30,40,\"50\">>");
  EXPECT_EQ(parse_targets(array.get()).at(0).label, "50");
}

TEST(TargetList, RefusesLabelsThatAreNotUtf8) {
  Array list("<<1,2,3,4,label>>");
  const GValue* label = gst_value_array_get_value(gst_value_array_get_value(list.get(), 0), 4);
  g_value_set_string(const_cast<GValue*>(label), "\xff\xfe");
  try {
    parse_targets(list.get());
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("label: \"\\377\\376\" is not valid UTF-8"));
  }
}

TEST(TargetList, ComesBackAsWritten) {
  const std::vector<Target> targets{{{1.5f, 2, 3, 4e-7f}, "red \"car\", <1>"},
                                    {{5, 6, 7, 8.25f}, ""}};
  Array array;
  gst::write_targets(targets, array.get());
  const std::vector<Target> read = parse_targets(array.get());
  ASSERT_THAT(read, SizeIs(2));
  EXPECT_EQ(read[0].box, targets[0].box);
  EXPECT_EQ(read[0].label, targets[0].label);
  EXPECT_EQ(read[1].box, targets[1].box);
  EXPECT_EQ(read[1].label, "");
}

}  // namespace
}  // namespace cltrack
