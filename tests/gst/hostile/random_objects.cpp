// SPDX-License-Identifier: LGPL-2.1-or-later
#include "random_objects.h"

#include "config.h"

#if HAVE_ANALYTICS
#include <gst/analytics/analytics.h>
#endif

namespace cltrack::test {

#if HAVE_ANALYTICS
namespace {

GQuark random_type(RandomValues& random) {
  return random.chance(0.2f) ? 0 : g_quark_from_string(random.label().c_str());
}

gint random_coordinate(RandomValues& random) {
  return random.chance(0.2f) ? static_cast<gint>(random.bits()) : random.between(-10, 100);
}

void add_object(RandomValues& random, GstAnalyticsRelationMeta* relations) {
  // In a fixed order, which the arguments of a call do not have.
  const GQuark type = random_type(random);
  const gint x = random_coordinate(random);
  const gint y = random_coordinate(random);
  const gint width = random_coordinate(random);
  const gint height = random_coordinate(random);
  const auto confidence = static_cast<float>(random.number());
  gst_analytics_relation_meta_add_od_mtd(relations, type, x, y, width, height, confidence, nullptr);
}

void add_classes(RandomValues& random, GstAnalyticsRelationMeta* relations) {
  float levels[3];
  GQuark types[3];
  for (float& level : levels) level = static_cast<float>(random.number());
  for (GQuark& type : types) type = random_type(random);
  GstAnalyticsClsMtd classes;
  gst_analytics_relation_meta_add_cls_mtd(relations, 3, levels, types, &classes);
}

void add_any(RandomValues& random, GstAnalyticsRelationMeta* relations) {
  if (random.chance(0.6f)) {
    add_object(random, relations);
  } else if (random.chance(0.5f)) {
    GstAnalyticsTrackingMtd tracking;
    gst_analytics_relation_meta_add_tracking_mtd(relations, random.wide_bits(), random.wide_bits(),
                                                 &tracking);
  } else {
    add_classes(random, relations);
  }
}

}  // namespace

void add_random_objects(RandomValues& random, GstBuffer* buffer, std::string& description) {
  if (!random.chance(0.4f)) return;
  const int count = random.chance(0.02f) ? 200 : random.between(0, 8);
  description.append(", analytics metas: ").append(std::to_string(count));
  GstAnalyticsRelationMeta* relations = gst_buffer_add_analytics_relation_meta(buffer);
  for (int i = 0; i < count; ++i) add_any(random, relations);
  for (int i = random.between(0, count); i > 0; --i) {
    const auto from = static_cast<guint>(random.between(0, count - 1));
    const auto to = static_cast<guint>(random.between(0, count - 1));
    gst_analytics_relation_meta_set_relation(
        relations,
        random.chance(0.7f) ? GST_ANALYTICS_REL_TYPE_RELATE_TO : GST_ANALYTICS_REL_TYPE_CONTAIN,
        from, to);
  }
}

#else

void add_random_objects(RandomValues&, GstBuffer*, std::string&) {}

#endif

}  // namespace cltrack::test
