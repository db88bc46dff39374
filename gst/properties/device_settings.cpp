// SPDX-License-Identifier: LGPL-2.1-or-later
#include "properties/device_settings.h"

namespace cltrack::gst {

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

GstStructure* make_stats_structure(const TrackerStats& stats, const EffortCounts& efforts,
                                   const PictureRoutes& routes) {
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
      G_TYPE_UINT64, efforts.of[2], "frames-skipped", G_TYPE_UINT64, efforts.of[3], "pictures-lent",
      G_TYPE_UINT64, static_cast<guint64>(routes.lent), "pictures-mapped", G_TYPE_UINT64,
      static_cast<guint64>(routes.mapped), "mapped-because", G_TYPE_STRING, routes.reason.c_str(),
      "pictures-copied", G_TYPE_UINT64, static_cast<guint64>(routes.copied), "copied-because",
      G_TYPE_STRING, routes.copied_because.c_str(), "pictures-pinned", G_TYPE_UINT64,
      static_cast<guint64>(routes.pinned), "pictures-staged", G_TYPE_UINT64,
      static_cast<guint64>(routes.staged), nullptr);
  gst_structure_take_value(structure, "stages", &stages);
  gst_structure_take_value(structure, "targets", &targets);
  return structure;
}

}  // namespace cltrack::gst
