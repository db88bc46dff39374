// SPDX-License-Identifier: LGPL-2.1-or-later
#include "elements/gsttrackoverlay.h"

#include <gst/video/video.h>

#include <mutex>
#include <utility>

#include "cltrack/error.h"
#include "elements/guard.h"
#include "elements/pad_templates.h"
#include "metadata/track_messages.h"
#include "overlay/overlay_blend.h"
#include "properties/overlay_settings.h"
#include "stream/overlay_stream.h"

GST_DEBUG_CATEGORY(gst_track_overlay_debug);
#define GST_CAT_DEFAULT gst_track_overlay_debug

using cltrack::gst::CapsPointer;
using cltrack::gst::CompositionMode;
using cltrack::gst::guard;
using cltrack::gst::OverlaySettings;

struct GstTrackOverlayPrivate {
  // Any thread sets properties and looks at events from downstream; all else belongs to the
  // streaming thread. Not the object lock, which thread sanitizers cannot see.
  std::mutex settings_mutex;
  OverlaySettings settings;

  cltrack::gst::OverlayStream stream;
  bool refused_caps = false;  // and has said why
};

struct _GstTrackOverlay {
  GstBaseTransform parent;
  GstTrackOverlayPrivate* priv;
};

G_DEFINE_TYPE(GstTrackOverlay, gst_track_overlay, GST_TYPE_BASE_TRANSFORM)
CLTRACK_REGISTER_DEFINE(trackoverlay, GST_TYPE_TRACK_OVERLAY)

namespace {

GstTrackOverlayPrivate& private_of(void* object) {
  return cltrack::gst::members_of(GST_TRACK_OVERLAY(object)->priv);
}

OverlaySettings settings_of(void* object) {
  GstTrackOverlayPrivate& priv = private_of(object);
  const std::lock_guard lock(priv.settings_mutex);
  return priv.settings;
}

// The first structure of `caps` with or without the composition feature; null if there is none.
CapsPointer pick_caps(const GstCaps* caps, bool with_composition) {
  for (guint i = 0; i < gst_caps_get_size(caps); ++i) {
    CapsPointer one(gst_caps_copy_nth(caps, i));
    if (cltrack::gst::has_composition_feature(one.get()) == with_composition) {
      return CapsPointer(gst_caps_fixate(one.release()));
    }
  }
  return nullptr;
}

CapsPointer transform_caps(GstBaseTransform* trans, GstPadDirection direction, GstCaps* caps,
                           GstCaps* filter) {
  const CompositionMode mode = settings_of(trans).composition;
  CapsPointer result = cltrack::gst::transform_overlay_caps(direction, caps, mode);
  if (filter != nullptr) {
    result.reset(gst_caps_intersect_full(filter, result.get(), GST_CAPS_INTERSECT_FIRST));
  }
  GST_DEBUG_OBJECT(trans, "%" GST_PTR_FORMAT " becomes %" GST_PTR_FORMAT, static_cast<void*>(caps),
                   static_cast<void*>(result.get()));
  return result;
}

CapsPointer fixate_caps(GstBaseTransform* trans, GstPadDirection direction,
                        const GstCaps* possible) {
  CapsPointer attached = pick_caps(possible, true);
  CapsPointer plain = pick_caps(possible, false);
  // Where there is a choice, downstream has it.
  if (attached && plain && direction == GST_PAD_SINK) {
    const bool attach = settings_of(trans).composition == CompositionMode::attach ||
                        cltrack::gst::peer_takes_composition(trans->srcpad, attached.get());
    return attach ? std::move(attached) : std::move(plain);
  }
  return plain ? std::move(plain) : std::move(attached);
}

// The base class accepts no null; empty caps mean that negotiation failed.
GstCaps* caps_or_none(GstCaps* caps) { return caps != nullptr ? caps : gst_caps_new_empty(); }

}  // namespace

static void gst_track_overlay_before_transform(GstBaseTransform* trans, GstBuffer* buffer) {
  guard(GST_ELEMENT(trans), [&] {
    const GstClockTime time = cltrack::gst::times_of(buffer, trans->segment).stream_time;
    if (GST_CLOCK_TIME_IS_VALID(time)) gst_object_sync_values(GST_OBJECT(trans), time);
  });
}

