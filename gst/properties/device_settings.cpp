// SPDX-License-Identifier: LGPL-2.1-or-later
#include "properties/device_settings.h"

#include <array>
#include <string>

namespace cltrack::gst {
namespace {

struct Setting {
  const char* nick;
  const char* blurb;
};

#define SPECS                                                                           \
  "auto, host, cpu, gpu, accelerator, an index such as 0.0, or part of a device's name" \
  " (cltrack-devices lists them); takes effect when the element starts"

// For all stages, and for each of kTrackerStages.
constexpr std::array<Setting, kDeviceSettings> kSettings{
    Setting{"Device", "Device of all stages: " SPECS},
    Setting{"Flow device", "Device of optical flow (not set: as device): " SPECS},
    Setting{"Fern device", "Device of the ferns (not set: as device): " SPECS},
    Setting{"Nearest neighbour device",
            "Device of the nearest neighbour classifier (not set: as device): " SPECS},
    Setting{"Learning device", "Device of the learning of the ferns (not set: as device): " SPECS},
    Setting{"Match device",
            "Device of algorithm=template's search of whole frames (not set: as device): " SPECS},
};

#undef SPECS

constexpr auto kFlags =
    static_cast<GParamFlags>(G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_READY);

bool is_installed(guint id, guint first_id, std::span<const StageInfo> stages) {
  return id >= first_id && id - first_id <= stages.size();
}

}  // namespace

void install_device_settings(GObjectClass* klass, guint first_id) {
  const Placement defaults;
  for (guint i = 0; i < kSettings.size(); ++i) {
    const char* name = i > 0 ? kTrackerStages[i - 1].property.data() : "device";
    const char* spec = i > 0 ? nullptr : defaults.device.c_str();
    g_object_class_install_property(
        klass, first_id + i,
        g_param_spec_string(name, kSettings[i].nick, kSettings[i].blurb, spec, kFlags));
  }
}

bool set_device_setting(Placement& placement, guint id, guint first_id, const GValue* value,
                        std::span<const StageInfo> stages) {
  if (!is_installed(id, first_id, stages)) return false;
  const char* text = g_value_get_string(value);
  const std::string spec = text != nullptr ? text : "";
  if (id > first_id) {
    placement[stages[id - first_id - 1].name] = spec;
  } else {
    placement.device = spec.empty() ? Placement{}.device : spec;
  }
  return true;
}

bool get_device_setting(const Placement& placement, guint id, guint first_id, GValue* value,
                        std::span<const StageInfo> stages) {
  if (!is_installed(id, first_id, stages)) return false;
  const bool all = id == first_id;
  const std::string& spec = all ? placement.device : placement[stages[id - first_id - 1].name];
  g_value_set_string(value, !all && spec.empty() ? nullptr : spec.c_str());
  return true;
}

GstStructure* make_placement_structure(const std::vector<PlacedStage>& stages) {
  GstStructure* structure = gst_structure_new_empty("placement");
  for (const PlacedStage& placed : stages) {
    std::string text = placed.automatic ? "auto: " : "";
    text += placed.device.spec + " (" + placed.device.name + ")";
    if (!placed.reason.empty()) text += ", " + placed.reason;
    gst_structure_set(structure, placed.stage.name.data(), G_TYPE_STRING, text.c_str(), nullptr);
  }
  return structure;
}

}  // namespace cltrack::gst
