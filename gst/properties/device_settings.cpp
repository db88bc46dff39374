// SPDX-License-Identifier: LGPL-2.1-or-later
#include "properties/device_settings.h"

#include <array>
#include <optional>
#include <string>

namespace cltrack::gst {
namespace {

struct Setting {
  std::optional<Stage> stage;  // none: all of them
  const char* nick;
  const char* blurb;
};

#define SPECS                                                                           \
  "auto, host, cpu, gpu, accelerator, an index such as 0.0, or part of a device's name" \
  " (cltrack-devices lists them); acts when the element starts"

const std::array<Setting, kDeviceSettings> kSettings{
    Setting{std::nullopt, "Device", "Where all stages run: " SPECS},
    Setting{Stage::flow, "Flow device", "Where optical flow runs, if not on device: " SPECS},
    Setting{Stage::ferns, "Fern device", "Where the ferns run, if not on device: " SPECS},
    Setting{Stage::nn, "Nearest neighbour device",
            "Where patches are compared with the object model, if not on device: " SPECS},
    Setting{Stage::learn, "Learning device", "Where the ferns learn, if not on device: " SPECS},
    Setting{Stage::match, "Match device",
            "Where algorithm=template searches whole frames, if not on device: " SPECS},
};

#undef SPECS

constexpr auto kFlags =
    static_cast<GParamFlags>(G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_READY);

bool is_installed(guint id, guint first_id, std::span<const Stage> stages) {
  return id >= first_id && id - first_id <= stages.size();
}

}  // namespace

void install_device_settings(GObjectClass* klass, guint first_id) {
  const Placement defaults;
  for (guint i = 0; i < kSettings.size(); ++i) {
    const Setting& setting = kSettings[i];
    g_object_class_install_property(
        klass, first_id + i,
        g_param_spec_string(setting.stage ? property_name(*setting.stage) : "device", setting.nick,
                            setting.blurb, setting.stage ? nullptr : defaults.device.c_str(),
                            kFlags));
  }
}

bool set_device_setting(Placement& placement, guint id, guint first_id, const GValue* value,
                        std::span<const Stage> stages) {
  if (!is_installed(id, first_id, stages)) return false;
  const char* text = g_value_get_string(value);
  const std::string spec = text != nullptr ? text : "";
  if (id > first_id) {
    placement[stages[id - first_id - 1]] = spec;
  } else {
    placement.device = spec.empty() ? Placement{}.device : spec;
  }
  return true;
}

bool get_device_setting(const Placement& placement, guint id, guint first_id, GValue* value,
                        std::span<const Stage> stages) {
  if (!is_installed(id, first_id, stages)) return false;
  const bool all = id == first_id;
  const std::string& spec = all ? placement.device : placement[stages[id - first_id - 1]];
  g_value_set_string(value, !all && spec.empty() ? nullptr : spec.c_str());
  return true;
}

GstStructure* make_placement_structure(const std::vector<PlacedStage>& stages) {
  GstStructure* structure = gst_structure_new_empty("placement");
  for (const PlacedStage& placed : stages) {
    std::string text = placed.automatic ? "auto: " : "";
    text += placed.device.spec + " (" + placed.device.name + ")";
    if (!placed.reason.empty()) text += ", " + placed.reason;
    gst_structure_set(structure, to_string(placed.stage), G_TYPE_STRING, text.c_str(), nullptr);
  }
  return structure;
}

}  // namespace cltrack::gst
