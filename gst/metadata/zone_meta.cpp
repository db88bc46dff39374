// SPDX-License-Identifier: LGPL-2.1-or-later
#include "metadata/zone_meta.h"

#include <gst/video/video.h>

#include <cstddef>
#include <optional>
#include <utility>

namespace cltrack::gst {
namespace {

constexpr const char* kMeta = "cltrack-zones";

std::string numbered(const char* name, std::size_t number) { return name + std::to_string(number); }

void take(GstStructure* into, const std::string& name, OwnedStructure structure) {
  GValue value = G_VALUE_INIT;
  g_value_init(&value, GST_TYPE_STRUCTURE);
  g_value_take_boxed(&value, structure.release());
  gst_structure_take_value(into, name.c_str(), &value);
}

// Null where there is none.
const GstStructure* inner(const GstStructure* structure, const std::string& name) {
  const GValue* value = gst_structure_get_value(structure, name.c_str());
  return value != nullptr && GST_VALUE_HOLDS_STRUCTURE(value) ? gst_value_get_structure(value)
                                                              : nullptr;
}

void fill(GstStructure* structure, const ZoneNews& news) {
  gst_structure_set(structure, "element", G_TYPE_STRING, news.element.c_str(), "width", G_TYPE_INT,
                    news.width, "height", G_TYPE_INT, news.height, "zones", G_TYPE_STRING,
                    news.zones.c_str(), nullptr);
  set_totals(structure, news.totals, news.inside);
  for (std::size_t i = 0; i < news.reports.size(); ++i) {
    take(structure, numbered("event-", i), report_structure(news.reports[i]));
  }
}

std::string text_of(const GstStructure* structure, const char* name) {
  const char* text = gst_structure_get_string(structure, name);
  return text != nullptr ? text : "";
}

guint64 uint64_of(const GstStructure* structure, const char* name) {
  guint64 value = 0;
  gst_structure_get_uint64(structure, name, &value);
  return value;
}

float float_of(const GstStructure* structure, const char* name) {
  double value = 0;
  gst_structure_get_double(structure, name, &value);
  return static_cast<float>(value);
}

std::optional<ZoneEvent::Kind> kind_of(const std::string& name) {
  using enum ZoneEvent::Kind;
  for (const ZoneEvent::Kind kind : {enter, leave, cross, dwell, count, crowded}) {
    if (name == to_string(kind)) return kind;
  }
  return std::nullopt;
}

std::optional<ZoneReport> parse_report(const GstStructure* structure) {
  const auto kind = kind_of(text_of(structure, "event"));
  if (!kind) return std::nullopt;
  ZoneReport report;
  ZoneEvent& event = report.event;
  event.kind = *kind;
  event.zone = text_of(structure, "zone");
  gst_structure_get_int(structure, "inside", &event.inside);
  event.id = uint64_of(structure, "id");
  event.after = uint64_of(structure, "after");
  event.label = text_of(structure, "label");
  event.box = {float_of(structure, "x"), float_of(structure, "y"), float_of(structure, "width"),
               float_of(structure, "height")};
  event.confidence = float_of(structure, "confidence");
  event.forward = text_of(structure, "direction") == "forward";
  event.dwell = static_cast<std::int64_t>(uint64_of(structure, "dwell"));
  event.reason = text_of(structure, "reason");
  report.tracker = text_of(structure, "tracker");
  report.delay = uint64_of(structure, "delay");
  report.picture = text_of(structure, "picture");
  report.times = {uint64_of(structure, "timestamp"), uint64_of(structure, "stream-time"),
                  uint64_of(structure, "running-time"), uint64_of(structure, "duration")};
  return report;
}

ZoneNews parse(const GstStructure* structure) {
  ZoneNews news;
  news.element = text_of(structure, "element");
  gst_structure_get_int(structure, "width", &news.width);
  gst_structure_get_int(structure, "height", &news.height);
  news.zones = text_of(structure, "zones");
  while (const auto* zone = inner(structure, numbered("zone-", news.totals.size()))) {
    ZoneTotals& totals = news.totals.emplace_back();
    totals.name = text_of(zone, "name");
    for (const auto& [name, member] : kZoneCounts) totals.*member = uint64_of(zone, name);
    gst_structure_get_int(zone, "inside", &news.inside.emplace_back());
  }
  for (std::size_t i = 0; const auto* event = inner(structure, numbered("event-", i)); ++i) {
    if (auto report = parse_report(event)) news.reports.push_back(std::move(*report));
  }
  return news;
}

// Labels of regions may be any bytes.
using Text = Scoped<char, g_free>;
Text valid(const std::string& text) { return Text(g_utf8_make_valid(text.c_str(), -1)); }

// Of boxes, in pixels; zones say of which size of picture they are.
void scale(GstStructure* structure, double x, double y) {
  for (const auto& [name, factor] : {std::pair{"x", x}, {"width", x}, {"y", y}, {"height", y}}) {
    double value = 0;
    if (!gst_structure_get_double(structure, name, &value)) continue;
    gst_structure_set(structure, name, G_TYPE_DOUBLE, value * factor, nullptr);
  }
}

// From `from` to `to`, as GstMetaTransformFunction, which is C.
gboolean transform(GstBuffer* to, GstCustomMeta* meta, GstBuffer* /*from*/, GQuark type,
                   gpointer data, gpointer /*user_data*/) noexcept {
  try {
    double x = 1, y = 1;
    if (GST_VIDEO_META_TRANSFORM_IS_SCALE(type)) {
      const auto* sizes = static_cast<const GstVideoMetaTransform*>(data);
      const GstVideoInfo &in = *sizes->in_info, &out = *sizes->out_info;
      if (in.width <= 0 || in.height <= 0) return FALSE;
      x = static_cast<double>(out.width) / in.width;
      y = static_cast<double>(out.height) / in.height;
    } else if (!GST_META_TRANSFORM_IS_COPY(type) ||
               static_cast<const GstMetaTransformCopy*>(data)->region) {
      return FALSE;
    }
    const GstStructure* before = gst_custom_meta_get_structure(meta);
    GstStructure* copy = gst_custom_meta_get_structure(gst_buffer_add_custom_meta(to, kMeta));
    for (int i = 0; i < gst_structure_n_fields(before); ++i) {
      const char* name = gst_structure_nth_field_name(before, static_cast<guint>(i));
      const GstStructure* part = inner(before, name);
      if (part == nullptr) {
        gst_structure_set_value(copy, name, gst_structure_get_value(before, name));
        continue;
      }
      OwnedStructure scaled(gst_structure_copy(part));
      scale(scaled.get(), x, y);
      take(copy, name, std::move(scaled));
    }
    return TRUE;
  } catch (...) {
    return FALSE;  // for want of memory
  }
}

void ensure_registered() {
  static const bool once = [] {
    const gchar* tags[] = {GST_META_TAG_VIDEO_STR, GST_META_TAG_VIDEO_SIZE_STR, nullptr};
    if (gst_meta_get_info(kMeta) == nullptr) {
      gst_meta_register_custom(kMeta, tags, transform, nullptr, nullptr);
    }
    return true;
  }();
  static_cast<void>(once);
}

}  // namespace

void set_totals(GstStructure* structure, std::span<const ZoneTotals> totals,
                std::span<const int> inside) {
  for (std::size_t i = 0; i < totals.size(); ++i) {
    OwnedStructure zone(gst_structure_new("zone", "name", G_TYPE_STRING, totals[i].name.c_str(),
                                          "inside", G_TYPE_INT, inside[i], nullptr));
    for (const auto& [name, member] : kZoneCounts) {
      gst_structure_set(zone.get(), name, G_TYPE_UINT64, static_cast<guint64>(totals[i].*member),
                        nullptr);
    }
    take(structure, numbered("zone-", i), std::move(zone));
  }
}

OwnedStructure report_structure(const ZoneReport& report) {
  using Kind = ZoneEvent::Kind;
  const ZoneEvent& event = report.event;
  OwnedStructure structure(
      gst_structure_new("trackzones-event", "event", G_TYPE_STRING, to_string(event.kind), "zone",
                        G_TYPE_STRING, event.zone.c_str(), "inside", G_TYPE_INT, event.inside,
                        "delay", G_TYPE_UINT64, static_cast<guint64>(report.delay), nullptr));
  GstStructure* raw = structure.get();
  set_times(raw, report.times);
  if (event.kind == Kind::count || event.kind == Kind::crowded) return structure;
  gst_structure_set(raw, "id", G_TYPE_UINT64, static_cast<guint64>(event.id), "tracker",
                    G_TYPE_STRING, valid(report.tracker).get(), "label", G_TYPE_STRING,
                    valid(event.label).get(), "x", G_TYPE_DOUBLE, static_cast<double>(event.box.x),
                    "y", G_TYPE_DOUBLE, static_cast<double>(event.box.y), "width", G_TYPE_DOUBLE,
                    static_cast<double>(event.box.width), "height", G_TYPE_DOUBLE,
                    static_cast<double>(event.box.height), "confidence", G_TYPE_DOUBLE,
                    static_cast<double>(event.confidence), "after", G_TYPE_UINT64,
                    static_cast<guint64>(event.after), nullptr);
  if (event.kind == Kind::cross) {
    gst_structure_set(raw, "direction", G_TYPE_STRING, event.forward ? "forward" : "backward",
                      nullptr);
  }
  if (event.kind == Kind::leave || event.kind == Kind::dwell) {
    gst_structure_set(raw, "dwell", G_TYPE_UINT64, static_cast<guint64>(event.dwell), nullptr);
  }
  if (event.kind == Kind::leave) {
    gst_structure_set(raw, "reason", G_TYPE_STRING, event.reason.c_str(), nullptr);
  }
  if (!report.picture.empty()) {
    gst_structure_set(raw, "picture", G_TYPE_STRING, report.picture.c_str(), nullptr);
  }
  return structure;
}

void write_zones(GstBuffer* buffer, const ZoneNews& news) {
  ensure_registered();
  fill(gst_custom_meta_get_structure(gst_buffer_add_custom_meta(buffer, kMeta)), news);
}

std::vector<ZoneNews> read_zones(GstBuffer* buffer) {
  ensure_registered();
  std::vector<ZoneNews> news;
  // The other plugin may be registering it at this moment: then there is none yet.
  const GstMetaInfo* const info = gst_meta_get_info(kMeta);
  if (info == nullptr) return news;
  gpointer position = nullptr;
  while (GstMeta* meta = gst_buffer_iterate_meta_filtered(buffer, &position, info->api)) {
    news.push_back(parse(gst_custom_meta_get_structure(reinterpret_cast<GstCustomMeta*>(meta))));
  }
  return news;
}

GstEvent* make_zones_event(const ZoneNews& news) {
  OwnedStructure structure(gst_structure_new_empty(kMeta));
  fill(structure.get(), news);
  return gst_event_new_custom(GST_EVENT_CUSTOM_DOWNSTREAM, structure.release());
}

std::vector<ZoneNews> parse_zones_event(GstEvent* event) {
  if (GST_EVENT_TYPE(event) != GST_EVENT_CUSTOM_DOWNSTREAM || !gst_event_has_name(event, kMeta)) {
    return {};
  }
  return {parse(gst_event_get_structure(event))};
}

}  // namespace cltrack::gst
