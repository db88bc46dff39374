// SPDX-License-Identifier: LGPL-2.1-or-later
#include "param.h"

#include <algorithm>
#include <functional>
#include <span>
#include <utility>

#include "core/config_check.h"
#include "join.h"

namespace cltrack::accuracy {
namespace {

[[noreturn]] void fail(const std::string& message) {
  throw Error(ErrorCode::invalid_argument, message);
}

struct Param {
  std::string name;
  std::function<void(TrackerConfigs&, std::string_view)> set;
};

// All fields of a config, `prefix` before their names.
template <typename Config>
void add_fields(std::vector<Param>& params, const std::string& prefix,
                std::span<const ConfigField<Config>> fields, Config TrackerConfigs::*config) {
  for (const ConfigField<Config>& field : fields) {
    params.push_back(
        {prefix + field.name, [&field, config](TrackerConfigs& configs, std::string_view text) {
           set_field(configs.*config, field, text);
         }});
  }
}

// The device of a stage, as the elements' properties name it.
void add_device(std::vector<Param>& params, const StageInfo& stage,
                Placement& (*placement)(TrackerConfigs&)) {
  std::string name(stage.property);
  std::ranges::replace(name, '-', '_');
  params.push_back(
      {std::move(name), [=, stage = stage.name](TrackerConfigs& configs, std::string_view text) {
         placement(configs)[stage] = text;
       }});
}

// The seed is not among them: each run has its own.
std::vector<Param> make_params() {
  std::vector<Param> params;
  add_fields(params, "", tld_fields(), &TrackerConfigs::tld);
  add_fields(params, "template.", template_fields(), &TrackerConfigs::match);
  params.push_back({"device", [](TrackerConfigs& configs, std::string_view text) {
                      configs.tld.placement.device = configs.match.placement.device = text;
                    }});
  const auto add = [&](std::span<const StageInfo> stages,
                       Placement& (*placement)(TrackerConfigs&)) {
    for (const StageInfo& stage : stages) add_device(params, stage, placement);
  };
  add(kTldStages, [](TrackerConfigs& configs) -> Placement& { return configs.tld.placement; });
  add(kTemplateStages,
      [](TrackerConfigs& configs) -> Placement& { return configs.match.placement; });
  return params;
}

const std::vector<Param>& params() {
  static const std::vector<Param> all = make_params();
  return all;
}

}  // namespace

std::vector<std::string> param_names() {
  std::vector<std::string> names;
  for (const Param& param : params()) names.push_back(param.name);
  return names;
}

void set_param(TrackerConfigs& configs, std::string_view assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos) {
    fail("parameter \"" + std::string(assignment) + "\": write it as name=value");
  }
  const std::string_view name = assignment.substr(0, equals);
  for (const Param& param : params()) {
    if (param.name == name) {
      param.set(configs, assignment.substr(equals + 1));
      return;
    }
  }
  fail("no parameter \"" + std::string(name) + "\"; there are: " + join(param_names()));
}

}  // namespace cltrack::accuracy
