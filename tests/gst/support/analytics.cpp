// SPDX-License-Identifier: LGPL-2.1-or-later
#include "analytics.h"

#include <gtest/gtest.h>

namespace cltrack::test {
namespace {

template <typename See>
void each(GstBuffer* buffer, GstAnalyticsMtdType type, const See& see) {
  GstAnalyticsRelationMeta* relations = gst_buffer_get_analytics_relation_meta(buffer);
  if (relations == nullptr) return;
  gpointer position = nullptr;
  GstAnalyticsMtd found;
  while (gst_analytics_relation_meta_iterate(relations, &position, type, &found)) see(found);
}

}  // namespace

std::vector<ObjectMtd> object_mtds(GstBuffer* buffer) {
  std::vector<ObjectMtd> objects;
  each(buffer, gst_analytics_od_mtd_get_mtd_type(), [&](GstAnalyticsMtd& found) {
    gint x = 0, y = 0, width = 0, height = 0;
    float confidence = 0;
    EXPECT_TRUE(gst_analytics_od_mtd_get_location(&found, &x, &y, &width, &height, &confidence));
    const char* type = g_quark_to_string(gst_analytics_od_mtd_get_obj_type(&found));
    objects.push_back({.id = found.id,
                       .type = type != nullptr ? type : "",
                       .box = {static_cast<float>(x), static_cast<float>(y),
                               static_cast<float>(width), static_cast<float>(height)},
                       .confidence = confidence});
  });
  return objects;
}

std::vector<TrackingMtd> tracking_mtds(GstBuffer* buffer) {
  const std::vector<ObjectMtd> objects = object_mtds(buffer);
  std::vector<TrackingMtd> trackings;
  each(buffer, gst_analytics_tracking_mtd_get_mtd_type(), [&](GstAnalyticsMtd& found) {
    TrackingMtd& tracking = trackings.emplace_back();
    gboolean is_lost = FALSE;
    EXPECT_TRUE(gst_analytics_tracking_mtd_get_info(&found, &tracking.id, &tracking.first,
                                                    &tracking.last, &is_lost));
    tracking.is_lost = is_lost != FALSE;
    for (const ObjectMtd& object : objects) {
      if (gst_analytics_relation_meta_get_relation(found.meta, object.id, found.id) ==
          GST_ANALYTICS_REL_TYPE_RELATE_TO) {
        tracking.objects.push_back(object.id);
      }
    }
  });
  return trackings;
}

guint add_object(GstBuffer* buffer, const BoundingBox& box, const char* type, float confidence) {
  GstAnalyticsODMtd object{};
  EXPECT_TRUE(gst_analytics_relation_meta_add_od_mtd(
      gst_buffer_add_analytics_relation_meta(buffer), g_quark_from_string(type),
      static_cast<gint>(box.x), static_cast<gint>(box.y), static_cast<gint>(box.width),
      static_cast<gint>(box.height), confidence, &object));
  return object.id;
}

void add_tracking(GstBuffer* buffer, guint object, guint64 id, bool is_lost) {
  GstAnalyticsRelationMeta* relations = gst_buffer_get_analytics_relation_meta(buffer);
  GstAnalyticsTrackingMtd added{};
  EXPECT_TRUE(gst_analytics_relation_meta_add_tracking_mtd(relations, id, 0, &added));
  if (is_lost) gst_analytics_tracking_mtd_set_lost(&added);
  EXPECT_TRUE(gst_analytics_relation_meta_set_relation(relations, GST_ANALYTICS_REL_TYPE_RELATE_TO,
                                                       object, added.id));
}

void add_classes(GstBuffer* buffer, guint object, std::vector<const char*> classes,
                 std::vector<float> levels) {
  GstAnalyticsRelationMeta* relations = gst_buffer_get_analytics_relation_meta(buffer);
  std::vector<GQuark> quarks;
  for (const char* name : classes) quarks.push_back(g_quark_from_string(name));
  GstAnalyticsClsMtd added{};
  EXPECT_TRUE(gst_analytics_relation_meta_add_cls_mtd(relations, quarks.size(), levels.data(),
                                                      quarks.data(), &added));
  EXPECT_TRUE(gst_analytics_relation_meta_set_relation(relations, GST_ANALYTICS_REL_TYPE_RELATE_TO,
                                                       object, added.id));
}

}  // namespace cltrack::test