static GstFlowReturn gst_track_overlay_transform_ip(GstBaseTransform* trans, GstBuffer* buffer) {
  return guard(GST_ELEMENT(trans), GST_FLOW_ERROR, [&] {
    private_of(trans).stream.process(trans, buffer, settings_of(trans));
    return GST_FLOW_OK;
  });
}

static GstCaps* gst_track_overlay_transform_caps(GstBaseTransform* trans, GstPadDirection direction,
                                                 GstCaps* caps, GstCaps* filter) {
  return caps_or_none(guard(GST_ELEMENT(trans), static_cast<GstCaps*>(nullptr), [&] {
    return transform_caps(trans, direction, caps, filter).release();
  }));
}

static GstCaps* gst_track_overlay_fixate_caps(GstBaseTransform* trans, GstPadDirection direction,
                                              GstCaps* /*caps*/, GstCaps* other_caps) {
  const CapsPointer possible(other_caps);
  return caps_or_none(guard(GST_ELEMENT(trans), static_cast<GstCaps*>(nullptr), [&] {
    return fixate_caps(trans, direction, possible.get()).release();
  }));
}

static gboolean gst_track_overlay_set_caps(GstBaseTransform* trans, GstCaps* in_caps,
                                           GstCaps* out_caps) {
  return guard(GST_ELEMENT(trans), FALSE, [&]() -> gboolean {
    GstTrackOverlayPrivate& priv = private_of(trans);
    GstVideoInfo info;
    if (!gst_video_info_from_caps(&info, in_caps)) {
      priv.refused_caps = true;
      GST_ELEMENT_ERROR(trans, STREAM, FORMAT, ("Caps that are not raw video"),
                        ("caps %" GST_PTR_FORMAT, static_cast<void*>(in_caps)));
      return FALSE;
    }
    const bool attaches = cltrack::gst::has_composition_feature(out_caps);
    priv.stream.set_info(info, {attaches, cltrack::gst::has_drawable_pixels(in_caps)});
    GST_INFO_OBJECT(trans, "%s", attaches ? "attaching compositions" : "drawing into pictures");
    return TRUE;
  });
}

static gboolean gst_track_overlay_sink_event(GstBaseTransform* trans, GstEvent* event) {
  const GstEventType type = GST_EVENT_TYPE(event);
  guard(GST_ELEMENT(trans), [&] {
    GstTrackOverlayPrivate& priv = private_of(trans);
    if (type == GST_EVENT_CAPS) priv.refused_caps = false;
    priv.stream.observe_event(event);
    if (const auto removed = cltrack::gst::parse_removed_event(event)) priv.stream.forget(*removed);
  });
  const gboolean handled =
      GST_BASE_TRANSFORM_CLASS(gst_track_overlay_parent_class)->sink_event(trans, event);
  guard(GST_ELEMENT(trans), [&] {
    if (type == GST_EVENT_CAPS && !handled && !private_of(trans).refused_caps &&
        !GST_PAD_IS_FLUSHING(trans->srcpad) &&
        settings_of(trans).composition == CompositionMode::attach) {
      GST_ELEMENT_ERROR(trans, CORE, NEGOTIATION,
                        ("Property composition = attach, but no element downstream accepts overlay "
                         "compositions; set it to auto or blend"),
                        (nullptr));
    }
  });
  return handled;
}

// Looks only: what acts is up to the tracking element upstream.
static gboolean gst_track_overlay_src_event(GstBaseTransform* trans, GstEvent* event) {
  guard(GST_ELEMENT(trans), [&] {
    const bool is_for_pointer =
        GST_EVENT_TYPE(event) == GST_EVENT_NAVIGATION && settings_of(trans).navigation;
    if (is_for_pointer) private_of(trans).stream.observe_pointer(event);
  });
  return GST_BASE_TRANSFORM_CLASS(gst_track_overlay_parent_class)->src_event(trans, event);
}

