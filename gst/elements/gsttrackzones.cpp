// SPDX-License-Identifier: LGPL-2.1-or-later
#include "elements/gsttrackzones.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "counting/zone_stream.h"
#include "elements/guard.h"
#include "elements/pad_templates.h"
#include "files/model_file.h"
#include "files/zone_files.h"
#include "metadata/zone_meta.h"
#include "properties/zones_settings.h"
#include "scoped.h"

GST_DEBUG_CATEGORY(gst_track_zones_debug);
#define GST_CAT_DEFAULT gst_track_zones_debug

using cltrack::Error;
using cltrack::ErrorCode;
using cltrack::gst::guard;
using cltrack::gst::ZoneNews;
using cltrack::gst::ZoneReport;
using cltrack::gst::ZonesSettings;

struct GstTrackZonesPrivate {
  // Any thread sets and reads properties.
  std::mutex mutex;
  ZonesSettings settings;
  bool is_running = false;
  bool has_file = false;       // of zones, since the start
  bool has_new_zones = false;  // in settings.text, which can be read
  bool has_new_config = false;
  std::shared_ptr<cltrack::gst::EventPictures> pictures;  // null: there are none

  // Of the streaming thread, and the one that starts and stops it: others may send events
  // meanwhile. Taken before `mutex`.
  std::mutex stream_mutex;
  std::optional<cltrack::gst::ZoneStream> stream;
  std::unique_ptr<cltrack::gst::ZonesFile> file;  // null: there is none
  std::string state_file;
  std::string zones_json;
  std::string saved;  // what state_file has
  // As they were at the stop.
  std::vector<cltrack::ZoneTotals> last_totals;
  std::vector<int> last_inside;
  gint64 looked_at = 0;  // the file of zones, by the monotonic clock, us
  gint64 saved_at = 0;
};

struct _GstTrackZones {
  GstBaseTransform parent;
  GstTrackZonesPrivate* priv;
};

G_DEFINE_TYPE(GstTrackZones, gst_track_zones, GST_TYPE_BASE_TRANSFORM)
CLTRACK_REGISTER_DEFINE(trackzones, GST_TYPE_TRACK_ZONES)

