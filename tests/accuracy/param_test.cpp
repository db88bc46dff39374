// SPDX-License-Identifier: LGPL-2.1-or-later
#include "param.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "cltrack/error.h"
#include "core/config_check.h"

namespace cltrack::accuracy {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string error_of(const char* assignment) {
  TrackerConfigs configs;
  try {
    set_param(configs, assignment);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(ParamTest, SetsFieldsOfEveryType) {
  TrackerConfigs configs;
  set_param(configs, "scale_step=1.5");
  set_param(configs, "ferns=7");
  set_param(configs, "learning=false");
  set_param(configs, "update_warps.angle=3");
  set_param(configs, "first_warps.warps=4");
  set_param(configs, "template.window=2.5");
  set_param(configs, "template.lost_sizes=3");
  EXPECT_EQ(configs.match.window, 2.5f);
  EXPECT_EQ(configs.match.lost_sizes, 3);
  EXPECT_EQ(configs.tld.scale_step, 1.5f);
  EXPECT_EQ(configs.tld.ferns, 7);
  EXPECT_FALSE(configs.tld.learning);
  EXPECT_EQ(configs.tld.update_warps.angle, 3);
  EXPECT_EQ(configs.tld.first_warps.warps, 4);
  EXPECT_EQ(configs.tld.first_warps.angle, TldConfig{}.first_warps.angle);
}

TEST(ParamTest, DevicesAreNamedAsTheirStages) {
  TrackerConfigs configs;
  set_param(configs, "motion_device=host");
  EXPECT_EQ(configs.tld.placement["motion"], "host");
  EXPECT_EQ(std::ranges::count(param_names(), "motion_device"), 1);
}

TEST(ParamTest, UnknownNamesListAll) {
  EXPECT_THAT(error_of("scale-step=1.5"),
              AllOf(HasSubstr("\"scale-step\""), HasSubstr("scale_step, "),
                    HasSubstr("update_warps.noise")));
}

TEST(ParamTest, ValuesMustBeOfTheFieldsType) {
  EXPECT_THAT(error_of("ferns=7.5"), AllOf(HasSubstr("ferns"), HasSubstr("whole number")));
  EXPECT_THAT(error_of("scale_step="), HasSubstr("scale_step: \"\" is not a number"));
  EXPECT_THAT(error_of("learning=1"), HasSubstr("true or false"));
  EXPECT_THAT(error_of("ferns"), HasSubstr("name=value"));
}

std::vector<std::string> settings_of(const TrackerConfigs& configs) {
  std::vector<std::string> all = field_settings(configs.tld, tld_fields());
  std::ranges::move(field_settings(configs.match, template_fields()), std::back_inserter(all));
  for (const Placement* placement : {&configs.tld.placement, &configs.match.placement}) {
    all.push_back(placement->device);
    for (const StageInfo& stage : kTldStages) all.push_back(placement->spec(stage));
    for (const StageInfo& stage : kTemplateStages) all.push_back(placement->spec(stage));
  }
  return all;
}

// Each name changes a field of its own: nothing is listed twice, or wired to a neighbour.
TEST(ParamTest, NamesChangeDifferentFields) {
  std::set<std::vector<std::string>> configs;
  for (const std::string& name : param_names()) {
    TrackerConfigs config{};
    const bool is_on = name.ends_with("learning"), is_off = name.ends_with("compensation");
    set_param(config, name + (is_on ? "=false" : is_off ? "=true" : "=1234"));
    EXPECT_NE(settings_of(config), settings_of(TrackerConfigs{})) << name;
    configs.insert(settings_of(config));
  }
  EXPECT_EQ(configs.size(), param_names().size());
}

}  // namespace
}  // namespace cltrack::accuracy
