// SPDX-License-Identifier: LGPL-2.1-or-later
#include "properties/property_table.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <string>

#include "cltrack/error.h"

namespace cltrack {
namespace {

using namespace gst;

enum class Shape { round, square };

struct Filter {
  int taps = 3;
  float gain = 0.5f;
  int window = 1;
};

struct Settings {
  bool is_on = true;
  std::uint16_t port = 7;
  std::int64_t id = -1;
  double opacity = 0.25;
  std::string path;
  std::string text = "none";
  Shape shape = Shape::square;
  Filter filter;
};

template <auto... Members>
constexpr auto at = field_at<Settings, Members...>;

// GObject owns the properties of a class; this is one.
class Row {
 public:
  explicit Row(Property<Settings> row) : table_{std::move(row)} {
    g_param_spec_ref_sink(spec());
    g_value_init(&value_, spec()->value_type);
  }
  ~Row() {
    g_value_unset(&value_);
    g_param_spec_unref(spec());
  }
  Row(const Row&) = delete;
  Row& operator=(const Row&) = delete;

  GParamSpec* spec() const { return table_[0].spec; }
  // As gst-inspect-1.0 writes it; "NULL" for none.
  std::string initial() const { return text(g_param_spec_get_default_value(spec())); }
  std::string get() {
    EXPECT_TRUE(get_property(table_, settings, 1, &value_));
    return text(&value_);
  }
  void set(const char* to) {
    ASSERT_TRUE(gst_value_deserialize(&value_, to));
    set_property(table_, settings, 1, &value_);
  }

  Settings settings;

 private:
  static std::string text(const GValue* value) {
    if (G_VALUE_HOLDS_STRING(value) && g_value_get_string(value) == nullptr) return "NULL";
    gchar* serialized = gst_value_serialize(value);
    std::string result = serialized;
    g_free(serialized);
    return result;
  }

  PropertyTable<Settings> table_;
  GValue value_ = G_VALUE_INIT;
};

TEST(PropertyTable, TakesDefaultAndTypeFromTheMember) {
  Row port{{"the-port", at<&Settings::port>, kOnStart, "Where to"}};
  EXPECT_STREQ(g_param_spec_get_nick(port.spec()), "The port");
  EXPECT_STREQ(g_param_spec_get_blurb(port.spec()),
               "Where to; takes effect when the element starts");
  EXPECT_EQ(port.initial(), "7");
  EXPECT_EQ(G_PARAM_SPEC_UINT(port.spec())->maximum, 65535u) << "what the member holds";
  port.set("80");
  EXPECT_EQ(port.settings.port, 80);
  EXPECT_EQ(port.get(), "80");

  Row id{{PropertyName{"id", "Identity"}, at<&Settings::id>, kWhilePlaying, "", Range{-1}}};
  EXPECT_STREQ(g_param_spec_get_nick(id.spec()), "Identity");
  EXPECT_EQ(G_PARAM_SPEC_INT64(id.spec())->minimum, -1);
  EXPECT_EQ(G_PARAM_SPEC_INT64(id.spec())->maximum, std::numeric_limits<std::int64_t>::max());

  Row opacity{{"opacity", at<&Settings::opacity>, kWhilePlaying, "", Range{0, 1}}};
  EXPECT_EQ(opacity.initial(), "0.25");
  EXPECT_EQ(G_PARAM_SPEC_DOUBLE(opacity.spec())->maximum, 1);

  Row is_on{{"is-on", at<&Settings::is_on>, kWhilePlaying, ""}};
  is_on.set("false");
  EXPECT_FALSE(is_on.settings.is_on);
}

TEST(PropertyTable, HasNoTextForAnEmptyMember) {
  Row path{{"path", at<&Settings::path>, kUpToReady, ""}};
  EXPECT_EQ(path.initial(), "NULL");
  path.set("a");
  EXPECT_EQ(path.get(), "a");
  path.set("");
  EXPECT_EQ(path.get(), "NULL");
}

TEST(PropertyTable, ReadsAndWritesByFunctions) {
  Row text{{"text", [](Settings& settings) { return settings.text; },
            [](Settings& settings, const GValue* value) {
              if (string_of(value) == "bad") throw Error(ErrorCode::invalid_argument, "bad");
              settings.text = string_of(value);
            },
            kWhilePlaying, ""}};
  EXPECT_EQ(text.initial(), "none");
  text.set("");
  EXPECT_EQ(text.get(), "\"\"");
  EXPECT_THROW(text.set("bad"), Error);
  EXPECT_EQ(text.get(), "\"\"");
}

TEST(PropertyTable, NamesTheValuesOfAnEnumeration) {
  Row shape{{"shape", at<&Settings::shape>,
             Choices{"CltrackTestShape", {{"A circle", "round"}, {"A square", "square"}}},
             kWhilePlaying, ""}};
  EXPECT_EQ(shape.initial(), "square");
  shape.set("round");
  EXPECT_EQ(shape.settings.shape, Shape::round);
  EXPECT_EQ(register_choices({"CltrackTestShape", {}}), shape.spec()->value_type);
}

TEST(PropertyTable, LeavesStructuresToTheElement) {
  const PropertyTable<Settings> table{{"stats", "Numbers"}};
  Settings settings;
  EXPECT_FALSE(get_property(table, settings, 1, nullptr));
  EXPECT_EQ(table[0].spec->flags & G_PARAM_READWRITE, G_PARAM_READABLE);
  g_param_spec_unref(g_param_spec_ref_sink(table[0].spec));
}

TEST(PropertyTable, HasTheFieldsThatAreProperties) {
  using Field = ConfigField<Filter>;
  static constexpr std::array kWindows{"box", "hann"};
  const std::array fields{
      Field{"taps", field_at<Filter, &Filter::taps>, 1, 9, "pixels", "Taps", "taps"},
      Field{"gain", field_at<Filter, &Filter::gain>, 0, 2, "", "Gain"},
      Field{"window", field_at<Filter, &Filter::window>, 0, 1, "", "Window", "window", nullptr,
            nullptr, kWindows}};
  PropertyTable<Settings> table;
  append_fields(table, at<&Settings::filter>, std::span<const Field>(fields), kAtAnyTime);
  ASSERT_EQ(table.size(), 2u);
  Row taps(table[0]);
  EXPECT_STREQ(g_param_spec_get_blurb(taps.spec()), "Taps (pixels); may be changed at any time");
  EXPECT_EQ(G_PARAM_SPEC_INT(taps.spec())->minimum, 1);
  EXPECT_EQ(G_PARAM_SPEC_INT(taps.spec())->maximum, 9);
  taps.set("5");
  EXPECT_EQ(taps.settings.filter.taps, 5);
  Row window(table[1]);
  EXPECT_EQ(window.initial(), "hann");
  window.set("box");
  EXPECT_EQ(window.settings.filter.window, 0);
}

}  // namespace
}  // namespace cltrack
