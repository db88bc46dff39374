// SPDX-License-Identifier: LGPL-2.1-or-later
// The parameters of the elements against the tables of the library.
#include <gtest/gtest.h>

#include <string>

#include "../support/tracker_harness.h"
#include "cltrack/color_config.h"
#include "cltrack/template_config.h"
#include "cltrack/tld_config.h"
#include "cltrack/zones.h"

namespace cltrack {
namespace {

using test::TrackerHarness;

double value_of(GObject* object, const char* property) {
  GParamSpec* spec = g_object_class_find_property(G_OBJECT_GET_CLASS(object), property);
  if (spec != nullptr && G_IS_PARAM_SPEC_ENUM(spec)) {
    int choice = -1;
    g_object_get(object, property, &choice, nullptr);
    return choice;
  }
  if (spec != nullptr && G_IS_PARAM_SPEC_BOOLEAN(spec)) {
    gboolean is_set = FALSE;
    g_object_get(object, property, &is_set, nullptr);
    return is_set != FALSE ? 1 : 0;
  }
  GValue value = G_VALUE_INIT;
  g_value_init(&value, G_TYPE_DOUBLE);
  g_object_get_property(object, property, &value);
  return g_value_get_double(&value);
}

// The value of the field in a config, as the property gives it.
template <typename Config>
double value_of(Config config, const ConfigField<Config>& field) {
  return std::visit([&](auto member) { return static_cast<double>(member(config)); }, field.member);
}

// Every property has the default of the library, takes both ends of its range, and gives them back.
template <typename Config>
void check_properties(const char* factory, std::span<const ConfigField<Config>> fields,
                      std::size_t expected) {
  TrackerHarness harness({}, factory);
  std::size_t found = 0;
  for (const ConfigField<Config>& field : fields) {
    if (field.property == nullptr) continue;
    ++found;
    SCOPED_TRACE(field.property);
    GParamSpec* spec =
        g_object_class_find_property(G_OBJECT_GET_CLASS(harness.object()), field.property);
    ASSERT_NE(spec, nullptr);
    EXPECT_EQ(value_of(harness.object(), field.property), value_of(Config{}, field));
    for (const double end : {field.least, field.most}) {
      Config config;
      std::visit(
          [&]<typename T>(T& (*member)(Config&)) {
            member(config) = static_cast<T>(end);
            if (!field.choices.empty() || std::is_same_v<T, bool>) {
              g_object_set(harness.object(), field.property, static_cast<int>(end), nullptr);
              return;
            }
            GValue value = G_VALUE_INIT;
            g_value_init(&value, G_TYPE_DOUBLE);
            g_value_set_double(&value, static_cast<double>(member(config)));
            g_object_set_property(harness.object(), field.property, &value);
          },
          field.member);
      EXPECT_EQ(value_of(harness.object(), field.property), value_of(config, field));
    }
  }
  EXPECT_EQ(found, expected);
}

TEST(ConfigProperties, AreThoseOfTheTables) {
  check_properties("cltracker", tld_fields(), 18);
  check_properties("cltracker", template_fields(), 7);
  check_properties("clcolortracker", color_fields(), 6);
  check_properties("trackzones", zones_fields(), 9);
}

class TldProperty : public ::testing::TestWithParam<const char*> {};

// Whatever the property allows, the library takes: the element starts and passes a frame.
TEST_P(TldProperty, WorksAtBothEndsOfItsRange) {
  for (const ConfigField<TldConfig>& field : tld_fields()) {
    if (field.property == nullptr || std::string(field.property) != GetParam()) continue;
    for (const double end : {field.least, field.most}) {
      TrackerHarness harness{{"targets", "<<100,80,48,40>>"}, {GetParam(), std::to_string(end)}};
      harness.set_caps(160, 120);
      const Image picture = test::draw_scene(160, 120, {100, 80, 48, 40});
      EXPECT_NE(harness.pass(picture), nullptr);
      EXPECT_NE(harness.pass(picture), nullptr);
      EXPECT_TRUE(harness.texts(GST_MESSAGE_ERROR).empty());
    }
    return;
  }
  FAIL() << "no property " << GetParam();
}

INSTANTIATE_TEST_SUITE_P(ClTracker, TldProperty,
                         ::testing::Values("threads", "max-targets", "scan-step", "scales",
                                           "variance-ratio", "fern-threshold", "max-candidates",
                                           "nn-threshold", "nn-valid-threshold",
                                           "report-probability", "max-positive-patches",
                                           "max-negative-patches"),
                         [](const auto& tested) {
                           std::string name = tested.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace cltrack
