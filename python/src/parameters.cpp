// SPDX-License-Identifier: LGPL-2.1-or-later
#include "parameters.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <sstream>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "cltrack/cltrack.h"
#include "text.h"

namespace py = pybind11;

namespace cltrack::python {
namespace {

std::string list_of(std::span<const char* const> names) {
  std::string all;
  for (const char* name : names) all += (all.empty() ? "\"" : ", \"") + std::string(name) + "\"";
  return all;
}

// The number of the name that `value` is.
int choice_of(const std::string& name, const py::handle& value,
              std::span<const char* const> choices) {
  const std::string text = shown(value);
  const auto found = std::ranges::find(choices, std::string_view(text));
  if (found != choices.end()) return static_cast<int>(found - choices.begin());
  throw py::value_error(name + " is \"" + text + "\"; allowed: " + list_of(choices));
}

[[noreturn]] void refuse_type(const std::string& name, const char* allowed,
                              const py::handle& value) {
  throw py::type_error(name + " must be " + allowed + ", not " + type_of(value));
}

// `least` and `most` are for the message where the value does not fit into the type; the library
// checks all others.
template <typename Number, typename Limit>
Number number_of(const std::string& name, const py::handle& value, Limit least, Limit most) {
  const bool is_whole = PyLong_Check(value.ptr()) != 0 && !py::isinstance<py::bool_>(value);
  if (std::is_integral_v<Number> && !is_whole) refuse_type(name, "a whole number", value);
  if (!is_whole && !py::isinstance<py::float_>(value)) refuse_type(name, "a number", value);
  try {
    return value.cast<Number>();
  } catch (const py::cast_error&) {
    PyErr_Clear();
    std::ostringstream message;
    message << name << " is " << shown(value) << "; allowed: " << least << " to " << most;
    throw py::value_error(message.str());
  }
}

// The field of that name; false if there is none.
template <typename Config>
bool set_field(Config& config, std::span<const ConfigField<Config>> fields, const std::string& name,
               const py::handle& value) {
  for (const ConfigField<Config>& field : fields) {
    if (field.name != name) continue;
    const auto set = [&]<typename T>(T& (*member)(Config&)) {
      if constexpr (std::is_same_v<T, bool>) {
        if (!py::isinstance<py::bool_>(value)) refuse_type(name, "True or False", value);
        member(config) = value.cast<bool>();
      } else if (!field.choices.empty()) {
        member(config) = static_cast<T>(choice_of(name, value, field.choices));
      } else {
        member(config) = number_of<T>(name, value, field.least, field.most);
      }
    };
    std::visit(set, field.member);
    return true;
  }
  return false;
}

bool set_other(TldConfig& config, const std::string& name, const py::handle& value) {
  if (name == "seed") {
    config.seed = number_of<std::uint64_t>(name, value, std::numeric_limits<std::uint64_t>::min(),
                                           std::numeric_limits<std::uint64_t>::max());
  } else if (name == "network") {
    if (!py::isinstance<py::bytes>(value))
      refuse_type(name, "the bytes of a network's file", value);
    config.network = Network::parse(value.cast<std::string>());
  } else {
    return false;
  }
  return true;
}

bool set_other(TemplateConfig& config, const std::string& name, const py::handle& value) {
  constexpr std::array similarities = {"ncc", "cosine"}, searches = {"window", "frame"};
  if (name == "similarity") {
    config.similarity = static_cast<Similarity>(choice_of(name, value, similarities));
  } else if (name == "search") {
    config.search = static_cast<TemplateSearch>(choice_of(name, value, searches));
  } else {
    return false;
  }
  return true;
}

bool set_other(ColorConfig&, const std::string&, const py::handle&) { return false; }

void set_devices(Placement& placement, const py::object& device) {
  if (py::isinstance<py::str>(device)) {
    placement.device = text_of(device, "device");
    return;
  }
  if (!py::isinstance<py::dict>(device)) {
    refuse_type("device", "str, or a dict of stages and str", device);
  }
  for (const auto& [stage, spec] : py::reinterpret_borrow<py::dict>(device)) {
    if (!py::isinstance<py::str>(stage) || !py::isinstance<py::str>(spec)) {
      refuse_type("device", "a dict of str and str", spec);
    }
    placement.stages[text_of(stage, "a stage of device")] = text_of(spec, "device");
  }
}

template <typename Config>
Config make_config(std::span<const ConfigField<Config>> fields, const std::string& algorithm,
                   const py::object& device, const py::dict& parameters) {
  Config config;
  set_devices(config.placement, device);
  for (const std::pair<py::handle, py::handle> parameter : parameters) {
    const std::string name = shown(parameter.first);
    const py::handle value = parameter.second;
    if (set_field(config, fields, name, value) || set_other(config, name, value)) continue;
    std::string known;
    for (const auto& field : fields) known += (known.empty() ? "" : ", ") + std::string(field.name);
    throw py::type_error("algorithm \"" + algorithm + "\" has no parameter " + name +
                         "; it has, among others: " + known);
  }
  return config;
}

}  // namespace

std::unique_ptr<Tracker> make_tracker(const std::string& algorithm, const py::object& device,
                                      const py::dict& parameters) {
  const auto make = [](const auto& config, auto* maker) {
    const py::gil_scoped_release release;
    return maker(config);
  };
  if (algorithm == "tld") {
    const TldConfig config = make_config(tld_fields(), algorithm, device, parameters);
    return make(
        config, +[](const TldConfig& c) { return make_tld_tracker(c); });
  }
  if (algorithm == "template") {
    const TemplateConfig config = make_config(template_fields(), algorithm, device, parameters);
    return make(
        config, +[](const TemplateConfig& c) { return make_template_tracker(c); });
  }
  if (algorithm == "color") {
    const ColorConfig config = make_config(color_fields(), algorithm, device, parameters);
    return make(
        config, +[](const ColorConfig& c) { return make_color_tracker(c); });
  }
  throw py::value_error("algorithm is \"" + algorithm +
                        "\"; allowed: \"tld\", \"template\", \"color\"");
}

}  // namespace cltrack::python
