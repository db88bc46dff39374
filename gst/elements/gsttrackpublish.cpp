// SPDX-License-Identifier: LGPL-2.1-or-later
#include "elements/gsttrackpublish.h"

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "elements/guard.h"
#include "elements/pad_templates.h"
#include "metadata/track_messages.h"
#include "metadata/zone_meta.h"
#include "publish/publish_settings.h"
#include "publish/publisher.h"
#include "publish/track_reports.h"
#include "scoped.h"

GST_DEBUG_CATEGORY(gst_track_publish_debug);
#define GST_CAT_DEFAULT gst_track_publish_debug

using cltrack::gst::guard;
using cltrack::gst::Message;
using cltrack::gst::Publisher;
using cltrack::gst::PublishSettings;
using cltrack::gst::TrackReports;

struct GstTrackPublishPrivate {
  // Any thread sets and reads properties. The publisher is made and ended under both.
  std::mutex mutex;
  PublishSettings settings;
  std::unique_ptr<Publisher> publisher;
  PublishSettings running;  // with which the publisher was made

  // Held by the streaming thread, and the one that starts and stops it: others may send events
  // meanwhile. Taken before `mutex`. The publisher lives for as long as it is held.
  std::mutex stream_mutex;
  std::optional<TrackReports> reports;
  std::string stream_id;
};

struct _GstTrackPublish {
  GstBaseTransform parent;
  GstTrackPublishPrivate* priv;
};

G_DEFINE_TYPE(GstTrackPublish, gst_track_publish, GST_TYPE_BASE_TRANSFORM)
CLTRACK_REGISTER_DEFINE(trackpublish, GST_TYPE_TRACK_PUBLISH)

namespace {

GstTrackPublishPrivate& private_of(void* object) {
  return cltrack::gst::members_of(GST_TRACK_PUBLISH(object)->priv);
}

void publish(GstTrackPublishPrivate& priv, std::vector<Message> messages) {
  if (!priv.publisher) return;
  for (Message& message : messages) priv.publisher->publish(std::move(message));
}

std::chrono::milliseconds flush_timeout(const PublishSettings& settings) {
  return std::chrono::ceil<std::chrono::milliseconds>(
      std::chrono::nanoseconds(settings.flush_timeout));
}

void observe_stream_start(GstTrackPublishPrivate& priv, GstEvent* event) {
  const char* id = nullptr;
  gst_event_parse_stream_start(event, &id);
  // The same id again is the same stream, after a seek for example.
  if (!priv.stream_id.empty() && priv.stream_id != id) {
    publish(priv, priv.reports->observe_end("another stream has begun"));
  }
  priv.stream_id = id;
}

void observe_event(GstTrackPublishPrivate& priv, GstEvent* event) {
  if (!priv.reports) return;
  if (GST_EVENT_TYPE(event) == GST_EVENT_STREAM_START) {
    observe_stream_start(priv, event);
  } else if (GST_EVENT_TYPE(event) == GST_EVENT_CAPS) {
    GstCaps* caps = nullptr;
    gst_event_parse_caps(event, &caps);
    priv.reports->observe_caps(caps);
  } else if (GST_EVENT_TYPE(event) == GST_EVENT_EOS) {
    publish(priv, priv.reports->observe_end("the stream has ended"));
  } else if (const auto removed = cltrack::gst::parse_removed_event(event)) {
    publish(priv, priv.reports->observe_removed(*removed));
  } else if (const auto zones = cltrack::gst::parse_zones_event(event); !zones.empty()) {
    publish(priv, priv.reports->observe_zones(zones));
  } else if (const auto skipped = cltrack::gst::parse_skipped_event(event)) {
    priv.reports->observe_skipped(*skipped);
  }
}

// To where the properties say that the broker is now.
void follow_broker(GstTrackPublishPrivate& priv) {
  const cltrack::gst::MqttConfig& now = priv.settings.mqtt;
  auto moved = priv.running;  // what cannot be moved to is tried again
  cltrack::gst::MqttConfig& used = moved.mqtt;
  if (!priv.publisher || used.host.empty() || now.host.empty()) return;
  if (now.host == used.host && now.port == used.port) return;
  used.host = now.host;
  used.port = now.port;
  priv.publisher->move_to(make_outlet(moved));
  priv.running = std::move(moved);
}

GstStructure* make_stats(const GstTrackPublishPrivate& priv) {
  const cltrack::gst::QueueCounts counts =
      priv.publisher ? priv.publisher->counts() : cltrack::gst::QueueCounts{};
  const gboolean connected = priv.publisher && priv.publisher->is_connected();
  return gst_structure_new("trackpublish-stats", "connected", G_TYPE_BOOLEAN, connected, "sent",
                           G_TYPE_UINT64, static_cast<guint64>(counts.sent), "waiting",
                           G_TYPE_UINT64, static_cast<guint64>(counts.waiting), "under-way",
                           G_TYPE_UINT64, static_cast<guint64>(counts.under_way), "dropped",
                           G_TYPE_UINT64, static_cast<guint64>(counts.dropped), "bytes",
                           G_TYPE_UINT64, static_cast<guint64>(counts.bytes), nullptr);
}

}  // namespace

