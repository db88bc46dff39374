// SPDX-License-Identifier: LGPL-2.1-or-later
#include "properties/device_settings.h"

#include <array>
#include <string>

#include "properties/config_properties.h"

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
constexpr std::array<Setting, 1 + kTrackerStages.size()> kSettings{
    Setting{"Device", "Device of all stages: " SPECS},
    Setting{"Motion device",
            "Device of the correlation filter, or of optical flow (not set: as device): " SPECS},
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
constexpr auto kFormerFlags = static_cast<GParamFlags>(
    G_PARAM_READWRITE | G_PARAM_STATIC_NAME | GST_PARAM_MUTABLE_READY | G_PARAM_DEPRECATED);

// Whose device the property `id` is, by its present or its former name; null: no stage's.
const StageInfo* stage_of(guint id, guint first_id, std::span<const StageInfo> stages) {
  if (id <= first_id) return nullptr;
  std::size_t place = id - first_id - 1;
  if (place < stages.size()) return &stages[place];
  place -= stages.size();
  for (const StageInfo& stage : stages) {
    if (!stage.former_property.empty() && place-- == 0) return &stage;
  }
  return nullptr;
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
  guint id = first_id + static_cast<guint>(kSettings.size());
  for (const StageInfo& stage : kTrackerStages) {
    if (stage.former_property.empty()) continue;
    const char* const name = stage.former_property.data();
    const std::string blurb = "Former name of " + std::string(stage.property) + " (deprecated)";
    g_object_class_install_property(klass, id++,
                                    g_param_spec_string(name, property_nick(name).c_str(),
                                                        blurb.c_str(), nullptr, kFormerFlags));
  }
}

bool set_device_setting(Placement& placement, guint id, guint first_id, const GValue* value,
                        std::span<const StageInfo> stages) {
  const StageInfo* const stage = stage_of(id, first_id, stages);
  if (stage == nullptr && id != first_id) return false;
  const char* text = g_value_get_string(value);
  const std::string spec = text != nullptr ? text : "";
  if (stage != nullptr) {
    placement[stage->name] = spec;
  } else {
    placement.device = spec.empty() ? Placement{}.device : spec;
  }
  return true;
}

bool get_device_setting(const Placement& placement, guint id, guint first_id, GValue* value,
                        std::span<const StageInfo> stages) {
  const StageInfo* const stage = stage_of(id, first_id, stages);
  if (stage == nullptr && id != first_id) return false;
  const std::string& spec = stage != nullptr ? placement[stage->name] : placement.device;
  g_value_set_string(value, stage != nullptr && spec.empty() ? nullptr : spec.c_str());
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
