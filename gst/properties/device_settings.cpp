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

namespace {

void append_and_take(GValue* array, GstStructure* structure) {
  GValue value = G_VALUE_INIT;
  g_value_init(&value, GST_TYPE_STRUCTURE);
  g_value_take_boxed(&value, structure);
  gst_value_array_append_and_take_value(array, &value);
}

}  // namespace

GstStructure* make_stats_structure(const TrackerStats& stats, const EffortCounts& efforts) {
  GValue stages = G_VALUE_INIT;
  g_value_init(&stages, GST_TYPE_ARRAY);
  for (const StageStats& stage : stats.stages) {
    append_and_take(
        &stages, gst_structure_new("stage", "name", G_TYPE_STRING, stage.name.c_str(), "device",
                                   G_TYPE_STRING, stage.device.c_str(), "calls", G_TYPE_UINT64,
                                   static_cast<guint64>(stage.calls), "total-ms", G_TYPE_DOUBLE,
                                   stage.total_ms, "median-ms", G_TYPE_DOUBLE, stage.median_ms,
                                   "p99-ms", G_TYPE_DOUBLE, stage.p99_ms, "bytes-up", G_TYPE_UINT64,
                                   static_cast<guint64>(stage.bytes_up), "bytes-down",
                                   G_TYPE_UINT64, static_cast<guint64>(stage.bytes_down), "waits",
                                   G_TYPE_UINT64, static_cast<guint64>(stage.waits), nullptr));
  }
  GValue targets = G_VALUE_INIT;
  g_value_init(&targets, GST_TYPE_ARRAY);
  for (const TargetStats& target : stats.targets) {
    append_and_take(
        &targets,
        gst_structure_new("target", "id", G_TYPE_UINT64, static_cast<guint64>(target.id), "windows",
                          G_TYPE_UINT64, static_cast<guint64>(target.windows), "positive-patches",
                          G_TYPE_UINT64, static_cast<guint64>(target.positive_patches),
                          "negative-patches", G_TYPE_UINT64,
                          static_cast<guint64>(target.negative_patches), nullptr));
  }
  GstStructure* structure = gst_structure_new(
      "cltracker-stats", "frames", G_TYPE_UINT64, static_cast<guint64>(stats.frames), "frames-full",
      G_TYPE_UINT64, efforts.of[0], "frames-near", G_TYPE_UINT64, efforts.of[1], "frames-motion",
      G_TYPE_UINT64, efforts.of[2], "frames-skipped", G_TYPE_UINT64, efforts.of[3], nullptr);
  gst_structure_take_value(structure, "stages", &stages);
  gst_structure_take_value(structure, "targets", &targets);
  return structure;
}

}  // namespace cltrack::gst