static gboolean gst_track_overlay_query(GstBaseTransform* trans, GstPadDirection direction,
                                        GstQuery* query) {
  const bool answered = guard(GST_ELEMENT(trans), false, [&] {
    return direction == GST_PAD_SINK &&
           cltrack::gst::hides_regions(settings_of(trans).style.mark) &&
           cltrack::gst::answer_hidden_query(query);
  });
  return answered ||
         GST_BASE_TRANSFORM_CLASS(gst_track_overlay_parent_class)->query(trans, direction, query);
}

// Here and not at the start: then events may come at the same time, from the thread that streams.
static gboolean gst_track_overlay_stop(GstBaseTransform* trans) {
  return guard(GST_ELEMENT(trans), TRUE, [&]() -> gboolean {
    private_of(trans).stream.forget(settings_of(trans));
    return TRUE;
  });
}

static void gst_track_overlay_set_property(GObject* object, guint id, const GValue* value,
                                           GParamSpec* spec) {
  guard(GST_ELEMENT(object), [&] {
    GstTrackOverlayPrivate& priv = private_of(object);
    const std::lock_guard lock(priv.settings_mutex);
    try {
      set_property(cltrack::gst::overlay_properties(), priv.settings, id, value);
    } catch (const cltrack::Error& error) {
      priv.settings.refusal = {error.what(), priv.settings.refusal.number + 1};
    }
  });
  if (g_str_equal(spec->name, "composition")) {
    gst_base_transform_reconfigure_src(GST_BASE_TRANSFORM(object));
  }
}

static void gst_track_overlay_get_property(GObject* object, guint id, GValue* value,
                                           GParamSpec* /*spec*/) {
  guard(GST_ELEMENT(object), [&] {
    GstTrackOverlayPrivate& priv = private_of(object);
    const std::lock_guard lock(priv.settings_mutex);
    get_property(cltrack::gst::overlay_properties(), priv.settings, id, value);
  });
}

static void gst_track_overlay_finalize(GObject* object) {
  delete GST_TRACK_OVERLAY(object)->priv;
  G_OBJECT_CLASS(gst_track_overlay_parent_class)->finalize(object);
}

static void gst_track_overlay_class_init(GstTrackOverlayClass* klass) {
  cltrack::gst::guard_class(klass, [&] {
    GST_DEBUG_CATEGORY_INIT(gst_track_overlay_debug, "trackoverlay", 0, "draws tracks");
    GObjectClass* object_class = G_OBJECT_CLASS(klass);
    object_class->set_property = gst_track_overlay_set_property;
    object_class->get_property = gst_track_overlay_get_property;
    object_class->finalize = gst_track_overlay_finalize;
    install_properties(object_class, cltrack::gst::overlay_properties());

    GstBaseTransformClass* transform_class = GST_BASE_TRANSFORM_CLASS(klass);
    transform_class->stop = gst_track_overlay_stop;
    transform_class->transform_caps = gst_track_overlay_transform_caps;
    transform_class->fixate_caps = gst_track_overlay_fixate_caps;
    transform_class->set_caps = gst_track_overlay_set_caps;
    transform_class->sink_event = gst_track_overlay_sink_event;
    transform_class->src_event = gst_track_overlay_src_event;
    transform_class->query = gst_track_overlay_query;
    transform_class->before_transform = gst_track_overlay_before_transform;
    transform_class->transform_ip = gst_track_overlay_transform_ip;

    GstElementClass* element_class = GST_ELEMENT_CLASS(klass);
    gst_element_class_set_static_metadata(
        element_class, "Track overlay", "Analyzer/Visualization/Video",
        "Draws boxes, labels, ids, confidence and state of tracked and detected objects",
        "gst-cltrack");
    const CapsPointer caps = cltrack::gst::overlay_template_caps();
    cltrack::gst::add_pad_templates(element_class, caps.get());
  });
}

static void gst_track_overlay_init(GstTrackOverlay* self) {
  self->priv = cltrack::gst::make_members<GstTrackOverlayPrivate>();
  GstBaseTransform* transform = GST_BASE_TRANSFORM(self);
  gst_base_transform_set_in_place(transform, TRUE);
  // Not passthrough: a buffer that is drawn on must be writable.
  gst_base_transform_set_passthrough(transform, FALSE);
}