static gboolean gst_track_publish_start(GstBaseTransform* trans) {
  return guard(GST_ELEMENT(trans), FALSE, [&]() -> gboolean {
    GstTrackPublishPrivate& priv = private_of(trans);
    const std::scoped_lock lock(priv.stream_mutex, priv.mutex);
    priv.running = priv.settings;
    priv.running.source = source_of(priv.settings, cltrack::gst::name_of(trans).c_str());
    auto outlet = make_outlet(priv.running);
    // A broker may come later; a file that cannot be written now is a mistake.
    if (priv.running.mqtt.host.empty()) outlet->open();
    priv.reports.emplace(priv.running.source, priv.running.events);
    priv.stream_id.clear();
    priv.publisher = std::make_unique<Publisher>(
        std::move(outlet),
        cltrack::gst::QueueLimits{priv.settings.queue_size, priv.settings.queue_bytes},
        [element = GST_ELEMENT(trans)](const cltrack::gst::PublishReport& report) {
          post_report(element, report);
        });
    return TRUE;
  });
}

static gboolean gst_track_publish_stop(GstBaseTransform* trans) {
  return guard(GST_ELEMENT(trans), TRUE, [&]() -> gboolean {
    GstTrackPublishPrivate& priv = private_of(trans);
    std::unique_ptr<Publisher> publisher;
    std::chrono::milliseconds flush{};
    {
      const std::lock_guard stream_lock(priv.stream_mutex);
      if (priv.reports) publish(priv, priv.reports->observe_end("the element has stopped"));
      priv.reports.reset();
      const std::lock_guard lock(priv.mutex);
      publisher = std::move(priv.publisher);
      flush = flush_timeout(priv.settings);
    }
    if (publisher) publisher->stop(flush);
    return TRUE;
  });
}

static GstFlowReturn gst_track_publish_transform_ip(GstBaseTransform* trans, GstBuffer* buffer) {
  return guard(GST_ELEMENT(trans), GST_FLOW_ERROR, [&] {
    GstTrackPublishPrivate& priv = private_of(trans);
    cltrack::gst::PublishMode mode{};
    {
      const std::lock_guard lock(priv.mutex);
      mode = priv.settings.mode;
    }
    const std::lock_guard lock(priv.stream_mutex);
    if (priv.reports) publish(priv, priv.reports->observe_buffer(buffer, trans->segment, mode));
    return GST_FLOW_OK;
  });
}

static gboolean gst_track_publish_sink_event(GstBaseTransform* trans, GstEvent* event) {
  // GST_EVENT_IS_SERIALIZED combines two enumerations, which clang warns of.
  if (gst_event_type_get_flags(GST_EVENT_TYPE(event)) & GST_EVENT_TYPE_SERIALIZED) {
    guard(GST_ELEMENT(trans), [&] {
      const std::lock_guard lock(private_of(trans).stream_mutex);
      observe_event(private_of(trans), event);
    });
  }
  return GST_BASE_TRANSFORM_CLASS(gst_track_publish_parent_class)->sink_event(trans, event);
}

static void gst_track_publish_set_property(GObject* object, guint id, const GValue* value,
                                           GParamSpec* /*spec*/) {
  guard(GST_ELEMENT(object), [&] {
    GstTrackPublishPrivate& priv = private_of(object);
    const std::lock_guard lock(priv.mutex);
    set_property(cltrack::gst::publish_properties(), priv.settings, id, value);
    follow_broker(priv);
  });
}

static void gst_track_publish_get_property(GObject* object, guint id, GValue* value,
                                           GParamSpec* /*spec*/) {
  guard(GST_ELEMENT(object), [&] {
    GstTrackPublishPrivate& priv = private_of(object);
    const std::lock_guard lock(priv.mutex);
    if (get_property(cltrack::gst::publish_properties(), priv.settings, id, value)) return;
    g_value_take_boxed(value, make_stats(priv));
  });
}

static void gst_track_publish_finalize(GObject* object) {
  delete GST_TRACK_PUBLISH(object)->priv;
  G_OBJECT_CLASS(gst_track_publish_parent_class)->finalize(object);
}

static void gst_track_publish_class_init(GstTrackPublishClass* klass) {
  cltrack::gst::guard_class(klass, [&] {
    GST_DEBUG_CATEGORY_INIT(gst_track_publish_debug, "trackpublish", 0, "publishes tracks");
    GObjectClass* object_class = G_OBJECT_CLASS(klass);
    object_class->set_property = gst_track_publish_set_property;
    object_class->get_property = gst_track_publish_get_property;
    object_class->finalize = gst_track_publish_finalize;
    install_properties(object_class, cltrack::gst::publish_properties());

    GstBaseTransformClass* transform_class = GST_BASE_TRANSFORM_CLASS(klass);
    transform_class->start = gst_track_publish_start;
    transform_class->stop = gst_track_publish_stop;
    transform_class->sink_event = gst_track_publish_sink_event;
    transform_class->transform_ip = gst_track_publish_transform_ip;

    GstElementClass* element_class = GST_ELEMENT_CLASS(klass);
    gst_element_class_set_static_metadata(
        element_class, "Track publisher", "Generic/Analyzer",
        "Writes tracked and detected objects as JSON to a file or an MQTT broker", "gst-cltrack");
    const cltrack::gst::Scoped<GstCaps, gst_caps_unref> caps(gst_caps_new_any());
    cltrack::gst::add_pad_templates(element_class, caps.get());
  });
}

static void gst_track_publish_init(GstTrackPublish* self) {
  self->priv = cltrack::gst::make_members<GstTrackPublishPrivate>();
  GstBaseTransform* transform = GST_BASE_TRANSFORM(self);
  gst_base_transform_set_in_place(transform, TRUE);
  gst_base_transform_set_passthrough(transform, TRUE);
}