namespace {

constexpr gint64 kLookEvery = G_USEC_PER_SEC / 2;
constexpr gint64 kSaveEvery = 10 * G_USEC_PER_SEC;

GstTrackZonesPrivate& private_of(void* object) {
  return cltrack::gst::members_of(GST_TRACK_ZONES(object)->priv);
}

// What is wrong while the element runs is no reason to stop it.
void post_warning(void* object, const std::string& text) {
  const cltrack::gst::Scoped<char, g_free> valid(g_utf8_make_valid(text.c_str(), -1));
  GST_ELEMENT_WARNING(object, RESOURCE, SETTINGS, ("%s", valid.get()), (nullptr));
}

// The functions below are for who holds stream_mutex.

void set_zones(GstTrackZonesPrivate& priv, std::vector<cltrack::Zone> zones) {
  priv.stream->zones().set_zones(std::move(zones));
  priv.zones_json = cltrack::zones_json(priv.stream->zones().zones());
}

// Takes what properties and files say now. Returns what is wrong with them, or "".
std::string follow_settings(GstTrackZonesPrivate& priv) {
  try {
    std::optional<std::string> text;
    {
      const std::lock_guard lock(priv.mutex);
      if (std::exchange(priv.has_new_config, false)) {
        priv.stream->zones().set_config(priv.settings.config);
      }
      if (std::exchange(priv.has_new_zones, false)) text = priv.settings.text;
    }
    if (text) set_zones(priv, cltrack::parse_zones(*text));
    const gint64 now = g_get_monotonic_time();
    if (priv.file && now - priv.looked_at >= kLookEvery) {
      priv.looked_at = now;
      if (auto zones = priv.file->read_if_changed()) set_zones(priv, std::move(*zones));
    }
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

// Returns what went wrong, or "".
std::string save_state(GstTrackZonesPrivate& priv) {
  if (priv.state_file.empty() || !priv.stream) return {};
  // A zone that is set later, or away for a moment while its file is written, goes on as well.
  std::vector<cltrack::ZoneTotals> all = priv.stream->zones().totals();
  std::ranges::copy(priv.stream->zones().absent_totals(), std::back_inserter(all));
  std::string json = cltrack::totals_json(all);
  priv.saved_at = g_get_monotonic_time();
  if (json == priv.saved) return {};
  try {
    cltrack::gst::replace_regular_file("state-file", priv.state_file, json);
    priv.saved = std::move(json);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

ZoneNews news_of(GstTrackZonesPrivate& priv, void* object, std::vector<ZoneReport> reports) {
  ZoneNews news{cltrack::gst::name_of(object), priv.stream->width(), priv.stream->height(),
                priv.zones_json};
  news.totals = priv.stream->zones().totals();
  news.inside = priv.stream->zones().inside();
  news.reports = std::move(reports);
  return news;
}

// For who holds no lock: a handler of messages may call back.
void post(void* object, const std::vector<ZoneReport>& reports,
          const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) {
    if (!warning.empty()) post_warning(object, warning);
  }
  bool posts = false;
  {
    const std::lock_guard lock(private_of(object).mutex);
    posts = private_of(object).settings.messages;
  }
  for (const ZoneReport& report : reports) {
    GST_DEBUG_OBJECT(object, "%s of zone %s: id %" G_GUINT64_FORMAT, to_string(report.event.kind),
                     report.event.zone.c_str(), static_cast<guint64>(report.event.id));
    if (!posts) continue;
    gst_element_post_message(
        GST_ELEMENT(object),
        gst_message_new_element(GST_OBJECT(object),
                                cltrack::gst::report_structure(report).release()));
  }
}

std::shared_ptr<cltrack::gst::EventPictures> pictures_of(GstTrackZonesPrivate& priv) {
  const std::lock_guard lock(priv.mutex);
  return priv.pictures;
}

GstStructure* make_stats(GstTrackZonesPrivate& priv) {
  GstStructure* stats = gst_structure_new_empty("trackzones-stats");
  {
    const std::lock_guard lock(priv.stream_mutex);
    if (priv.stream) {
      const cltrack::Zones& zones = priv.stream->zones();
      cltrack::gst::set_totals(stats, zones.totals(), zones.inside());
    } else {
      cltrack::gst::set_totals(stats, priv.last_totals, priv.last_inside);
    }
  }
  const auto pictures = pictures_of(priv);
  const auto counts = pictures ? pictures->writer().counts() : cltrack::gst::PictureCounts{};
  gst_structure_set(stats, "pictures-written", G_TYPE_UINT64, static_cast<guint64>(counts.written),
                    "pictures-dropped", G_TYPE_UINT64, static_cast<guint64>(counts.dropped),
                    nullptr);
  return stats;
}

void start(GstTrackZonesPrivate& priv) {
  const std::scoped_lock lock(priv.stream_mutex, priv.mutex);
  const ZonesSettings& settings = priv.settings;
  if (!settings.text.empty() && !settings.file.empty()) {
    throw Error(ErrorCode::invalid_argument, "zones and zones-file are both set; set one of them");
  }
  priv.file =
      settings.file.empty() ? nullptr : std::make_unique<cltrack::gst::ZonesFile>(settings.file);
  priv.pictures.reset();
  if (!settings.pictures.folder.empty()) {
    priv.pictures = std::make_shared<cltrack::gst::EventPictures>(settings.pictures);
  }
  priv.stream.emplace(settings.config, priv.pictures);
  try {
    auto zones = priv.file ? priv.file->read_if_changed() : std::nullopt;
    set_zones(priv, zones ? std::move(*zones) : cltrack::parse_zones(settings.text));
    if (!settings.state.empty()) {
      priv.stream->zones().set_totals(cltrack::gst::load_totals(settings.state));
    }
  } catch (...) {
    // Nobody stops what has not started.
    priv.stream.reset();
    priv.pictures.reset();
    throw;
  }
  priv.state_file = settings.state;
  priv.saved.clear();
  priv.looked_at = priv.saved_at = g_get_monotonic_time();
  priv.has_new_zones = priv.has_new_config = false;
  priv.has_file = !settings.file.empty();
  priv.is_running = true;
}

// Everybody leaves: there is no more to come.
std::vector<std::string> stop(GstTrackZonesPrivate& priv) {
  std::vector<std::string> warnings;
  std::shared_ptr<cltrack::gst::EventPictures> pictures;
  {
    const std::lock_guard stream_lock(priv.stream_mutex);
    if (!priv.stream) return {};
    priv.stream->zones().end("the element has stopped");
    priv.last_totals = priv.stream->zones().totals();
    priv.last_inside = priv.stream->zones().inside();
    warnings.push_back(save_state(priv));
    priv.stream.reset();
    const std::lock_guard lock(priv.mutex);
    priv.is_running = false;
    pictures = priv.pictures;
  }
  if (pictures) {
    pictures->writer().stop();
    std::ranges::move(pictures->take_warnings(), std::back_inserter(warnings));
  }
  return warnings;
}

void observe_event(GstTrackZones* self, GstEvent* event) {
  GstTrackZonesPrivate& priv = private_of(self);
  std::vector<ZoneReport> reports;
  std::string warning;
  GstEvent* told = nullptr;
  {
    const std::lock_guard lock(priv.stream_mutex);
    if (!priv.stream) return;
    reports = priv.stream->observe_event(event);
    if (GST_EVENT_TYPE(event) == GST_EVENT_EOS) warning = save_state(priv);
    if (!reports.empty()) told = cltrack::gst::make_zones_event(news_of(priv, self, reports));
  }
  if (told != nullptr) gst_pad_push_event(GST_BASE_TRANSFORM_SRC_PAD(self), told);
  post(self, reports, {warning});
}

// Zones that cannot be read: before the start they are an error then; later those so far stay.
void set_zones_text(GstTrackZones* self, const GValue* value) {
  GstTrackZonesPrivate& priv = private_of(self);
  std::string text = cltrack::gst::string_of(value);
  bool is_running = false, has_file = false;
  {
    const std::lock_guard lock(priv.mutex);
    is_running = priv.is_running;
    has_file = priv.has_file;
  }
  try {
    if (is_running && has_file) {
      throw Error(ErrorCode::invalid_argument, "the zones are those of zones-file; change that");
    }
    if (is_running) cltrack::parse_zones(text);
  } catch (const Error& error) {
    return post_warning(self, std::string("zones: ") + error.what());
  }
  const std::lock_guard lock(priv.mutex);
  priv.settings.text = std::move(text);
  priv.has_new_zones = true;
}

// The action signals. They act on the next buffer, as the property does; a change that is refused
// is a warning, and the zones so far stay.

using Zones = std::vector<cltrack::Zone>;

gboolean change_zones(GstTrackZones* self, const std::function<void(Zones&)>& change) {
  GstTrackZonesPrivate& priv = private_of(self);
  try {
    while (true) {
      std::string before;
      {
        const std::lock_guard lock(priv.mutex);
        if (!priv.settings.file.empty()) {
          throw Error(ErrorCode::invalid_argument,
                      "the zones are those of zones-file; change that");
        }
        before = priv.settings.text;
      }
      Zones zones = cltrack::parse_zones(before);
      change(zones);
      cltrack::validate(std::span<const cltrack::Zone>(zones));
      std::string text = cltrack::zones_json(zones);
      const std::lock_guard lock(priv.mutex);
      if (priv.settings.text != before) continue;  // somebody else was faster
      priv.settings.text = std::move(text);
      priv.has_new_zones = true;
      break;
    }
  } catch (const Error& error) {
    post_warning(self, error.what());
    return FALSE;
  }
  g_object_notify(G_OBJECT(self), "zones");
  return TRUE;
}

gboolean set_zone(GstTrackZones* self, const gchar* text) {
  return guard(GST_ELEMENT(self), FALSE, [&] {
    return change_zones(self, [&](Zones& zones) {
      for (cltrack::Zone& zone : cltrack::parse_zones(text != nullptr ? text : "")) {
        const auto known = std::ranges::find(zones, zone.name, &cltrack::Zone::name);
        if (known != zones.end()) {
          *known = std::move(zone);
        } else {
          zones.push_back(std::move(zone));
        }
      }
    });
  });
}

gboolean remove_zone(GstTrackZones* self, const gchar* name) {
  return guard(GST_ELEMENT(self), FALSE, [&] {
    return change_zones(self, [&](Zones& zones) {
      const std::string wanted = name != nullptr ? name : "";
      if (std::erase_if(zones, [&](const auto& zone) { return zone.name == wanted; }) > 0) return;
      std::string names;
      for (const cltrack::Zone& zone : zones) names += (names.empty() ? "" : ", ") + zone.name;
      throw Error(ErrorCode::invalid_argument,
                  "there is no zone \"" + wanted +
                      "\" to be removed; there are: " + (names.empty() ? "none" : names));
    });
  });
}

void install_action(gpointer klass, const char* name, GCallback handler) {
  g_signal_new_class_handler(name, G_TYPE_FROM_CLASS(klass),
                             static_cast<GSignalFlags>(G_SIGNAL_RUN_LAST | G_SIGNAL_ACTION),
                             handler, nullptr, nullptr, nullptr, G_TYPE_BOOLEAN, 1, G_TYPE_STRING);
}

}  // namespace

static gboolean gst_track_zones_start(GstBaseTransform* trans) {
  return guard(GST_ELEMENT(trans), FALSE, [&]() -> gboolean {
    start(private_of(trans));
    return TRUE;
  });
}

static gboolean gst_track_zones_stop(GstBaseTransform* trans) {
  return guard(GST_ELEMENT(trans), TRUE, [&]() -> gboolean {
    post(trans, {}, stop(private_of(trans)));
    return TRUE;
  });
}

static GstFlowReturn gst_track_zones_transform_ip(GstBaseTransform* trans, GstBuffer* buffer) {
  return guard(GST_ELEMENT(trans), GST_FLOW_ERROR, [&] {
    GstTrackZonesPrivate& priv = private_of(trans);
    ZoneNews news;
    std::vector<std::string> warnings;
    const auto pictures = pictures_of(priv);
    // Whoever answers may ask this element, which then must not hold its locks.
    const bool is_hidden = pictures && cltrack::gst::is_hidden_downstream(trans->srcpad);
    {
      const std::lock_guard lock(priv.stream_mutex);
      if (!priv.stream) return GST_FLOW_OK;
      warnings.push_back(follow_settings(priv));
      news = news_of(priv, trans, priv.stream->observe_buffer(buffer, trans->segment, is_hidden));
      if (pictures) std::ranges::move(pictures->take_warnings(), std::back_inserter(warnings));
      if (g_get_monotonic_time() - priv.saved_at >= kSaveEvery) {
        warnings.push_back(save_state(priv));
      }
    }
    cltrack::gst::write_zones(buffer, news);
    post(trans, news.reports, warnings);
    return GST_FLOW_OK;
  });
}

static gboolean gst_track_zones_sink_event(GstBaseTransform* trans, GstEvent* event) {
  // GST_EVENT_IS_SERIALIZED combines two enumerations, which clang warns of.
  if (gst_event_type_get_flags(GST_EVENT_TYPE(event)) & GST_EVENT_TYPE_SERIALIZED) {
    guard(GST_ELEMENT(trans), [&] { observe_event(GST_TRACK_ZONES(trans), event); });
  }
  return GST_BASE_TRANSFORM_CLASS(gst_track_zones_parent_class)->sink_event(trans, event);
}

static void gst_track_zones_set_property(GObject* object, guint id, const GValue* value,
                                         GParamSpec* spec) {
  guard(GST_ELEMENT(object), [&] {
    if (g_str_equal(spec->name, "zones")) return set_zones_text(GST_TRACK_ZONES(object), value);
    GstTrackZonesPrivate& priv = private_of(object);
    const std::lock_guard lock(priv.mutex);
    set_property(cltrack::gst::zones_properties(), priv.settings, id, value);
    priv.has_new_config = true;
  });
}

static void gst_track_zones_get_property(GObject* object, guint id, GValue* value,
                                         GParamSpec* /*spec*/) {
  guard(GST_ELEMENT(object), [&] {
    GstTrackZonesPrivate& priv = private_of(object);
    {
      const std::lock_guard lock(priv.mutex);
      if (get_property(cltrack::gst::zones_properties(), priv.settings, id, value)) return;
    }
    g_value_take_boxed(value, make_stats(priv));
  });
}

static void gst_track_zones_finalize(GObject* object) {
  delete GST_TRACK_ZONES(object)->priv;
  G_OBJECT_CLASS(gst_track_zones_parent_class)->finalize(object);
}

static void gst_track_zones_class_init(GstTrackZonesClass* klass) {
  cltrack::gst::guard_class(klass, [&] {
    GST_DEBUG_CATEGORY_INIT(gst_track_zones_debug, "trackzones", 0, "counts tracks in zones");
    GObjectClass* object_class = G_OBJECT_CLASS(klass);
    object_class->set_property = gst_track_zones_set_property;
    object_class->get_property = gst_track_zones_get_property;
    object_class->finalize = gst_track_zones_finalize;
    install_properties(object_class, cltrack::gst::zones_properties());
    install_action(klass, "set-zone", G_CALLBACK(set_zone));
    install_action(klass, "remove-zone", G_CALLBACK(remove_zone));

    GstBaseTransformClass* transform_class = GST_BASE_TRANSFORM_CLASS(klass);
    transform_class->start = gst_track_zones_start;
    transform_class->stop = gst_track_zones_stop;
    transform_class->sink_event = gst_track_zones_sink_event;
    transform_class->transform_ip = gst_track_zones_transform_ip;

    GstElementClass* element_class = GST_ELEMENT_CLASS(klass);
    gst_element_class_set_static_metadata(
        element_class, "Track zones", "Analyzer/Video",
        "Counts tracked objects that cross lines and are in areas", "gst-cltrack");
    const cltrack::gst::Scoped<GstCaps, gst_caps_unref> caps(gst_caps_new_any());
    cltrack::gst::add_pad_templates(element_class, caps.get());
  });
}

static void gst_track_zones_init(GstTrackZones* self) {
  self->priv = cltrack::gst::make_members<GstTrackZonesPrivate>();
  GstBaseTransform* transform = GST_BASE_TRANSFORM(self);
  gst_base_transform_set_in_place(transform, TRUE);
  // Not passthrough: a buffer that is written on must be writable.
  gst_base_transform_set_passthrough(transform, FALSE);
}
