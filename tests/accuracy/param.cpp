// SPDX-License-Identifier: LGPL-2.1-or-later
#include "param.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <optional>
#include <type_traits>

#include "core/error.h"
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

template <typename T>
T parse(std::string_view name, std::string_view text) {
  const auto complain = [&](const char* allowed) {
    fail("parameter " + std::string(name) + ": \"" + std::string(text) + "\" is not " + allowed);
  };
  T value{};
  if constexpr (std::is_same_v<T, bool>) {
    if (text != "true" && text != "false") complain("true or false");
    value = text == "true";
  } else {
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || stop != end) {
      complain(std::is_integral_v<T> ? "a whole number" : "a number");
    }
  }
  return value;
}

template <typename T>
Param field(const char* name, T TldConfig::*member) {
  return {name, [name, member](TrackerConfigs& configs, std::string_view text) {
            configs.tld.*member = parse<T>(name, text);
          }};
}

template <typename T>
Param field(const char* name, T TemplateConfig::*member) {
  const std::string full = std::string("template.") + name;
  return {full, [full, member](TrackerConfigs& configs, std::string_view text) {
            configs.match.*member = parse<T>(full, text);
          }};
}

template <typename T>
Param field(const std::string& group, WarpConfig TldConfig::*warps, const char* name,
            T WarpConfig::*member) {
  const std::string full = group + "." + name;
  return {full, [full, warps, member](TrackerConfigs& configs, std::string_view text) {
            configs.tld.*warps.*member = parse<T>(full, text);
          }};
}

// A device, as the elements' properties name it.
Param device(const std::string& name, std::optional<Stage> stage) {
  return {name, [stage](TrackerConfigs& configs, std::string_view text) {
            for (Placement* placement : {&configs.tld.placement, &configs.match.placement}) {
              (stage ? (*placement)[*stage] : placement->device) = text;
            }
          }};
}

void add_warps(std::vector<Param>& params, const std::string& group, WarpConfig TldConfig::*warps) {
  params.push_back(field(group, warps, "closest", &WarpConfig::closest));
  params.push_back(field(group, warps, "warps", &WarpConfig::warps));
  params.push_back(field(group, warps, "noise", &WarpConfig::noise));
  params.push_back(field(group, warps, "angle", &WarpConfig::angle));
  params.push_back(field(group, warps, "shift", &WarpConfig::shift));
  params.push_back(field(group, warps, "scale", &WarpConfig::scale));
}

void add_template(std::vector<Param>& params) {
  const auto add = [&](const char* name, auto member) { params.push_back(field(name, member)); };
  add("learning", &TemplateConfig::learning);
  add("threads", &TemplateConfig::threads);
  add("coarse_side", &TemplateConfig::coarse_side);
  add("fine_side", &TemplateConfig::fine_side);
  add("window", &TemplateConfig::window);
  add("window_growth", &TemplateConfig::window_growth);
  add("far_penalty", &TemplateConfig::far_penalty);
  add("scale_step", &TemplateConfig::scale_step);
  add("scale_penalty", &TemplateConfig::scale_penalty);
  add("largest_change", &TemplateConfig::largest_change);
  add("threshold", &TemplateConfig::threshold);
  add("uncertain", &TemplateConfig::uncertain);
  add("usual_share", &TemplateConfig::usual_share);
  add("patience", &TemplateConfig::patience);
  add("found_again", &TemplateConfig::found_again);
  add("second_peak", &TemplateConfig::second_peak);
  add("certain", &TemplateConfig::certain);
  add("lost_sizes", &TemplateConfig::lost_sizes);
  add("lost_scale_step", &TemplateConfig::lost_scale_step);
  add("update_rate", &TemplateConfig::update_rate);
  add("learn_threshold", &TemplateConfig::learn_threshold);
}

// The seed is not among them: each run has its own.
std::vector<Param> make_params() {
  std::vector<Param> params{
      field("threads", &TldConfig::threads),
      field("learning", &TldConfig::learning),
      field("scale_step", &TldConfig::scale_step),
      field("scales_each_way", &TldConfig::scales_each_way),
      field("shift", &TldConfig::shift),
      field("min_window_ratio", &TldConfig::min_window_ratio),
      field("min_window_low", &TldConfig::min_window_low),
      field("min_window_high", &TldConfig::min_window_high),
      field("variance_ratio", &TldConfig::variance_ratio),
      field("ferns", &TldConfig::ferns),
      field("pairs", &TldConfig::pairs),
      field("fern_threshold", &TldConfig::fern_threshold),
      field("max_candidates", &TldConfig::max_candidates),
      field("bootstrap", &TldConfig::bootstrap),
      field("nn_threshold", &TldConfig::nn_threshold),
      field("nn_valid_threshold", &TldConfig::nn_valid_threshold),
      field("same_patch_ncc", &TldConfig::same_patch_ncc),
      field("conservative_share", &TldConfig::conservative_share),
      field("first_negatives", &TldConfig::first_negatives),
      field("max_positive_patches", &TldConfig::max_positive_patches),
      field("max_negative_patches", &TldConfig::max_negative_patches),
      field("flow_points", &TldConfig::flow_points),
      field("flow_margin", &TldConfig::flow_margin),
      field("flow_window_ratio", &TldConfig::flow_window_ratio),
      field("flow_window_min", &TldConfig::flow_window_min),
      field("flow_window_max", &TldConfig::flow_window_max),
      field("flow_levels", &TldConfig::flow_levels),
      field("flow_iterations", &TldConfig::flow_iterations),
      field("flow_epsilon", &TldConfig::flow_epsilon),
      field("max_forward_backward", &TldConfig::max_forward_backward),
      field("cluster_overlap", &TldConfig::cluster_overlap),
      field("jump_overlap", &TldConfig::jump_overlap),
      field("near_overlap", &TldConfig::near_overlap),
      field("track_weight", &TldConfig::track_weight),
      field("smallest_box", &TldConfig::smallest_box),
      field("jump_confidence", &TldConfig::jump_confidence),
      field("jump_margin", &TldConfig::jump_margin),
      field("jump_margin_valid", &TldConfig::jump_margin_valid),
      field("jump_support", &TldConfig::jump_support),
      field("lost_frames", &TldConfig::lost_frames),
      field("lost_relative", &TldConfig::lost_relative),
      field("refined_detections", &TldConfig::refined_detections),
      field("refine_margin", &TldConfig::refine_margin),
      field("learn_conservative", &TldConfig::learn_conservative),
      field("learn_inside", &TldConfig::learn_inside),
      field("positive_overlap", &TldConfig::positive_overlap),
      field("negative_overlap", &TldConfig::negative_overlap),
      device("device", std::nullopt),
  };
  for (const Stage stage : kTldStages) {
    std::string name = property_name(stage);
    std::ranges::replace(name, '-', '_');
    params.push_back(device(name, stage));
  }
  add_warps(params, "first_warps", &TldConfig::first_warps);
  add_warps(params, "update_warps", &TldConfig::update_warps);
  params.push_back(device("match_device", Stage::match));
  add_template(params);
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
